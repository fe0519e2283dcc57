"""Which sentences are refused, and which should be.

prompts.py   sentences that should be refused, in two lists; held-out captions
fit.py       the rule of `pipeline.refusal`, from the development list and `val`
figures.py   who is refused on the test list and on `test`

The test list was written before anything was fitted, and nothing is chosen by it.
"""
