"""Results made readable: tables as text, Markdown, LaTeX, CSV and JSON. Nothing here computes."""

from symattn.reports.contact_orders import FoundOrder, contact_report_table, contact_table
from symattn.reports.tables import FORMATS, Cell, Column, Table, render

__all__ = ["FORMATS", "Cell", "Column", "FoundOrder", "Table", "contact_report_table", "contact_table", "render"]
