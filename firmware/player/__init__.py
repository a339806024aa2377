"""The table's side of the player: its process, and reasons for a move.

player_connection  a player that systemd starts, with rights of its own
client             starts the player's process and exchanges messages with it
best_move          the move that it recommends, checked against the rules
opponent           the player at a low level, or a simple one while it is prepared
move_features      reasons for a move, as codes and squares
"""
