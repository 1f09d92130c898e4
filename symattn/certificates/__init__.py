"""Certificates: results with what is needed to re-check them (docs/certificates.md)."""
