"""The referee: from readings and the rules to events, without input, output or clock.

The layers, each knowing only those above it:

    steadiness          detection of a steady board, and its evidence
    placement_matching  best placements that explain the evidence, scored without rules
    frame_mapping       conversion of the reader's squares and colours to the game's
    puzzle_pieces       new and lifted pieces of a puzzle, in any order of colours
    adjudication        legal moves and refusals that follow from an explanation
    chosen_move         refusal of a placement that the computer has not chosen for its seat
    hypotheses          several readings of a doubtful piece, each judged by the rules
    ambiguity_evidence  evidence on doubtful squares, added up over different light
    false_pieces        things that look like pieces: printed marks, foreign objects
    known_pieces        accepted pieces that were lifted, moved, covered or exchanged
    orientation         the mappings that remain possible, and the one in use
    grace_periods       seconds to straighten or uncover a piece before a verdict
    position_import     a position that stood on the board before the game was watched
    arbiter_rulings     rulings of a person, passes and the end of the game, as events
    static_occlusion    evidence of the squares that a still occluder leaves visible
    unexplained         squares that no piece explains
    dark_frames         requests for frames exposed in the dark
    board_visibility    board found or lost, moved, under a hand, in changed light
    ambiguity           ambiguous placements: their readings, and the moves that they may be
    event_log           decisions and rulings as events, applied to the state
    questions           open questions, and the moves that wait for an answer
    decision            events that follow from a steady board
    referee             the entry point: takes readings, returns events
    misreadings         squares of one picture that were misread together
    still_photo         pieces, rule violations and score in one picture
"""
