"""The rules of the Blokus family: exact, pure, and independent of the other packages.

Numpy is the only import. The layers, each of which imports only those above it:

    errors          exceptions
    pieces          21 pieces, 91 orientations
    board           every placement of a piece on a board, as constant tables
    variants        the games and the puzzles as data; the names that editions give to colours
    extent          the pieces and the squares that a game or a puzzle uses
    violations      the rules that a piece can break
    legality        every rule that a new piece breaks
    position        the pieces on the board, the turn, and the legal moves
    puzzle_faults   every fault on the board of a puzzle
    scoring         the score of a position, by colour and by side
    splits          the ways to split squares into different pieces
    reconstruction  a position from its covered squares alone
    perft           number of sequences of legal moves
"""
