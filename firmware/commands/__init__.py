"""The command line: `main`, one module for each verb, and parts that verbs share.

A verb is imported when it is called.

    main          finds the verb, runs it, and turns errors into one sentence
    options       options that several verbs share
    board_text    a board as text for a terminal
    light_frames  the lights as pictures, one each time they change
    demo          a simulated table and its score page
    page          the score page, a process of its own
    read          one picture read
    watch         a recording refereed
    replay        a game record checked move by move
    calibrate     a set-up checked, a lens measured
    gtp           the player as a GTP engine
    hint          the best moves in the last position of a record
    perft         legal move sequences counted
    pair          a number that makes a phone the arbiter's
    lights_off    one dark frame to the lights
    doctor        the machine and the settings checked
    bench         the benchmarks run
"""
