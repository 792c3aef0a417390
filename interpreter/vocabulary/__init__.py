"""Types, and the table of operations: one row each."""
