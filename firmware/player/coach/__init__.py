"""The coach: what people can learn from a game that is over, by rules and searches.

The modules, each knowing only those above it:

    search_task    the searches that a review needs, as requests to the player, and their results
    estimate       the value of a position, and the loss of a move
    review         the review: chances, losses, moments, turning point, pieces left over
    stored_review  the review of a stored game: a file in its folder, which the page shows
"""
