"""Commands for motion files."""
