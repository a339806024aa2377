"""The files of a calibration: one line of JSON a game, one file a pair of players."""

import json
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path

from tests.evaluation.levels.games import PlayedGame, fingerprint


@dataclass(frozen=True, slots=True)
class StoredPair:
    """The games of a pair of players in a folder.

    Attributes:
        folder: the folder of a calibration.
        game: key of the game.
        players: the weaker and the stronger player.
    """

    folder: Path
    game: str
    players: tuple[str, str]

    @property
    def path(self) -> Path:
        """The file."""
        return self.folder / f"{self.game}-{self.players[0]}-{self.players[1]}.jsonl"

    @property
    def _of(self) -> list[str]:
        return [fingerprint(one, self.game) for one in self.players]

    def read(self) -> list[PlayedGame]:
        """The games that were played with the parameters and networks of today.

        A line that was cut when the calibration ended does not count, so its game is played again.
        """
        if not self.path.exists():
            return []
        of, games = self._of, {}
        for line in self.path.read_text().splitlines():
            with suppress(ValueError):
                row = json.loads(line)
                if row.pop("of") == of:
                    games[row["number"]] = PlayedGame(**row)
        return [games[number] for number in sorted(games)]

    def add(self, games: list[PlayedGame]) -> None:
        """Appends games."""
        rows = [json.dumps({"of": self._of, **asdict(one)}) for one in games]
        with self.path.open("a") as file:
            file.write("".join(f"{row}\n" for row in rows))


def stored_pairs(folder: Path, game: str) -> list[StoredPair]:
    """All pairs with a file in a folder."""
    names = (path.stem.removeprefix(f"{game}-") for path in folder.glob(f"{game}-*-*.jsonl"))
    pairs = [name.split("-") for name in names]
    found = [StoredPair(folder, game, (one[0], one[1])) for one in pairs if len(one) == 2]
    return sorted(found, key=lambda one: [(len(name), name) for name in one.players])
