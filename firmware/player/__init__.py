"""The table's side of the player: its process, and reasons for a move.

player_connection  a player that systemd starts, with rights of its own
search_process     starts a process of `firmware.search` and exchanges messages with it
levels             names of the twelve levels
client             the player's process
engine_queue       requests of hints, opponent and review to one process, the most urgent first
review_search      a search of a review as a request, and its answer as a result
best_move          the move that it recommends, checked against the rules
"""
