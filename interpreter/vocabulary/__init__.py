"""Types and builtins: one row a builtin, its examples run as tests."""
