"""The rules of the Blokus family: exact, pure, and free of everything else in the house.

Numpy is the only import. The layers, each knowing only those above it:

    pieces      21 pieces, 91 orientations
    placements  every way to lay a piece on a board, as constant tables
    games       the seven games as facts; the names that editions give to colours
    position    what stands on the board and what may follow
    breaches    why a piece may not lie there
    score       what the position is worth, by colour and by side
    recovery    a position from its squares alone
    sgf         the file format: trees of properties, nothing of Blokus
    heading     what the root of a record says
    step        what one of its nodes says
    record      a game as Blokus SGF
    history     a record played through, move by move
    perft       counting sequences of moves
"""
