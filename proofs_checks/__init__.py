"""Checks of the published statements, one module per group; each uses only the public interface of symattn."""
