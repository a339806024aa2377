"""Words that tournament and page of a hall have in common. It imports nothing."""

from enum import StrEnum


class PublicForm(StrEnum):
    """Forms of a player's public name; see `firmware.hall.names`."""

    FULL = "full"
    SHORT = "short"
    """First name and initial, as in "Anna K."."""

    ID = "id"


class TieBreak(StrEnum):
    """Comparisons of players with equal points; see `firmware.hall.tournament.standings`."""

    DIRECT = "direct"
    """Points of the matches among each other, if all of them met."""

    BUCHHOLZ = "buchholz"
    """Points of the opponents."""

    WINS = "wins"
    """Number of matches won."""

    MARGIN = "margin"
    """Sum of the differences to the opponents' scores."""


class RoundStage(StrEnum):
    """Stages of a round."""

    DRAWN = "drawn"
    """Organisers alone see it; it may be drawn again."""

    PUBLISHED = "published"
    """Tables and spectators have it; results come in."""

    LOCKED = "locked"
    """It is over; a correction needs a reason."""


class MatchState(StrEnum):
    """States of a match; the organiser has something to do in the last three of them."""

    BYE = "bye"
    OPEN = "open"
    """Nothing is reported."""

    PLAYING = "playing"
    """A table plays it now; pages alone know that."""

    DONE = "done"
    """Confirmed by all its players, or ruled."""

    REPORTED = "reported"
    """The result counts, and waits for confirmation."""

    DISPUTED = "disputed"
    """A player disputes the only report; it does not count."""

    CONFLICTING = "conflicting"
    """Reports differ; none of them counts until an organiser decides."""


class UnusualCode(StrEnum):
    """Things in a round of which an organiser is warned."""

    REMATCH = "rematch"
    """The players have met before."""

    BALANCE = "balance"
    """A player is first, or second, more than two times oftener."""

    SECOND_BYE = "second-bye"
    MISSING_TABLE = "missing-table"
    """A match has no table."""


class HallRefusal(StrEnum):
    """Reasons for which a command of an organiser is refused."""

    NOT_PAIRED = "not-paired"
    STALE = "stale"
    """Somebody else has changed the round, or the choices, since the sender saw them."""
    NO_TOURNAMENT = "no-tournament"
    NO_SUCH = "no-such"
    """There is no such player, round, match, report or table."""
    TOO_FEW = "too-few"
    """A round needs two players at least."""
    TOO_MANY = "too-many"
    """There are as many players or tables as are possible."""
    SAME_NAME = "same-name"
    """A player of that name is entered already."""
    ROUND_OPEN = "round-open"
    """The round before is not locked."""
    NOT_DRAWN = "not-drawn"
    """The round is not in the state that the command is for."""
    PUBLISHED = "published"
    """The round is published or locked already."""
    RESULTS_MISSING = "results-missing"
    """Matches of the round have no result yet."""
    REASON_MISSING = "reason-missing"
    """A correction needs a reason."""
    IN_ROUND = "in-round"
    """The player was in a round; withdraw instead."""
    BEGUN = "begun"
    """The rounds have begun; the game stays."""
    NO_CLOCK = "no-clock"
    NOT_SAVED = "not-saved"
    """The disk refused the event, so nothing was changed."""
    NOT_POSSIBLE = "not-possible"
