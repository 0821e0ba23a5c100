"""The Celery application: two kinds of work, so that simulations never delay a table.

Tasks carry keys, the database holds the truth: every task may run twice, and a sweep finds what
a lost message forgot.
"""

import os
from typing import Any

from celery import Celery
from celery.signals import task_postrun, task_prerun

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

app = Celery("tienlen")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@task_prerun.connect
def _begin(task_id: str, **more: Any) -> None:
    """Log lines of a task carry its id."""
    from config.logs import work

    work.set(task_id)


@task_postrun.connect
def _end(**more: Any) -> None:
    from config.logs import work

    work.set("")
