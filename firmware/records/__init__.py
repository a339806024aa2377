"""Game records: Blokus SGF, the format of Pentobi.

The layers, each knowing only those above it:

    sgf              the file format: trees of properties, nothing of Blokus
    root_properties  game, players and scoring in the root of a record
    node_properties  a move, a position or a refusal in one of its nodes
    record           a game as Blokus SGF
    replay           a record played through, move by move
    writer           a game at the table as a record
"""
