"""What is seen in a frame: a library of its own that imports nothing of ours.

Its word to the rest of the house is `vision.reading.Reading`: evidence for each square, never
a verdict. All that needs memory of the game, time or rules is the referee's.
"""
