"""`python -m firmware` is `cornerlight`."""

import sys

from firmware.commands.main import main

sys.exit(main())
