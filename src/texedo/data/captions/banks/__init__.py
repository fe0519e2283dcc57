"""The words of captions."""
