"""The player: hints, an opponent, reviews, and solutions of puzzles. The table can do without it.

search_process     starts a process of `firmware.player.search` and exchanges messages with it
readiness          progress of the start of a service of the player's process
search_result      the result of a search
client             the player's process
solver_client      the process as a solver of puzzles
engine_queue       requests of hints, opponent and review to one process, the most urgent first
measured_level     level of the player that this machine reaches
puzzle_results     the best time of a puzzle, from the folder of games
solvability        answers of the solver about a puzzle, without waiting for it
hint_service       hints from the computer player, without waiting for it
computer_service   moves of the computer's seats, without waiting for the computer player
puzzle_service     time, best result and hints of a puzzle
review_search      the searches that a review needs, and the loss of a move
review             the chances, losses, turning point and pieces left over of a game
stored_review      the review of a stored game: a file in its folder
plain_records      games of records without events, such as those of other programs
review_service     reviews of finished games, computed in the background
table_services     services of a table that need the player
benchmarks         speed of the player on this machine
search             the player's own process
verbs              the verbs of the player
"""
