"""The motion language model: text in, motion tokens out."""
