"""What a body can be seen doing: each function measures one thing and says yes or no.

They know nothing of words or models: a `Body` and a few numbers in, a truth out. Numbers
are what somebody who watches would let pass. Sides are (left, right).
"""
