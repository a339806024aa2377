"""The player: hints, an opponent, reviews, and solutions of puzzles. The table can do without it.

player_connection  a player that systemd starts, with rights of its own
search_process     starts a process of `firmware.player.search` and exchanges messages with it
client             the player's process
solver_client      the process as a solver of puzzles
engine_queue       requests of hints, opponent and review to one process, the most urgent first
best_move          the move that it recommends, checked against the rules
coach              the review of a game
search             the player's own process
"""
