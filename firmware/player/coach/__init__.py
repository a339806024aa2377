"""The coach: what people can learn from a game that is over, by rules and searches.

The modules, each knowing only those above it:

    piece_life      the last place of each piece that is left over, and the number of places
    search_task     the searches that a review needs, and their results
    search_request  a search as a request to the player, and its answer as a result
    estimate        the value of a position, and the loss of a move
    review          the review: chances, losses, moments, turning point
    stored_review   the review as it is stored and shown
    review_file     the review of a finished game in its folder
"""
