"""Passwords of the broker's clients, in the format of mosquitto_passwd(1)."""

import base64
import hashlib
import secrets
from collections.abc import Mapping
from typing import Final

_ITERATIONS: Final = 101
"""Iterations of PBKDF2, the number of mosquitto_passwd. More would not help: the secrets are
random, with 128 bits."""

_SALT_BYTES: Final = 12
"""Bytes of salt, as of mosquitto_passwd."""

_SECRET_BYTES: Final = 16
"""Bytes of a secret before they are written as text."""


def new_secret() -> str:
    """Returns a random password, 22 signs that need no escape in an address."""
    return secrets.token_urlsafe(_SECRET_BYTES)


def password_file(passwords: Mapping[str, str]) -> bytes:
    """Returns the content of a password file.

    Args:
        passwords: passwords by user; a user has no colon and no line break.
    """
    return "".join(f"{user}:{_hashed(secret)}\n" for user, secret in passwords.items()).encode()


def _hashed(secret: str) -> str:
    salt = secrets.token_bytes(_SALT_BYTES)
    digest = hashlib.pbkdf2_hmac("sha512", secret.encode(), salt, _ITERATIONS)
    coded = (base64.b64encode(one).decode() for one in (salt, digest))
    return f"$7${_ITERATIONS}${'$'.join(coded)}"
