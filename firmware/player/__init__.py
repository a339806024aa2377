"""The table's side of the player: its process, and what speaks for a move.

client         starts the player's process and talks to it
move_features  reasons for a move, as codes and squares
"""
