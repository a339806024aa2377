"""Users and passwords in addresses are hidden, however wrong the address is."""

import pytest

from firmware.errors import without_passwords


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("http://ann:s3cret@cam/video", "http://...@cam/video"),
        ("rtsp://ann:s3/cr@et@cam/video", "rtsp://...@cam/video"),
        ("rtsp://ann:s3 cret@cam/video", "rtsp://...@cam/video"),
        ("http:/ann:s3cret@cam", "http:/...@cam"),
        ("ann:s3cret@cam/video", "...@cam/video"),
        ("no verb 'http://ann:s3cret@cam'", "no verb 'http://...@cam'"),
        ("http://cam/shot?user=ann&key=s3cret", "http://cam/shot?..."),
        ("rtsp://cam/user=a_password=s3cret_1.sdp", "rtsp://cam/user=a_password=..."),
        ("http://cam:8080/video", "http://cam:8080/video"),
        ("/media/me@work/pictures", "/media/me@work/pictures"),
        ("0", "0"),
    ],
)
def test_nothing_of_a_password_is_shown(text: str, shown: str) -> None:
    assert without_passwords(text) == shown
