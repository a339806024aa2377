"""Computer vision, from a frame to a reading: a library that imports no other package.

Its result is `vision.reading.Reading`: evidence for each square, never a decision. Everything that
needs the history of the game, time or the rules is done by the referee.

The layers, each knowing only those above it:

    errors          exceptions
    camera          Frame and the interface of all cameras
    plastics        the eight colours of plastic in every medium
    reading         the result for the rest of the program
    io              pictures, videos and recordings, read within bounds
    geometry        squares and pixels, lens and size of a picture
    squares         the content of each square in one picture, with the colours named
    detection       the place of the board, and changes from frame to frame
    reader          readings of a sequence of frames or of one picture
    setup           the check of a set-up, and measurements taken once
    synthetic       rendered pictures of a table
"""
