"""The coach: true statements about moves, and what people can learn from a game that is over. Pure.

reasons      reasons for a move as codes, numbers and squares, and the rule which of them are given
course       the moves of a game with the position before and after each
piece_life   the last place of each piece that is left over, and the number of places
search_task  the searches that a review needs, and their results
estimate     the value of a position, and the loss of a move
review       the review: chances, losses, moments, turning point
"""
