"""Players, matches and rounds; of a match the reports of its result, and what counts.

Reports that agree are one report. Reports that differ are never merged: the match has no result
until somebody rules. A ruling stays; a report that comes later and differs from it is shown. What
all players confirmed counts as ruled until one of them disputes it, or the round is locked.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from firmware.hall.tournament.codes import (
    HallRefusal,
    MatchState,
    PublicForm,
    RoundStage,
    UnusualCode,
)
from firmware.hall.tournament.errors import TournamentError, require

MOST_PLAYERS = 4
"""Players of the largest match."""


class MatchEnd(StrEnum):
    """Reasons for the end of a match."""

    SCORE = "score"
    RESIGNED = "resigned"
    TIME = "time"
    FORFEIT = "forfeit"
    """Some of the players did not play."""


@dataclass(frozen=True, slots=True)
class MatchOutcome:
    """The result of a match.

    Attributes:
        scores: score of each player in the order of play, a higher one is better; none if only
            the places are known.
        places: place of each player from 1; players who are equal share the best of their places.
        end: reason for the end.

    Raises:
        TournamentError: the places are no places.
    """

    scores: tuple[int, ...]
    places: tuple[int, ...]
    end: MatchEnd = MatchEnd.SCORE

    def __post_init__(self) -> None:
        count = len(self.places)
        require(1 < count <= MOST_PLAYERS, f"a match has two to {MOST_PLAYERS} players")
        require(len(self.scores) in (0, count), "each player has a score, or nobody has")
        right = tuple(1 + sum(other < one for other in self.places) for one in self.places)
        require(right == self.places, f"{[*self.places]} are no places: equal players share one")

    @staticmethod
    def by_scores(scores: Sequence[int], end: MatchEnd = MatchEnd.SCORE) -> "MatchOutcome":
        """The result that follows from scores, of which the highest wins."""
        return MatchOutcome.by_ranks(scores, [-one for one in scores], end)

    @staticmethod
    def by_ranks(
        scores: Sequence[int], ranks: Sequence[int], end: MatchEnd = MatchEnd.SCORE
    ) -> "MatchOutcome":
        """The result in which a lower rank is better, whatever the scores are.

        Ranks need not be places: the two of a team may both have rank 2 behind the two of the
        other team, which makes them third.
        """
        places = tuple(1 + sum(other < one for other in ranks) for one in ranks)
        return MatchOutcome(tuple(scores), places, end)


@dataclass(frozen=True, slots=True)
class OutcomeReport:
    """One result that was reported, once or several times.

    Attributes:
        key: names it within its match: "1" for the first.
        outcome: the result.
        game: name of the game in the table's archive; empty if it was typed.
        table: number of the table that reported it; 0 if it was typed.
        confirmed_by: ids of the players who confirmed it.
        disputed_by: ids of the players who dispute it.
        reason: reason of the newest dispute.
    """

    key: str
    outcome: MatchOutcome
    game: str = ""
    table: int = 0
    confirmed_by: tuple[str, ...] = ()
    disputed_by: tuple[str, ...] = ()
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Ruling:
    """A result that an organiser ruled or all players confirmed.

    Attributes:
        outcome: the result that counts.
        absent: ids of the players who forfeited.
        reason: reason of a correction or forfeit; empty without one.
        is_correction: True if another result counted, or was reported, before.
        known: number of reports at that time; a later one that differs is shown.
        is_agreed: True if all players confirmed it and no organiser ruled; a dispute undoes it.
    """

    outcome: MatchOutcome
    absent: tuple[str, ...] = ()
    reason: str = ""
    is_correction: bool = False
    known: int = 0
    is_agreed: bool = False


@dataclass(frozen=True, slots=True)
class DrawnMatch:
    """A match of a round, or the bye of one player.

    Attributes:
        id: id, for example "2-07"; that of a bye is "2-bye-P5".
        players: ids of the players in the order of play; one for a bye.
        table: number of its table; 0 for a bye, and while it has none.
        reports: the different reports, the first one first.
        ruling: the ruling; None without one.
    """

    id: str
    players: tuple[str, ...]
    table: int = 0
    reports: tuple[OutcomeReport, ...] = ()
    ruling: Ruling | None = None

    @property
    def is_bye(self) -> bool:
        """True if its player has no opponent."""
        return len(self.players) == 1

    @property
    def state(self) -> MatchState:
        """Its state."""
        if self.is_bye:
            return MatchState.BYE
        if self.ruling is not None:
            return MatchState.DONE
        if not self.reports:
            return MatchState.OPEN
        if len(self.reports) > 1:
            return MatchState.CONFLICTING
        return MatchState.DISPUTED if self.reports[0].disputed_by else MatchState.REPORTED

    @property
    def outcome(self) -> MatchOutcome | None:
        """The result that counts; None for a bye and while there is none."""
        if self.ruling is not None:
            return self.ruling.outcome
        return self.reports[0].outcome if self.state is MatchState.REPORTED else None

    @property
    def is_contradicted(self) -> bool:
        """True if a report came after the ruling and differs from it."""
        ruling = self.ruling
        return ruling is not None and any(
            report.outcome != ruling.outcome for report in self.reports[ruling.known :]
        )

    @property
    def has_result(self) -> bool:
        """True for a bye, and once a result counts."""
        return self.is_bye or self.outcome is not None

    def report(self, key: str) -> OutcomeReport | None:
        """The report of a key; None if there is none."""
        return next((one for one in self.reports if one.key == key), None)

    def with_report(self, report: OutcomeReport) -> "DrawnMatch":
        """The match with a report in place of the one of its key."""
        reports = tuple(report if one.key == report.key else one for one in self.reports)
        return replace(self, reports=reports)


@dataclass(frozen=True, slots=True)
class Entrant:
    """A player of a tournament.

    Attributes:
        id: id of the player.
        form: form of the public name that was chosen.
        is_minor: True for a minor.
        from_round: first round that the player is drawn in; above 1 for a late entry.
        withdrawn_from: first round that the player is not drawn in; None if there is none.
    """

    id: str
    form: PublicForm = PublicForm.SHORT
    is_minor: bool = False
    from_round: int = 1
    withdrawn_from: int | None = None

    @property
    def public_form(self) -> PublicForm:
        """The form in which the name is public; short at most for minors."""
        return PublicForm.SHORT if self.is_minor and self.form is PublicForm.FULL else self.form

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
    def played(self) -> tuple[DrawnMatch, ...]:
        """The matches that are no byes."""
        return tuple(match for match in self.matches if not match.is_bye)

    @property
    def byes(self) -> tuple[str, ...]:
        """Ids of the players who have a bye."""
        return tuple(match.players[0] for match in self.matches if match.is_bye)

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
            raise TournamentError(
                f"{player!r:.60} is not in round {self.number}", HallRefusal.NO_SUCH
            )
        return match


@dataclass(frozen=True, slots=True)
class RoundWarning:
    """One thing in a round of which an organiser is warned.

    Attributes:
        code: what it is about.
        players: ids of the players whom it concerns.
    """

    code: UnusualCode
    players: tuple[str, ...] = ()


def bye(round_number: int, player: str) -> DrawnMatch:
    """The bye of a player in a round."""
    return DrawnMatch(f"{round_number}-bye-{player}", (player,))


def match_id(round_number: int, table: int) -> str:
    """The id of the match that is drawn at a table: "2-07"."""
    return f"{round_number}-{table:02}"
