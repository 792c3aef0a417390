"""Where the stages are chained: names of files in; checked rule sets, outcomes, odds and problems out."""
