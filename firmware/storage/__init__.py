"""Storage: the journal, finished games as files, recorded sessions.

atomic_file       files that are replaced as a whole
certificate       certificates, signed by an authority or by themselves
wall_clock        time of day, with a flag for an unset clock
run_folder        a folder for one run of the program
camera_memory     values kept for each camera: corners, lens, exposure
journal_rows      form of a file of the journal: sealed lines
old_journal       reads the journal of earlier releases, a file of SQLite
journal_files     the two files of the journal, with salvage of damaged ones
journal           events of all games, on disk before they are shown
stored_game       a game as journal and archive store it
page_builder      the page of a moment of a game, as screens show it and the archive keeps it
photograph_judge  the page of the position in a photograph, which another process reads
game_files        contents of the files of a finished game
archive           folder of finished games, written by a thread
session_inputs    inputs of people in a recorded session
session_recorder  recording of a session as a folder that `watch` reads
"""
