"""Pictures in files that a person named."""

from dataclasses import replace
from pathlib import Path

import cv2

from firmware.errors import UnreadableError, report_unwritable
from vision.camera import Image
from vision.io.image_file import LoadedImage, open_picture
from vision.io.recording_notes import RecordingNotes


def read_upright(path: Path) -> tuple[LoadedImage, RecordingNotes]:
    """Reads a picture, turned and mirrored as the referee saw it if it is part of a recording.

    Raises:
        VisionError: it cannot be read.
    """
    picture, notes = open_picture(path), RecordingNotes(path.parent, {path.name}, timed=False)
    return replace(picture, image=notes.orientation(path.name).upright(picture.image)), notes


def write_picture(path: Path, image: Image) -> None:
    """Writes a picture in the format of the file's suffix.

    Args:
        path: path of a .png or .jpg file.
        image: (height, width, 3) uint8, blue green red.

    Raises:
        UnreadableError: it cannot be written.
    """
    try:
        _, data = cv2.imencode(path.suffix, image)
    except cv2.error as error:
        raise UnreadableError(f"cannot write {path}; name a .png or .jpg file") from error
    with report_unwritable(path):
        path.write_bytes(data.tobytes())
