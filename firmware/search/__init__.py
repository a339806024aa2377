"""The player: a Monte-Carlo tree search compiled by numba, in a process of its own.

Nothing outside imports it; `firmware.player_link` starts `python -m firmware.search` and talks
to it. The layers, each knowing only those above it:

    compiling   how kernels are compiled and where machine code is kept
    tables      constant tables of a board as flat arrays
    kernels     what stands on the board, and each colour's open placements
    scoring     the facts of a game and its result, for compiled code
    features    what a position looks like to the colour to move
    network     what was learned: likely moves, and how a game may end
    playout     a game played to its end by weighted chance
    tree        the search tree: selection, growth, results, pruning to a subtree
    prior       the learned numbers as they lie beside the code
    player      a position in, choices out, within a time and a memory
    levels      how much thinking each level is
    gtp         the player as a GTP engine
    service     the player behind `firmware.player_link`
    measuring   how fast it is on this machine
    lessons     positions to learn from, kept as the games they are from
    selfplay    such games
    gradient    of the network's errors, for compiled code
    fitting     learning from lessons along it
    training    the program that plays and learns
"""
