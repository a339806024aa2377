"""The benchmarks of `cornerlight bench`: one module a part, each with `measure() -> Rows`.

Speed and memory on this machine, without other programs, a network or long times; long trials are
with the tests.

    common   timing and positions for all benchmarks
    rules    the rules
    referee  the referee on a steady board
    reader   reading a frame, and the memory of `watch`
    lights   a frame of lights, from the scene to the bus
    journal  a commit of the journal
    player   the first answer of the player, and its memory
"""
