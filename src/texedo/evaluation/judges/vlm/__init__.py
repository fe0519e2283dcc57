"""The paper's ensemble of vision-language models: two rubrics, 8 and 16 pictures, two
models, temperature 0, the mean of the eight answers.

Nothing is sent unless a judge of this kind is asked for; `plan` says before what would be.
"""
