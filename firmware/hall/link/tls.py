"""TLS towards a hall: its own authority alone, known by the fingerprint in the invitation.

The broker sends the certificate of its authority together with its own. That of the pinned
fingerprint becomes the only one that a connection trusts, and OpenSSL verifies the chain with it.
Times in certificates are not compared with the clock: a Raspberry Pi begins in 1970. The name of
the host is not compared either, since addresses in a hall change and the authority signs for
nobody but this broker.
"""

import hashlib
import hmac
import socket
import ssl
from typing import Final

_NO_CHECK_TIME: Final = 0x200000
"""X509_V_FLAG_NO_CHECK_TIME of OpenSSL 1.1, which Python's `ssl` does not name."""

_MOST_CERTIFICATES: Final = 10
"""Certificates of a chain that are looked at."""


class OtherHallError(OSError):
    """The broker shows no authority of the pinned fingerprint."""

    def __init__(self) -> None:
        super().__init__("another hall answers there: its authority has another fingerprint")


def fetch_authority(host: str, port: int, fingerprint: str, timeout_s: float) -> bytes:
    """Returns the certificate of the pinned authority, as the broker shows it.

    Nothing is sent over this connection, which trusts nobody.

    Args:
        host: host of the broker.
        port: port of the broker.
        fingerprint: SHA-256 of the certificate in DER, 64 hexadecimal digits.
        timeout_s: seconds for each step of the connection.

    Returns:
        The certificate in DER.

    Raises:
        OtherHallError: the broker shows no such authority.
        OSError: nobody answers, or without TLS.
    """
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    with (
        socket.create_connection((host, port), timeout_s) as connection,
        context.wrap_socket(connection, server_hostname=host) as secured,
    ):
        chain = _shown_chain(secured)
    for certificate in chain[:_MOST_CERTIFICATES]:
        if hmac.compare_digest(hashlib.sha256(certificate).hexdigest(), fingerprint):
            return certificate
    raise OtherHallError


def pinned_context(authority: bytes) -> ssl.SSLContext:
    """Returns a context that trusts one authority, whatever the clock says.

    Args:
        authority: its certificate in DER.
    """
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.check_hostname = False
    context.verify_mode = ssl.CERT_REQUIRED
    context.verify_flags |= _NO_CHECK_TIME
    context.load_verify_locations(cadata=authority)
    return context


def _shown_chain(secured: ssl.SSLSocket) -> list[bytes]:
    """Returns the certificates that the other side sent, in DER."""
    public = getattr(secured, "get_unverified_chain", None)
    if public is not None:  # since Python 3.13
        return list(public())
    # The same function of the library, without its public name.
    shown = secured._sslobj.get_unverified_chain() or []  # type: ignore[attr-defined]  # noqa: SLF001
    return [ssl.PEM_cert_to_DER_cert(one.public_bytes()) for one in shown]
