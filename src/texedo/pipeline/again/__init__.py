"""What is tried where no candidate fits: edited candidates, then other words.

more       candidates beside those that were drawn, and when they are made
editing    candidates whose count, angle or pace is off, put right
changes    ways to edit a motion
rewording  the sentence asked again in other words
"""
