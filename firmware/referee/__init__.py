"""The referee: from readings and the rules to events, without input, output or clock.

The layers, each knowing only those above it:

    steadiness          detection of a steady board, and its evidence
    placement_matching  best placements that explain the evidence, scored without rules
    frame_mapping       conversion of the reader's squares and colours to the game's
    any_order           new pieces in any order of colours, as in a puzzle
    adjudication        legal moves and refusals that follow from an explanation
    chosen_move         refusal of a placement that the computer has not chosen for its seat
    hypotheses          several readings of a doubtful piece, each judged by the rules
    ambiguity_evidence  evidence on doubtful squares, added up over different light
    false_pieces        things that look like pieces: printed marks, foreign objects
    joined_pieces       new pieces of a colour that share sides, where a puzzle allows it
    known_pieces        accepted pieces that were lifted, moved or covered
    orientation         the mappings that remain possible, and the one in use
    exchanged_pieces    another piece in the place of the last one, larger or smaller
    lifting             pieces of a puzzle that were lifted from anywhere on the board
    grace_periods       seconds to straighten or uncover a piece before a verdict
    position_import     a position that stood on the board before the game was watched
    arbiter_rulings     rulings of a person, passes and the end of the game, as events
    square_timer        time for which a condition has held on each square
    static_occlusion    evidence of the squares that a still occluder leaves visible
    unexplained         squares that no piece explains
    dark_frames         requests for frames exposed in the dark
    board_visibility    board found or lost, moved, under a hand, in changed light
    phase               phases of the table, for the page and the lights
    ambiguity           ambiguous placements, and the time to report them
    event_log           decisions and rulings as events, applied to the state
    questions           open questions, and the moves that wait for an answer
    decision            events that follow from a steady board
    referee             the entry point: takes readings, returns events
    plausibility        check by piece counts that a picture was not misread
    doubtful_pieces     pieces that a picture may show otherwise, or not at all
    still_photo         pieces, rule violations and score in one picture
"""
