"""A player's part in a tournament, and a round of it."""

from dataclasses import dataclass

from firmware.hall.tournament.codes import PublicForm, RoundStage
from firmware.hall.tournament.errors import TournamentError
from firmware.hall.tournament.matches import DrawnMatch


@dataclass(frozen=True, slots=True)
class Entrant:
    """A player of a tournament.

    Attributes:
        id: id of the player.
        form: form of the public name; None if nobody chose one.
        is_minor: True for a minor.
        from_round: first round that the player is drawn in; above 1 for a late entry.
        withdrawn_from: first round that the player is not drawn in; None if there is none.
        byes: rounds for which the player asked to have a bye.
    """

    id: str
    form: PublicForm | None = None
    is_minor: bool = False
    from_round: int = 1
    withdrawn_from: int | None = None
    byes: tuple[int, ...] = ()

    def plays_in(self, number: int) -> bool:
        """True if the player takes part in a round that is not published, be it with a bye."""
        left = self.withdrawn_from is not None and self.withdrawn_from <= number
        return self.from_round <= number and not left


@dataclass(frozen=True, slots=True)
class DrawnRound:
    """A round.

    Attributes:
        number: its number, from 1.
        matches: its matches as drawn, byes last.
        stage: its stage.
    """

    number: int
    matches: tuple[DrawnMatch, ...]
    stage: RoundStage = RoundStage.DRAWN

    @property
    def players(self) -> frozenset[str]:
        """Ids of all players of the round, byes included."""
        return frozenset(player for match in self.matches for player in match.players)

    def match_with(self, player: str) -> DrawnMatch:
        """The match of a player.

        Raises:
            TournamentError: the player is not in the round.
        """
        found = (match for match in self.matches if player in match.players)
        match = next(found, None)
        if match is None:
            raise TournamentError(f"{player!r:.60} is not in round {self.number}")
        return match
