"""The benchmarks of `cornerlight bench`: one module a part, each with `measure() -> Rows`.

Speed and memory on this machine, nothing that needs another program, a network or an hour; long
trials live with the tests.

    common   times and positions that all of them take
    rules    the rules
    referee  the referee on a steady board
    reader   a frame read, and the memory of `watch`
    lights   a frame of lights, from the scene to the bus
    journal  a commit of the journal
    player   the first answer of the player, and its memory
"""
