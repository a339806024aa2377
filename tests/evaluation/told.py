"""The squares that a table names to the people at it."""

from firmware.referee.referee import Referee


def told_squares(referee: Referee) -> frozenset[int]:
    """Returns the squares of all questions, refused and disturbed pieces, and covered ones."""
    state = referee.state
    places = [one.move.squares for one in state.candidates]
    places += [one.squares for one in state.refused]
    places += [one.squares for one in (*state.unclear, *state.disturbed, *state.displaced)]
    return frozenset(referee.covered).union(*places)
