"""Does a motion do what the sentence says? People's prompts, and rules that judge.

prompts/CLASS.jsonl   wordings of a prompt and the rule that all of them share
suite.py              reads them; which half each belongs to
body.py, spans.py     curves of a motion, and stretches of time on them
judges/               measures: each says whether a body does one thing
rules.py, verdict.py  a rule's clauses; right, partly or wrong
report.py             candidates of a generator judged, by class
validate.py           the judges themselves, on captured clips
"""
