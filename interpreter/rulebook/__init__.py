"""Located trees → a checked book: declared, extended, names resolved, types checked."""
