"""What is tried where no candidate fits: other candidates, then other words.

more       candidates beside those that were drawn, and when they are made
writing    motions written from what the sentence says
joining    its steps drawn one by one and joined
editing    candidates whose count, angle or pace is off, put right
changes    ways to edit a motion
rewording  the sentence asked again in other words
"""
