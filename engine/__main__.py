"""``python -m engine``: records, rulesets, simulation and benchmark on the command line."""

import sys

from .cli import main

sys.exit(main())
