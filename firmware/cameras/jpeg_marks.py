"""Marks at both ends of a JPEG (ITU T.81, table B.1), and what cameras add behind it."""

from typing import Final

BEGIN: Final = b"\xff\xd8"
"""Mark at the begin of a JPEG."""

END: Final = b"\xff\xd9"
"""Mark at the end of a JPEG."""

FILLING: Final = b"\0\r\n "
"""Bytes that some cameras add to a picture."""
