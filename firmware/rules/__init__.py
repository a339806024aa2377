"""The rules of the Blokus family: exact, pure, and free of everything else in the house.

Numpy is the only import. The layers, each knowing only those above it:

    errors          exceptions
    pieces          21 pieces, 91 orientations
    board           every way to lay a piece on a board, as constant tables
    variants        the seven games as facts; the names that editions give to colours
    violations      the rules that a piece can break
    legality        every rule that a new piece breaks
    position        the pieces on the board, the turn, and the legal moves
    scoring         the worth of a position, by colour and by side
    reconstruction  a position from its squares alone
    perft           counting sequences of moves
"""
