"""Past games, read from the table's folder, to which this module never writes.

A game is a folder: `pages.jsonl` with a page for each step, `events.jsonl`, from which the table
rebuilds pages of another version, `record.blksgf`, `review.json` once the table reviews the game,
and pictures of its moves in `evidence`.
Names come from URLs that people type: only plain names are read, and no link that leads out of
the folder.
"""

import json
import re
import threading
from contextlib import suppress
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from web.bounded_map import BoundedMap
from web.contract import ContractError, OtherVersionError, Page, TrayPiece, game_folder
from web.contract.game_folder import EVENTS, EVIDENCE, GAME_NAME, PAGES, RECORD, REVIEW
from web.contract.person_names import clean_name
from web.contract.review import StoredReview

_PICTURE: Final = re.compile(r"([0-9]{1,4})((?:-[a-z]{1,20}-[0-9]{6,9})?-(?:before|after))")
"""Name of a picture as URLs have it: a label as in `web.contract.page`, and `-before` or `-after`.
The present game's page writes a move's number without leading zeros."""

_DAY: Final = re.compile(r"(?<![0-9])[0-9]{4}-[0-9]{2}-[0-9]{2}(?![0-9])")
"""A day, as in 2024-05-31."""

_FIRST_BYTES: Final = 1 << 14
"""Bytes of a file that are searched for the first of its events; it has about 500."""

_LAST_BYTES: Final = 1 << 17
"""Bytes at the end of a file that are searched for its last page; a page has about 10 kB."""

_CACHE_SIZE: Final = 2
"""Games whose pages are cached; one whose file has the greatest length takes 60 MB."""

_MOST_LISTINGS: Final = 3000
"""Games whose listings are cached; one takes 5 kB."""

_MISREAD: Final = OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError
"""Errors of files that are damaged, or hold something else."""


class Unreadable(StrEnum):
    """Reasons for which the pages of a game cannot be shown."""

    OTHER_VERSION = "other-version"
    DAMAGED = "damaged"
    MISSING = "missing"


@dataclass(frozen=True, slots=True)
class PastGame:
    """A game that is over, or that the table is still recording.

    Attributes:
        name: name of its folder.
        pages: one page for each placement, pass and refusal, oldest first; at least one.
        whole: False if pages may be missing because a file is damaged.
    """

    name: str
    pages: tuple[Page, ...]
    whole: bool = True


@dataclass(frozen=True, slots=True)
class GameListing:
    """The facts of a game that searches and the pages of people look at, by colour.

    Attributes:
        title: name of the game, in English.
        players: name of the person who plays each colour; empty if it is unknown, for a colour of
            the computer, and for a shared one.
        left: pieces of each colour in hand.
        winner: colours of the winner, none in a tie; None without a result that counts.
        lost: expected points that each reviewed placement cost, after a colour of its person.
        moments: number of each moment of a complete review, a colour of its person, expected
            points.
        reviewed_s: time of the last change of a complete review, in seconds of `time.time`; 0 if
            there is none.
    """

    title: str
    players: tuple[str, ...]
    left: tuple[tuple[TrayPiece, ...], ...]
    winner: tuple[int, ...] | None
    lost: tuple[tuple[int, float], ...] = ()
    moments: tuple[tuple[int, int, float], ...] = ()
    reviewed_s: float = 0.0


_Stamp = tuple[int, int]
"""State of a file, to detect changes: time of the last change in nanoseconds, and size."""


class GameArchive:
    """The past games in a folder.

    Args:
        folder: the table's folder of games; None if it stores none. It need not exist yet.
    """

    def __init__(self, folder: Path | None) -> None:
        self._folder: Final = folder
        self._lock: Final = threading.Lock()
        self._listings: Final[
            BoundedMap[str, tuple[tuple[_Stamp, _Stamp | None], GameListing | None]]
        ] = BoundedMap(_MOST_LISTINGS)
        self._cache: Final[BoundedMap[str, tuple[_Stamp, PastGame | Unreadable]]] = BoundedMap(
            _CACHE_SIZE
        )

    def names(self) -> list[str]:
        """Returns the names of all games, newest first."""
        folders = () if self._folder is None else game_folder.game_folders(self._folder)
        return [path.name for path in folders if _is_game(path)]

    def day(self, name: str) -> str:
        """Returns the day on which a game began, in ISO 8601-2; empty if it is unknown.

        The table writes it into the name if its clock was set, and else into the events alone:
        then `?` follows, as in 2024-05-31?.
        """
        if found := _DAY.search(name):
            return found[0]
        path = self._inside(name, EVENTS)
        if path is None:
            return ""
        with suppress(*_MISREAD), path.open("rb") as file:
            found = _DAY.match(json.loads(file.readline(_FIRST_BYTES))["begun"])
        return f"{found[0]}?" if found else ""

    def game(self, name: str) -> PastGame | Unreadable | None:
        """Returns a game, or the reason why it cannot be shown; None if there is none."""
        path = self._inside(name, PAGES)
        if path is None:
            return self._without_pages(name)
        stamp = _stamp(path)
        with self._lock:
            cached = self._cache.get(name)
            if cached is None or cached[0] != stamp:
                cached = (stamp, _read(name, path))
            self._cache[name] = cached
        return cached[1]

    def ending(self, name: str) -> PastGame | Unreadable | None:
        """Returns the game with its last page only, which takes a fraction of the time."""
        path = self._inside(name, PAGES)
        return self._without_pages(name) if path is None else _read(name, path, most=1)

    def review(self, name: str) -> StoredReview | None:
        """Returns the review of a game as far as it is computed.

        None if there is none, or none that can be read; the table computes such a one anew.
        """
        try:
            return StoredReview.from_json(self._content(name, REVIEW) or b"")
        except ContractError:
            return None

    def record(self, name: str) -> bytes | None:
        """Returns the record of a game, a file of Blokus SGF."""
        return self._content(name, RECORD)

    def evidence(self, name: str, picture: str) -> bytes | None:
        """Returns the camera's picture of the board before or after a decision, as JPEG.

        Args:
            name: name of the game.
            picture: the label of the decision and `-before` or `-after`, as `Page.evidence` has
                it; a placement's label is its number.
        """
        found = _PICTURE.fullmatch(picture)
        if found is None:
            return None
        return self._content(name, f"{EVIDENCE}/{int(found[1]):04}{found[2]}.jpg")

    def listing(self, name: str) -> GameListing | None:
        """Returns the facts of a game; None if there is no such game, or no page has them."""
        path, review = self._inside(name, PAGES), self._inside(name, REVIEW)
        if path is None:
            return None
        stamps = _stamp(path), None if review is None else _stamp(review)
        with self._lock:
            known = self._listings.get(name)
        if known is None or known[0] != stamps:
            known = stamps, _listing(path, review)
            with self._lock:
                self._listings[name] = known
        return known[1]

    def listings(self) -> list[tuple[str, GameListing]]:
        """Returns the names of all games that have a listing, newest first, and these."""
        found = ((name, self.listing(name)) for name in self.names())
        return [(name, listing) for name, listing in found if listing is not None]

    def _without_pages(self, name: str) -> Unreadable | None:
        others = (EVENTS, RECORD)
        has_files = any(self._inside(name, other) is not None for other in others)
        return Unreadable.MISSING if has_files else None

    def _content(self, name: str, file: str) -> bytes | None:
        """Returns the content of a game's file; None if there is none, or none to read."""
        path = self._inside(name, file)
        try:
            return None if path is None else game_folder.read_game_file(path)
        except OSError:
            return None

    def _inside(self, name: str, file: str) -> Path | None:
        """Returns the path of a game's file, if it is a regular file within the folder."""
        if self._folder is None or not GAME_NAME.fullmatch(name):
            return None
        path = self._folder / name / file
        if not path.is_file() or not path.resolve().is_relative_to(self._folder.resolve()):
            return None
        return path


def _is_game(path: Path) -> bool:
    """True if a folder holds a game; one in progress has pictures and no files."""
    files = (PAGES, EVENTS, RECORD)
    return GAME_NAME.fullmatch(path.name) is not None and any(
        (path / file).is_file() for file in files
    )


def _stamp(path: Path) -> _Stamp:
    status = path.stat()
    return status.st_mtime_ns, status.st_size


def _listing(path: Path, review: Path | None) -> GameListing | None:
    """Reads the facts of a game from the last page that has them, and from its review.

    Only these are read: to check a whole page takes 5 ms, and a search looks at every game.
    """
    for line in reversed(game_folder.last_lines(path, _LAST_BYTES)):
        with suppress(*_MISREAD):  # a line that was cut short, or of a damaged file
            page = json.loads(line)
            sides = [tuple(side["colors"]) for side in page["sides"]]
            owned = {colour for side in sides for colour in side}
            listing = GameListing(
                str(page["title"]),
                tuple(
                    ""
                    if colour["level"] or (sides and at not in owned)
                    else clean_name(str(colour["player"]))
                    for at, colour in enumerate(page["colors"])
                ),
                tuple(
                    tuple(_piece(str(left["name"]), str(left["squares"])) for left in one["left"])
                    for one in page["colors"]
                ),
                _winner(page),
            )
            with suppress(*_MISREAD):
                return listing if review is None else _reviewed(listing, sides, review)
            return listing
    return None


def _winner(page: dict[str, Any]) -> tuple[int, ...] | None:
    result = page["result"]
    is_decided = result is not None and (result["winner"] or result["tied"])
    return tuple(result["winner"]) if is_decided else None


@lru_cache(maxsize=512)
def _piece(name: str, squares: str) -> TrayPiece:
    """Returns a piece in hand, the same object for all games; its squares are as in JSON."""
    return TrayPiece(name, tuple((row, column) for row, column in json.loads(squares)))


def _reviewed(listing: GameListing, sides: list[tuple[int, ...]], review: Path) -> GameListing:
    """Returns a listing with the facts of a review; without them if it is of another version."""
    table = json.loads(game_folder.read_game_file(review))
    if table["version"] != StoredReview.version:
        return listing
    lost: list[tuple[int, float | None]] = []
    for move in table["moves"]:
        side = sides[move["side"]]
        # A shared colour belongs to no side, and its mover to the one that is named.
        lost.append((move["color"] if move["color"] in side else side[0], move["points_lost"]))
    moments = ((number, *lost[moment["at"]]) for number, moment in enumerate(table["moments"], 1))
    return replace(
        listing,
        lost=tuple((colour, points) for colour, points in lost if points is not None),
        moments=tuple((n, colour, points) for n, colour, points in moments if points is not None)
        if table["complete"]
        else (),
        reviewed_s=review.stat().st_mtime if table["complete"] else 0.0,
    )


def _read(name: str, path: Path, most: int | None = None) -> PastGame | Unreadable:
    """Reads a game with its last pages: at most `most` of them, or all."""
    try:
        lines = game_folder.read_game_file(path).splitlines()
    except OSError:
        return Unreadable.DAMAGED
    pages: list[Page] = []
    whole, why = True, Unreadable.DAMAGED
    for line in reversed(lines):
        try:
            pages.append(Page.from_json(line))
        except ContractError as error:
            whole = False
            if isinstance(error, OtherVersionError):
                why = Unreadable.OTHER_VERSION
        if len(pages) == most:
            break
    if not pages:
        return why
    return PastGame(name, tuple(reversed(pages)), whole and all(page.whole for page in pages))
