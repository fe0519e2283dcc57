"""Whatever turns a prompt into motions: ours, those of others, folders of files."""
