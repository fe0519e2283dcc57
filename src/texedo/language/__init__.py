"""The text encoder and its word pieces."""
