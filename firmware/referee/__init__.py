"""What happened on the board: from readings and the rules to events. Pure, and never in a hurry.

The layers, each knowing only those above it:

    settling      when the board is steady, and what it then shows
    matching      what could have happened since, all explanations scored alike
    framing       which way round the board lies and which plastic is which colour
    bearings      which framings are left, and the one gone by
    judging       what the rules say of an explanation
    hypotheses    several readings of a doubtful piece, each followed by the rules
    doubt_evidence  what doubtful squares showed, added up over looks in different light
    doubting      what may have happened, and when it is time to tell
    surroundings  what looks like pieces and is none
    changes       what became of the pieces that were known to lie there
    standing      a position that stood there before anybody watched
    ruling        what a person says, and what follows from a position by itself
    resting       what can be seen beside a thing that lies still over the board
    unexplained   squares that show what nothing explains
    dark_frames   when the lights have to be out for a look
    ledger        decisions and words as events, folded at once
    questions     what people are asked, and the moves that wait for an answer
    deciding      what follows from a steady board
    presence      whether the board is in view, at rest, and free of hands
    phases        what the table is doing, for the page and the lights
    settings      every threshold
    referee       the whole: a reading in, events out
    photograph    one picture and the rules, without history
"""
