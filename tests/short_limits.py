"""The settings of a worker whose every limit is shorter than a game of the bots it plays."""

from tests.settings import *  # noqa: F403

# One that a task of bots must outlive, also where somebody sets it again.
TASK_SOFT_SECONDS, CELERY_TASK_TIME_LIMIT = 1, 2
TABLES_PLAY_SECONDS = 1
TABLES_LEASE_SECONDS = 3
BOT_UPLOADS = True
