"""Moving pictures of games: their frames, their size, and how they are made."""

import threading
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from io import BytesIO

import pytest
from PIL import Image, ImageChops

from tests.support import example_pages
from tests.support.waiting import eventually
from web.contract import BoardPiece, Mark, MoveEntry, Page
from web.i18n.wording import Wording
from web.presentation.moving_image import (
    END_MS,
    MOST_FRAMES,
    MOVE_MS,
    SCALE,
    MovingImagePainter,
    animate,
)
from web.presentation.share_image import draw

DAY = "2026-11-23"


def pages_of(game: str, plies: int = 999) -> list[Page]:
    """Returns a page of each position of a game, from the empty board on."""
    last = example_pages.page_of(example_pages.played(game, plies))
    return [example_pages.page_of(example_pages.played(game, ply)) for ply in range(last.ply + 1)]


def frames_of(
    pages: Sequence[Page], wording: Wording | None = None
) -> list[tuple[Image.Image, int]]:
    """Returns the frames of the moving picture and how long each is shown, in milliseconds."""
    webp = animate(pages, wording or Wording(), DAY)
    image = Image.open(BytesIO(webp))
    assert (image.format, image.info["loop"]) == ("WEBP", 0), "it is repeated for ever"
    frames = []
    for number in range(getattr(image, "n_frames", 1)):
        image.seek(number)
        frames.append((image.convert("RGB"), int(image.info["duration"])))
    return frames


def same(one: Image.Image, page: Page) -> bool:
    """True if a frame is the still picture of a page."""
    still = draw(page, Wording(), DAY).reduce(SCALE)
    return one.size == still.size and ImageChops.difference(one, still).getbbox() is None


@pytest.mark.parametrize(
    "pages",
    [pages_of("duo"), [example_pages.puzzle("puzzle-tetrominoes", ply) for ply in range(9)]],
    ids=["game", "puzzle"],
)
def test_each_position_is_the_still_picture(pages: list[Page]) -> None:
    frames = frames_of(pages)
    assert [shown for _, shown in frames] == [MOVE_MS] * (len(pages) - 1) + [END_MS]
    for (frame, _), page in zip(frames, pages, strict=True):
        assert same(frame, page)


def test_a_refusal_a_pass_and_the_end_make_no_frame_of_their_own() -> None:
    game = example_pages.played("duo", 2)
    two, refused = example_pages.page_of(game), example_pages.refused(game)
    assert any(piece.mark is Mark.REFUSED for piece in refused.pieces)
    passed = replace(two, moves=(*two.moves, MoveEntry(2, 0)))
    over = replace(example_pages.duo_over(), pieces=two.pieces)
    frames = frames_of([*pages_of("duo", 2), refused, passed, over])
    assert [shown for _, shown in frames] == [MOVE_MS, MOVE_MS, END_MS]
    assert same(frames[-1][0], over)


def test_a_position_that_was_taken_back_is_shown_again() -> None:
    empty, one, two = pages_of("duo", 2)
    frames = frames_of([empty, one, two, one])
    assert len(frames) == 4
    assert same(frames[-1][0], one)


def test_of_one_position_there_is_one_frame() -> None:
    pages = [example_pages.duo_over()]
    ((frame, _),) = frames_of(pages)
    assert same(frame, pages[0])


def test_the_longest_game_takes_less_than_a_megabyte() -> None:
    pages = pages_of("classic")
    last = pages[-1]
    squares = last.pieces[-1].squares
    for more in range(1, 85 - last.ply):  # all 84 pieces, the last of them over others
        moved = tuple(((row + more) % 20, (column + more) % 20) for row, column in squares)
        laid = BoardPiece(more % 4, moved)
        pages.append(replace(last, pieces=(*pages[-1].pieces, laid)))
    assert len(pages) == 85
    assert len(animate(pages, Wording(), DAY)) < 500_000


def test_of_a_game_with_many_moves_taken_back_the_end_is_shown() -> None:
    one, two = pages_of("duo", 1)
    frames = frames_of([one, two] * 120)
    assert len(frames) == MOST_FRAMES < 240
    assert same(frames[-1][0], two)


class SlowPainter(MovingImagePainter):
    """A painter of pictures that have their name as bytes, and end when they may.

    Attributes:
        begun: names of those that were begun.
        may_end: set when they may end.
    """

    def __init__(self) -> None:
        super().__init__()
        self.begun: list[str] = []
        self.may_end = threading.Event()

    def asked(self, name: str, sender: str = "") -> bytes | None:
        """Returns the picture of this name, if it is made."""

        def make() -> bytes:
            self.begun.append(name)
            assert self.may_end.wait(10)
            return name.encode()

        return self.made((example_pages.empty(), "en", name), sender or name, make)


def test_one_is_made_at_a_time_and_nobody_waits() -> None:
    painter = SlowPainter()
    assert [painter.asked(name) for name in ("one", "one", "two")] == [None] * 3
    assert painter.begun == ["one"]
    painter.may_end.set()
    eventually(lambda: painter.asked("one") == b"one")
    eventually(lambda: painter.asked("two") == b"two")
    assert painter.asked("one") == b"one"
    assert painter.begun == ["one", "two"], "each is made once"


def test_who_asks_for_many_gets_them_slowly_and_holds_nobody_up() -> None:
    painter = SlowPainter()
    painter.may_end.set()
    for name in ("one", "two", "three"):
        eventually(partial(painter.asked, name, "greedy"))
    assert [painter.asked("four", "greedy") for _ in range(20)] == [None] * 20
    assert "four" not in painter.begun
    eventually(lambda: painter.asked("five", "other") == b"five")


def test_after_a_failure_it_is_made_again(monkeypatch: pytest.MonkeyPatch) -> None:
    painter, told = SlowPainter(), list[object]()
    monkeypatch.setattr(threading, "excepthook", told.append)

    def fail() -> bytes:
        raise MemoryError

    assert painter.made((example_pages.empty(), "en", "one"), "somebody", fail) is None
    painter.may_end.set()
    eventually(lambda: painter.asked("one") == b"one")
    eventually(lambda: len(told) == 1)
