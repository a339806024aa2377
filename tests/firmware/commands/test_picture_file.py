"""Pictures in files that a person named."""

from pathlib import Path

import numpy as np
import pytest

from firmware.commands.picture_file import read_upright, write_picture
from firmware.errors import UnreadableError

IMAGE = np.full((40, 60, 3), 90, np.uint8)


def test_a_picture_is_written_under_a_name_that_is_no_text(tmp_path: Path) -> None:
    # OpenCV itself ends the whole process for such a name.
    path = tmp_path / "\udcff\udcfe.png"
    write_picture(path, IMAGE)
    assert (read_upright(path)[0].image == IMAGE).all()


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("none/seen.png", "cannot write .*seen.png: No such file or directory"),
        ("seen.txt", "cannot write .*seen.txt; name a .png or .jpg file"),
    ],
)
def test_what_cannot_be_written_is_named(tmp_path: Path, name: str, message: str) -> None:
    with pytest.raises(UnreadableError, match=message):
        write_picture(tmp_path / name, IMAGE)
