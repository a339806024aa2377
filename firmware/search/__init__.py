"""The player: a Monte-Carlo tree search compiled by numba, in a process of its own.

Nothing outside imports it; `firmware.player.client` starts `python -m firmware.search` and talks to
it. It is taught by `tests.training.player`. The layers, each knowing only those above it:

    jit        kernels compiled, and their machine code kept between runs
    tables     constant tables of a board as flat arrays
    kernels    the pieces on the board, and each colour's open placements
    scoring    the facts of a game and its result, for compiled code
    features   classes of squares, the input of the network
    network    the likelihood of each move, and the expected end of a game
    playout    a game played to its end by weighted chance
    nodes      the nodes of a search tree, and giving back their room
    tree       the search: down the tree, growth, results
    weights    the files of what was learned
    player     a position in, choices out, within a time and a memory
    gtp        the player as a GTP engine
    service    the player behind `firmware.player.client`
    benchmark  its speed on this machine
    roles      the roles of the process: GTP engine, service, compilation, benchmark
"""
