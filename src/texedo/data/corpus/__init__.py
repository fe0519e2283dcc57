"""The corpus: built from recordings, packed, sampled, carried, and judged by the oracle."""
