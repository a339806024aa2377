"""The choice of the driver by the answer of a camera."""

import pytest

from firmware.cameras.http_camera import open_http_camera
from firmware.cameras.http_snapshot import HttpSnapshotCamera
from firmware.cameras.http_stream import HttpStreamCamera
from firmware.cameras.interfaces import CameraError, CameraFault
from tests.support.http_camera import (
    HttpCameraServer,
    Respond,
    answer,
    fixed,
    numbered_jpeg,
    picture,
    stream,
    with_basic,
)

JPEG = numbered_jpeg(1)


@pytest.mark.parametrize(
    ("respond", "kind"),
    [(stream([JPEG]), HttpStreamCamera), (picture(JPEG), HttpSnapshotCamera)],
)
def test_the_answer_decides(respond: Respond, kind: type) -> None:
    with HttpCameraServer(with_basic("me", "word", respond)) as server:
        camera = open_http_camera(server.url("/", "me:word"))
        assert isinstance(camera, kind)
        assert camera.name == server.url("/")
        found = camera.read(2.0)
        camera.close()
        assert found is not None
        assert found.encoded == JPEG
        assert len(server.requests) == 2, "once without and once with the password"


def test_neither_is_an_error() -> None:
    respond = fixed(answer("200 OK", "Content-Type: text/html; charset=utf-8", body=b"<p>"))
    with HttpCameraServer(respond) as server, pytest.raises(CameraError) as caught:
        open_http_camera(server.url())
    assert caught.value.code is CameraFault.NO_PICTURES
    assert str(caught.value) == (
        f"{server.url()} sends a web page and no pictures; "
        "open it in a browser and copy the address of its video"
    )
