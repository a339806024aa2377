"""The one-player puzzles, whose data are rows of `rules.variants`.

checker  every fault of a finished or begun board
solver   the process that finishes a begun board, or proves that nobody can
"""
