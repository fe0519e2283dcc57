"""What a dynamic verifier learns from, and what it is judged by: which motions to make.

`plan` decides, `pool` holds the clips, `clips` and `bvh` make what needs no generator.
Candidates and tokenizer reconstructions are made by `texedo.text.learn.trials`.
"""
