"""Damaged files in the folder of a table: kept games, set-up, phones, invitation, journal.

No verb reads these alone, so each case runs this module, which reads all of them as table and page
do: `main` prints nothing, and raises what they would raise.
"""

import json
import logging
import random
from collections.abc import Sequence
from contextlib import closing, suppress
from pathlib import Path

from firmware.errors import CornerlightError
from firmware.hall.link.link_file import LinkFile
from firmware.hall.link.share_token import read_share_token
from firmware.hall.roster import Roster
from firmware.hall.show_settings import ShowStore
from firmware.player.measured_level import MeasuredLevel
from firmware.player.plain_records import show_records
from firmware.player.puzzle_results import best_seconds
from firmware.player.stored_review import open_review
from firmware.rules.errors import RulesError
from firmware.rules.variants import VARIANTS
from firmware.session.pairing import Pairing
from firmware.storage.archive import ArchiveFolder
from firmware.storage.camera_memory import CameraMemory
from firmware.storage.journal import Journal
from tests.conftest import ROOT
from tests.evaluation.file_fuzz.case import ANY, FuzzCase, damaged
from tests.evaluation.file_fuzz.places import PLACES
from tests.evaluation.file_fuzz.texts import JSON_TOKENS, RECORDS, SGF_TOKENS, token
from web.contract.game_folder import game_folders
from web.game_archive import GameArchive

STORED = sorted((ROOT / "tests" / "stored_games").iterdir())
GAME = "games/000017-2026-11-21-duo"
NAMES = ("events.jsonl", "pages.jsonl", "record.blksgf", "review.json", "evidence/0001-after.jpg")
HEADS = (
    b"", b"[" * 90_000, b"{\"v\":" * 20_000, b"9" * 5000, b"1e999", b"NaN", b"null", b"\xff\xfe{\0",
    b"x" * 30_000_000, b"\n" * 9_000_000, b"{}\n" * 300_000, b'{"v":1}', b"\0" * 100_000,
)  # fmt: skip
"""Contents that are no good file of any kind."""

ODD_NAMES = ("\udcff", "9" * 80 + "-x", "..x", "new\nline", "x.blksgf", "000018-")

STATE = {
    "setup.json": {"version": 3, "cameras": []},
    "paired.json": {"phones": ["a" * 64], "offered": {"salt": "a", "hash": "b" * 64, "until": 1.0}},
    "hall.json": {"invitation": "cornerlight://127.0.0.1:8883/spring-open/07?ca=aa&secret=12345678"},
    "hall-left.json": {"hall": "x", "results": {"results": []}},
    "share.token": "a" * 43,
    "level.json": {"level": 5},
    "hall/show.json": {"delay_s": 60},
    "hall/roster.json": {"v": 1, "hall": "abcdefgh", "secret": "12345678", "port": 0, "tables": []},
    "journal.jsonl": {}, "journal.jsonl-copy": {}, "journal.count": {}, "journal.sqlite": {},
}  # fmt: skip
"""Files of a table and of a hall besides games, with a likely content."""


def games(chance: random.Random) -> FuzzCase:
    """Returns a damaged kept game, an odd place in one, or a link that leads elsewhere."""
    stored = chance.choice(STORED)
    files = {f"table/{GAME}/{path.name}": path.read_bytes() for path in stored.iterdir()}
    files |= {f"table/{GAME}/{name}": b"{}" for name in NAMES[3:]}
    files["table/games/other.blksgf"] = chance.choice(RECORDS)
    files |= {f"outside/{name}": b"stays" for name in ("secret", "evidence/0001-after.jpg")}
    files["outside/record.blksgf"] = chance.choice(RECORDS)
    name = f"table/{GAME}/{chance.choice(NAMES)}"
    places = {}
    match chance.randrange(6):
        case 0:
            places[name] = chance.choice([*PLACES])
        case 1:
            files[name] = chance.choice(HEADS)
        case 2:
            odd = chance.choice(ODD_NAMES)
            files[f"table/games/{odd}/record.blksgf"] = chance.choice(RECORDS)
            files[f"table/games/{odd}.blksgf"] = chance.choice(RECORDS)
        case 3:
            link = chance.choice(("table/games/000016-duo", "table/games/x.blksgf"))
            files[link] = b""
            places[link] = chance.choice(("outside folder", "outside record"))
        case _:
            tokens = SGF_TOKENS if name.endswith("sgf") else JSON_TOKENS
            files[name] = damaged(files[name], (*ANY, *[token(tokens)] * 4), chance)
    return FuzzCase(("-m", __name__, "@table"), files, places)


def state(chance: random.Random) -> FuzzCase:
    """Returns the folder of a table with a damaged file, or an odd place."""
    files = {f"table/{name}": json.dumps(content).encode() for name, content in STATE.items()}
    name = chance.choice([*files])
    places = {}
    match chance.randrange(4):
        case 0 if not name.startswith("table/journal"):
            places[name] = chance.choice([*PLACES])
        case 1:
            files[name] = chance.choice(HEADS)
        case _:
            files[name] = damaged(files[name], (*ANY, *[token(JSON_TOKENS)] * 4), chance)
    return FuzzCase(("-m", __name__, "@table"), files | {"outside/secret": b"secret"}, places)


class _Raising(logging.Handler):
    """Keeps what a thread has logged as a fault of the program."""

    def __init__(self) -> None:
        super().__init__()
        self.faults: list[BaseException] = []

    def emit(self, record: logging.LogRecord) -> None:
        if record.exc_info and record.exc_info[1]:
            self.faults.append(record.exc_info[1])


def main(words: Sequence[str]) -> None:
    """Reads the folder of a table as table, page and hall do."""
    handler = _Raising()
    logging.basicConfig(handlers=[handler])
    _look_at(Path(words[0]))
    for fault in handler.faults:
        raise fault


def _look_at(folder: Path) -> None:
    games_folder = folder / "games"
    with ArchiveFolder(games_folder, game_bytes=1000, all_bytes=1) as archive:
        archive.newest  # noqa: B018
    show_records(games_folder, set())
    for game in VARIANTS.values():
        if game.puzzle is not None:
            best_seconds(games_folder, game)
    for path in game_folders(games_folder):
        with suppress(OSError, RulesError):
            open_review(path)
    shown = GameArchive(games_folder)
    for name in shown.names():
        shown.game(name), shown.ending(name), shown.review(name), shown.record(name)
        shown.listing(name), shown.evidence(name, "1-after")
    CameraMemory(folder / "setup.json").of("camera", (640, 480))
    Pairing(folder / "paired.json").phones(0.0)
    MeasuredLevel(folder / "level.json")
    read_share_token(folder / "share.token")
    for read in (LinkFile(folder).read, lambda: Roster(folder / "hall")):
        with suppress(CornerlightError):
            read()
    ShowStore(folder / "hall")
    with suppress(CornerlightError), closing(Journal(folder / "journal.jsonl")):
        pass
