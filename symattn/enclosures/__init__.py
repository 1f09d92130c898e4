"""What ball arithmetic proves: numbers with error bounds."""
