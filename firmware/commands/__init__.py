"""The command line: `main`, one module for each command (verb), and shared parts.

A verb is imported only when it is called. Rooms that can be taken out bring verbs of their own, see
`main`.

    main             finds the verb, runs it, and turns errors into one sentence
    options          options that several verbs share, and parsers of numbers
    table_options    options that name settings or a table, and its places
    checks           the checks of doctor, by concern
    doctor_report    a text with all that doctor finds, for those who help
    picture_file     pictures in files that a person named
    board_text       drawing of a board as text for a terminal
    progress         a line that shows how far a long computation has come
    event_sentences  sentences on events, with the names of the players
    event_lines      lines of events and summaries
    live_output      output that never holds up a program, for verbs that run until stopped
    page_process     the score page as a process beside a table
    page_guide       tells the person at the terminal how phones reach the page, also by a QR code
    service_manager  tells systemd that a service is ready, and that its loop turns
    stop_signals     ends a verb that runs until it is stopped
    mounting_text    places of cameras above a board, as text, as JSON, and for the page
    typed_answer     answers that a person types in the terminal of `run`
    watch_output     events, record, lights and summary of `watch`
    session_replay   a recorded session that is repeated
    demo             runs a simulated table and its score page
    run              referees a real table in view of a camera
    page             serves the score page, as a process of its own
    read             reads one picture
    watch            referees a recording
    replay           checks a game record move by move
    calibrate        checks a set-up, or measures a lens
    perft            counts legal move sequences
    print            writes sheets for the table as PDF, and tells how high a camera hangs
    pair             prints a number that pairs an arbiter's phone
    shutdown         switches the machine off on which the table is a service
    lights_off       sends one dark frame to the lights
    lights_test      shows pictures on the lights, and asks whether they look right
    doctor           checks the machine, its camera, its services, and the settings
    bench            runs the benchmarks
"""
