"""Chains the stages: file names in; checked rule sets, outcomes, odds and problems out."""
