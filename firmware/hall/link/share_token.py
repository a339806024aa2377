"""The token by which the table knows the program that connects it to a hall.

The table creates it in its folder, in a file that only its owner may read. Whoever can open the
table's socket, as the page can, but cannot read this file, is not taken for a hall. The token
allows no command of an arbiter: see `web.contract.club` for the actions of a hall.
"""

import hmac
import logging
import secrets
from pathlib import Path
from typing import Final

from firmware.storage.atomic_file import PRIVATE, write_whole
from vision.errors import read_regular

SHARE_TOKEN: Final = "share-token"  # noqa: S105 - a name
"""Name of the file in the folder of the table's state."""

_TOKEN_BYTES: Final = 32
"""Random bytes of a token."""

_LARGEST: Final = 64
"""Bytes of the largest file that is read, a token; one of `_TOKEN_BYTES` has 43."""

_log = logging.getLogger(__name__)


def read_share_token(path: Path) -> str:
    """Returns the token in a file; empty if there is none, or it cannot be read."""
    try:
        return read_regular(path, _LARGEST).decode("ascii").strip()
    except (OSError, ValueError):
        return ""


class ShareToken:
    """The table's side of the token; it is created if the file has none.

    Args:
        path: the file.
    """

    def __init__(self, path: Path) -> None:
        self._token = read_share_token(path)
        if not self._token:
            self._token = secrets.token_urlsafe(_TOKEN_BYTES)
            try:
                write_whole(path, self._token.encode(), PRIVATE)
            except OSError as error:
                why = error.strerror or error
                _log.error("%s cannot be written: %s; this table joins no hall", path, why)

    def is_right(self, token: str) -> bool:
        """True if a token is this one."""
        return hmac.compare_digest(token.encode(), self._token.encode())
