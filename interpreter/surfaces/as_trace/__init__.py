"""A history as rows for a reader, and the rows as lines; a terminal and a page lay them out."""
