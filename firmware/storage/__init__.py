"""Storage: the journal, finished games as files, recorded sessions.

atomic_file       files that are replaced as a whole
wall_clock        the time of day, for names and dates
run_folder        a folder for one run of the program
board_crop        the board before and after a decision, and nothing beside it
journal_rows      the rows of the journal and their seals
journal_copy      the second copy of the journal, as lines of text
journal_db        the SQLite file of the journal
journal_files     both files of the journal: opened, compared, written
journal           every event of a game, on disk before anybody is shown it
game_files        a finished game as the contents of its files
archive           finished games as ordinary files in a folder
session_recorder  any session as a folder that `watch` reads
"""
