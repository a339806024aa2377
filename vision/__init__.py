"""What is seen in a frame: a library of its own that imports nothing of ours.

Its word to the rest of the house is `vision.reading.Reading`: evidence for each square, never
a verdict. All that needs memory of the game, time or rules is the referee's.

The way of a frame, each module knowing only those above it:

    errors     what is raised
    camera     Frame, and what every camera does
    reading    the word to the rest of the house
    lens       how a camera bends lines
    geometry   squares and pixels; scale: pictures drawn smaller
    markers    the four printed markers: which way is up, and about where
    locate     the lines between squares: exactly where
    calibration  what was measured of a camera once: its lens, the corners; lens_fit measures
    look       what is measured on a square
    density    how empty squares and plastic look here, and how likely a sight that makes
    colours    the same learned from the picture
    shadow     black and white told from shadows
    classify   whose plastic lies on a square
    occlusion  what lies under something, told from one picture alone
    alone      one picture judged by itself
    hands      what lies over the board
    scrutiny   the parts of a square: overhang, partly, rim
    pause      what lies still over the board
    lit_change  what has changed while LEDs glow
    track      whether the board has moved
    reader     all of it, frame after frame or once
    quality    how good a picture is; standpoint: where the camera stands
    report     what of a set-up should be mended, and how; setup_check finds it
    recorded   cameras that play a folder or a video; overlay draws what was read
"""
