"""The error of an event, or a request, that the state of a tournament does not allow."""


class TournamentError(ValueError):
    """Something that cannot be done in a tournament; one sentence that names cause and remedy."""


def require(holds: object, sentence: str) -> None:
    """Checks a rule of a tournament.

    Raises:
        TournamentError: the rule does not hold.
    """
    if not holds:
        raise TournamentError(sentence)
