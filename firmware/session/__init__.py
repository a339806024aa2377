"""A session at a table: the loop, and the services that take part in it.

service           the interface by which everything optional takes part
frame_reading     time of a game, taken from its frames, and a frame that is being read
pairing           phones that may send an arbiter's commands: numbers and tokens
seats             seats of a table: who plays which colours, and phones that take and leave them
play_desk         answers to players of a simulated table: gestures, the computer's seats
machine_services  the table's computer: heat and voltage, its power switch
background_job    one piece of work at a time, in a thread
setup_inspector   check of the set-up in a thread of its own
lens_measurement  measurement of the lens while the board is moved about
light_probing     search for the layout of the LEDs
light_testing     pictures on the LEDs, which a person judges on the page
tracker           reader and referee together: takes frames, returns events
devices           devices of a game, which may fail, and the interface that opens them
camera_reader     reader of a live camera, with its kept corners, compared, and lens
recorded_reader   reader of a recorded session, with the corners and the lens of then
command_gate      check of commands against pairing and state of the game
cleared_board     a board that was cleared: for the next game, and under an unfinished one
game_session      one game: referee, the arbiter's commands, the clock
games_by_board    the size of the board in view, and the games that it decides
recording         recording of a session, and repetition of a recorded one
game_storage      the game on the table: events in the journal, files and pictures in the archive
console_screen    the text console of the computer: address of the page, number for a first phone
table_setup       the set-up of a table: board, checks, lens, layout of the LEDs
feed_server       server of the newest page, picture and paired phones, on a socket
outputs           lights, page and pictures of a table
table_parts       the parts that every table has
controller        the loop: takes one frame and does everything that follows
"""
