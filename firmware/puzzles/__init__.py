"""The one-player puzzles: checks of their boards. Their data are rows of `rules.variants`.

checker  every fault of a finished or begun board
"""
