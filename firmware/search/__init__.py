"""The player: a Monte-Carlo tree search compiled by numba, in a process of its own.

Nothing outside imports it; `firmware.player_link` starts `python -m firmware.search` and talks
to it. The layers, each knowing only those above it:

    compiling   how kernels are compiled and where machine code is kept
    tables      constant tables of a board as flat arrays
    kernels     what stands on the board, and each colour's open placements
    scoring     the facts of a game and its result, for compiled code
    features    what a position looks like to the network
    network     what was learned: how likely each move is, and how a game may end
    playout     a game played to its end by weighted chance
    nodes       the nodes of a search tree, and giving back their room
    tree        the search: down the tree, growth, results
    prior       the files of what was learned
    player      a position in, choices out, within a time and a memory
    levels      how much thinking each level is
    gtp         the player as a GTP engine
    service     the player behind `firmware.player_link`
    measuring   how fast it is on this machine
    selfplay    games of the player against itself, and
    lessons     what is to be learned of them
    gradient    the slope of the network's error, and
    fitting     networks that err less
    training    the command line of learning
"""
