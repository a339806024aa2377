"""The place of the board in one picture.

The layers, each knowing only those above it:

    markers          the four printed markers: the way up, and the rough place
    lattice          fields of squares in an upright view, by the lines between squares
    grid_fit         the exact place of a grid, by the lines between squares
    line_check       a check that the lines of a grid lie on those of the board
    board_extent     the end of a field of squares
    rectification    views in which a board may stand upright
    markerless       a board in any picture, without markers
    failure_reasons  reasons that a single picture shows no board
    board_detector   the board, by corners given, by its markers, or by its squares
"""
