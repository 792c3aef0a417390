"""The answers to an editor's requests about rule files that are being edited."""
