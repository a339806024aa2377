"""What happened on the board: from readings and the rules to events. Pure, and never in a hurry.

The layers, each knowing only those above it:

    settling    when the board is steady, and what it then shows
    matching    what could have happened since, all explanations scored alike
    framing     which way round the board lies and which plastic is which colour
    judging     what the rules say of an explanation
    doubting    what may have happened, while nobody can tell
    standing    a position that stood there before anybody watched
    presence    whether the board is in view, at rest, and free of hands
    phases      what the table is doing, for the page and the lights
    referee     the whole: a reading in, events out
    photograph  one picture and the rules, without history
"""
