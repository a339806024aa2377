"""The table's side of the player: its process, and reasons for a move.

client         starts the player's process and exchanges messages with it
move_features  reasons for a move, as codes and squares
"""
