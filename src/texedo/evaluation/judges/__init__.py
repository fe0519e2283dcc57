"""Judges: does a motion do what a prompt says, from 1 to 10, label by label.

`kinematic` measures, `vlm` asks vision-language models, `human` asks people.
"""
