"""Game records: Blokus SGF, the format of Pentobi.

The layers, each of which imports only those above it:

    sgf              the file format: trees of properties, independent of Blokus
    root_properties  game, players and scoring in the root of a record
    node_properties  a move, a position or a refusal in one of its nodes
    record           a game as Blokus SGF
    replay           replay of a record, move by move
    course           a recorded game from its first to its last position
    writer           events of a game written to a record
"""
