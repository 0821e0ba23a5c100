"""The Celery application: two kinds of work, so that simulations never delay a table.

Tasks carry keys, the database holds the truth: every task may run twice, and a sweep finds what
a lost message forgot.
"""

import os
from functools import cached_property
from typing import Any

from celery import Celery
from celery.fixups.django import DjangoFixup, DjangoWorkerFixup  # type: ignore[attr-defined]
from celery.signals import task_postrun, task_prerun

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")


class KeepPool(DjangoWorkerFixup):  # type: ignore[misc]
    """Between tasks a worker's connection rests in its pool.

    Celery's own way is to close the pool before and after each task, and a new connection takes
    the database longer than a short task's work.
    """

    def on_task_prerun(self, sender: Any, **more: Any) -> None:
        """Nothing: what the task before left is in the pool."""

    def on_task_postrun(self, sender: Any, **more: Any) -> None:
        if not getattr(sender.request, "is_eager", False):
            for connection in self._db.connections.all(initialized_only=True):
                connection.close()


class Fixup(DjangoFixup):
    """Ties Celery to Django as it does itself, but for the connections between tasks."""

    @cached_property
    def worker_fixup(self) -> KeepPool:
        return KeepPool(self.app)


def tie(app: Celery) -> DjangoFixup:
    """Called by the application when it is made."""
    django = Fixup(app)
    django.install()
    return django


app = Celery("tienlen", fixups=["config.celery:tie"])
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
