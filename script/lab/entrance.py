"""Imported first by the programs of this room: finds the project, and what `script/` has for all.

Nothing newer than Python 2.7 may stand in this file, as in newer_python.
"""

import os
import sys

above = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(1, os.path.dirname(above))
sys.path.insert(1, above)

import newer_python  # noqa: E402, F401
