"""Training of the motion tokenizer."""
