"""`python -m firmware` is `cornerlight`."""

import sys

from firmware.cli import main

sys.exit(main())
