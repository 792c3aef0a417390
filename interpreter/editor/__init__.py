"""What an editor asks of a rule file while it is written."""
