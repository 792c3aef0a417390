"""Two engines over one Program: `play` follows one history, `odds` all of them at once."""
