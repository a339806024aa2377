"""The verbs of the player, found by `firmware.commands.main`, and their parts.

gtp           runs the computer player as a GTP engine
hint          finds the best moves in the last position of a record, or reviews it
hint_review   the review of a recorded game, as text and as JSON
solve         finishes a one-player puzzle, from empty or as begun
"""
