"""The error of an event, or a request, that the state of a tournament does not allow."""

from typing import Final

from firmware.hall.tournament.codes import HallRefusal


class TournamentError(ValueError):
    """Something that cannot be done in a tournament; one sentence that names cause and remedy.

    Args:
        sentence: the sentence.
        refusal: the reason as pages tell it.
        detail: what the reason is about, a name or number; empty for nothing.
    """

    def __init__(
        self, sentence: str, refusal: HallRefusal = HallRefusal.NOT_POSSIBLE, detail: str = ""
    ) -> None:
        super().__init__(sentence)
        self.refusal: Final = refusal
        self.detail: Final = detail


def require(
    holds: object,
    sentence: str,
    refusal: HallRefusal = HallRefusal.NOT_POSSIBLE,
    detail: str = "",
) -> None:
    """Checks a rule of a tournament.

    Raises:
        TournamentError: the rule does not hold.
    """
    if not holds:
        raise TournamentError(sentence, refusal, detail)
