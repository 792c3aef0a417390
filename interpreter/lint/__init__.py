"""Static checks of a rule set without errors: what is valid but suspicious (`checks.lint`)."""
