"""Motions to try that need a generator: candidates and tokenizer reconstructions."""
