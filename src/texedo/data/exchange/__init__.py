"""Dataset folders of others, in and out."""
