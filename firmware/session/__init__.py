"""A session at a table: the loop, and every service that takes part in it.

frame_clock      the time of a game, taken from its frames
pairing          phones that may speak as arbiter: numbers and tokens
buttons          the players' buttons while a game is played
hint_service     the player's advice: asked for, looked for in each frame
setup_inspector  the check of the set-up in a thread of its own
tracker          reader and referee as one: frames in, events out
devices          the devices a game is played with, and who sets them up
command_gate     the commands that the game as it stands allows
game_archiver    one game's way into the journal and the archive
game_session     one game: what the referee sees, what the arbiter says, the clock
outputs          lights, page and pictures of a table
controller       the loop: one frame in, everything that follows from it out
"""
