"""Squares of a board in one picture: the network that reads them, and the colours of tiles named.

The layers, each knowing only those above it:

    fitted_constants  values of constants that a command fits to pictures
    square_features   colour and lightness of each square
    border            trees that tell whether a tile goes on beyond the border, and their file
    network           the network that sees tiles, bare squares, hands, and where pieces end
    tile_groups       the tiles grouped by colour, without names
    tile_colours      the groups named, by their tints
    foreign           paper and tiles of another set
    judgement         the content of each square
"""
