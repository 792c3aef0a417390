"""Types and builtins: one row a builtin."""
