"""The content of each square.

The layers, each knowing only those above it:

    clipping      a colour in an overexposed picture
    tile_groups   tiles grouped by the places that the network gives their colours
    contrast      how unlike the board the tiles are
    tile_colours  names of the groups
    judgement     one picture judged: contents and covered squares
"""
