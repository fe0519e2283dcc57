"""Does a semantic verifier tell a motion that does what the sentence says from others?

held_out.py      clips with their captions, contrary captions and other clips' captions
accuracy.py      true pair against contrary pair, by kind of change
retrieval.py     the own caption among 32, and the own motion
calibration.py   how often a pair with a given R_text is a true one
report.py        all of it; page.py: for people
"""
