"""Static checks of a rule set that is correct in every word: what is suspicious all the same (`checks.lint`)."""
