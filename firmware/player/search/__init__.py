"""The player, a Monte-Carlo tree search, and the solver of puzzles, in a process of their own.

Both are compiled by numba. No other package imports them; `firmware.player.search_process` starts
`python -m firmware.player.search` and exchanges messages with it. `tests.training.player` trains
the player's network. The layers, each of which imports only those above it:

    jit             compilation of the kernels, and the cache of their machine code
    chance          random numbers for compiled code
    tables          constant tables of a board as flat arrays
    kernels         the pieces on the board, and each colour's open placements
    scoring         sides and result of a game, for compiled code
    features        classes of squares, the input of the network
    network         the trained networks: prior of each move, expected end of a game
    playout         random games to the end, with weighted moves
    nodes           the nodes of a search tree, and their removal
    tree            the search: descent, growth, results
    player          search of a position within limits of time and memory
    reach           squares that a colour can reach, and a proof that a puzzle cannot be finished
    endgame_moves   the placements left near the end, and which bar each other, as bits
    endgame_table   the transposition table of the endgame
    endgame_bound   the placements that each colour has left, and a bound of its points
    endgame_search  alpha-beta search of an endgame on an explicit stack
    endgame         the exact result of the last moves, or nothing
    levels          twelve levels, and the move that each plays
    reasons         numbers of the reasons for every legal move, and which of them are given
    gtp             the player as a GTP engine
    exact_cover     pieces that cover every square of a field, or a proof that none can
    filling         puzzles whose pieces cover their field
    mirrored        solutions of `pentominoes-apart`, by mirrors
    laying          boards of all 84 pieces, laid greedily and then window by window
    stored          a solution of `all-by-size`, varied
    solver          the answer about a begun puzzle, and the piece that is to blame
    service         player and solver behind `firmware.player.search_process`
    benchmark       speed of the player on this machine
    roles           the roles of the process: GTP engine, service, compilation, benchmark
"""
