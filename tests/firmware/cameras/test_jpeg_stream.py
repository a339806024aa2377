"""JPEGs in bytes: pieces of any size, cuts, damage, and data that are made to take long."""

import time

import pytest

from firmware.cameras.jpeg_stream import jpegs_in
from tests.support.http_camera import numbered_jpeg

JPEGS = [numbered_jpeg(number) for number in range(4)]
BETWEEN = b"\r\n--frame\r\nContent-Type: image/jpeg\r\n\r\n"
BEGIN = b"\xff\xd8\xff"


def found(data: bytes, size: int = 1 << 16) -> list[bytes]:
    pieces = (data[at : at + size] for at in range(0, len(data), size))
    return list(jpegs_in(pieces, adjoining=False))


@pytest.mark.parametrize("size", [1, 2, 3, 7, 1000, 1 << 20])
def test_pieces_may_have_any_size(size: int) -> None:
    data = BETWEEN.join([b"", JPEGS[0], JPEGS[1][:-100], JPEGS[2] + bytes(9), b"", JPEGS[3]])
    assert found(data, size) == [JPEGS[0], JPEGS[2], JPEGS[3]]


@pytest.mark.parametrize("cut", range(1, len(JPEGS[0]), 13))
def test_after_a_cut_picture_later_ones_are_found(cut: int) -> None:
    data = BETWEEN.join([b"", JPEGS[0][:cut], JPEGS[1], JPEGS[2], JPEGS[3]])
    assert JPEGS[3] in found(data)
    assert set(found(data)) <= set(JPEGS), "none is made of two"


def test_a_counter_right_behind_the_end_tells_equal_pictures_apart() -> None:
    data = BETWEEN.join([b"", JPEGS[0] + b"1", JPEGS[0] + b"2", JPEGS[0]])
    assert found(data) == [JPEGS[0] + b"1", JPEGS[0] + b"2", JPEGS[0]]


def test_bytes_of_255_may_stand_before_a_mark() -> None:
    at = JPEGS[0].index(b"\xff\xdb")
    filled = JPEGS[0][:at] + b"\xff" * 9 + JPEGS[0][at:]
    assert found(filled) == [filled]


@pytest.mark.parametrize(
    "hostile",
    [
        pytest.param(b"--frame\r\n", id="boundaries"),
        pytest.param(BEGIN, id="begins"),
        pytest.param(BEGIN + b"\xe0\x00\x02", id="begins with an empty segment"),
        pytest.param(b"\xff\xe0\x00\x08\xff\xd8\xff\xe0\x00\x02", id="begins in segments"),
        pytest.param(BEGIN + b"\xe1\xff\xff", id="begins in the longest segments"),
        pytest.param(b"\xff", id="filling"),
        pytest.param(BEGIN + b"\xda\x00\x02", id="begins of data"),
        pytest.param(b"\xff\xd9", id="ends"),
        pytest.param(b"\xff\xd8\xff\xd9", id="begins and ends"),
        pytest.param(b"\r\n\0 ", id="nothing"),
    ],
)
@pytest.mark.parametrize("begin", [b"", BEGIN, BEGIN + b"\xda"])
def test_no_data_take_long(begin: bytes, hostile: bytes) -> None:
    data = begin + hostile * (4_000_000 // len(hostile))
    begun_s = time.process_time()
    found(data)
    assert time.process_time() - begun_s < 1.0, "of 4 MB"
