"""The referee: from readings and the rules to events. Pure, and never in a hurry.

The layers, each knowing only those above it:

    steadiness          the steady board, and the evidence it shows
    placement_matching  every explanation of the evidence, all scored alike
    frame_mapping       squares and plastics of the reader as those of the game
    orientation         the mappings that are left, and the one in use
    adjudication        an explanation judged by the rules
    hypotheses          several readings of a doubtful piece, each followed by the rules
    ambiguity_evidence  evidence on doubtful squares, added up over different light
    false_pieces        things that look like pieces: printed marks, foreign objects
    known_pieces        accepted pieces that were lifted, moved or covered
    position_import     a position that stood there before anybody watched
    arbiter_rulings     rulings of a person, and ends that follow by themselves
    square_timer        for how long a condition has held on each square
    static_occlusion    the squares beside a thing that lies still over the board
    unexplained         squares that nothing explains
    dark_frames         requests for frames exposed in the dark
    board_visibility    a board in view, at rest, and free of hands, or the lack of it
    phase               the states of the table, for the page and the lights
    settings            every threshold
    ambiguity           ambiguous placements, and the time to report them
    event_log           decisions and words as events, applied at once
    questions           questions to people, and the moves that wait for an answer
    decision            from a steady board to events
    referee             the whole: a reading in, events out
    plausibility        a count of pieces that tells boards laid wrong from misread ones
    still_photo         one picture and the rules, without history
"""
