from io import BytesIO

import pytest
from PIL import Image

from tests.conftest import ROOT
from web.presentation.doubt_view import jpeg_size

PICTURES = sorted((ROOT / "tests" / "vision" / "data").glob("*.jpg"))


@pytest.mark.parametrize("path", PICTURES, ids=lambda path: path.name)
def test_the_size_is_that_of_the_picture(path: object) -> None:
    data = path.read_bytes()  # type: ignore[attr-defined]
    assert jpeg_size(data) == Image.open(BytesIO(data)).size


@pytest.mark.parametrize("progressive", [False, True])
def test_every_kind_of_jpeg_has_its_size(*, progressive: bool) -> None:
    made = BytesIO()
    Image.new("RGB", (321, 123)).save(made, "JPEG", progressive=progressive, comment=b"x" * 5000)
    assert jpeg_size(made.getvalue()) == (321, 123)


def test_what_is_cut_short_or_no_picture_has_no_size() -> None:
    data = PICTURES[0].read_bytes()
    sizes = {jpeg_size(data[:end]) for end in range(2000)}
    assert sizes <= {None, jpeg_size(data)}
    for other in (b"", b"\xff\xd8\xff\xe0", b"\xff" * 5000, b"\xff\xd8" + b"\xff\xe0\0\0" * 99):
        assert jpeg_size(other) is None
