"""The invitation of phones: a code that a scanner reads, until a piece was laid."""

import re
from dataclasses import replace

import cv2
import numpy as np

from firmware.codes import EndReason
from tests.support import example_pages
from web.contract import GameResult, Page, RefereeState, RefereeStatus
from web.presentation.invitation import invitation_of

ADDRESSES = ("http://192.168.178.105:8000/", "http://[fd00::2]:8000/")


def fresh() -> Page:
    return example_pages.page_of(example_pages.played("duo", 0))


def scanned(svg: str) -> str:
    """Reads a code from the path of its SVG: rows of strokes, one unit wide."""
    size = re.search(r'viewBox="0 0 (\d+) ', svg)
    path = re.search(r'stroke="#000" d="([^"]+)"', svg)
    assert size
    assert path
    picture = np.full((int(size[1]), int(size[1])), 255, np.uint8)
    x = y = 0.0
    for kind, numbers in re.findall(r"([Mmh])([-\d. ]+)", path[1]):
        values = [float(one) for one in numbers.split()]
        if kind == "h":
            picture[int(y), int(x) : int(x + values[0])] = 0
            x += values[0]
        else:
            x, y = values if kind == "M" else (x + values[0], y + values[1])
    text, *_ = cv2.QRCodeDetector().detectAndDecode(np.kron(picture, np.ones((8, 8), np.uint8)))
    return text


def test_a_scanner_reads_the_first_address_and_no_number() -> None:
    invitation = invitation_of(fresh(), ADDRESSES)
    assert invitation
    assert invitation.address == "192.168.178.105:8000"
    assert invitation.others == ("[fd00::2]:8000",)
    assert scanned(invitation.code) == ADDRESSES[0]


def test_nobody_is_invited_once_a_piece_was_laid_also_after_it_was_taken_back() -> None:
    assert invitation_of(example_pages.page_of(example_pages.played("duo", 1)), ADDRESSES) is None
    assert invitation_of(replace(fresh(), begun=True), ADDRESSES) is None


def test_nobody_is_invited_to_a_game_that_ended_without_a_piece() -> None:
    over = RefereeStatus(RefereeState.GAME_OVER)
    ended = replace(fresh(), state=over, result=GameResult(how=EndReason.ABANDONED))
    assert invitation_of(ended, ADDRESSES) is None


def test_nobody_is_invited_without_a_game_or_without_an_address() -> None:
    assert invitation_of(None, ADDRESSES) is None
    assert invitation_of(fresh(), ()) is None
