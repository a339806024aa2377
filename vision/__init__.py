"""Computer vision, from a frame to a reading: a library of its own that imports nothing of ours.

Its word to the rest of the house is `vision.reading.Reading`: evidence for each square, never a
verdict. All that needs memory of the game, time or rules is the referee's.

The layers, each knowing only those above it:

    errors          exceptions
    camera          Frame, and what every camera does
    reading         the word to the rest of the house
    io              pictures, videos and recordings, read within bounds
    geometry        squares and pixels, lens and size of a picture
    shape           tiles told by their shape alone
    features        measurements on squares and frames
    classification  the plastic on each square, and what may deceive
    detection       the place of the board in one picture
    tracking        changes from frame to frame
    reader          from a frame to a reading, frame after frame or once
    setup           the check of a set-up, and measurements taken once
    synthetic       pictures of a table that does not exist
"""
