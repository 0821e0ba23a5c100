"""The Celery application: two kinds of work, so that simulations never delay a table.

Tasks carry keys, the database holds the truth: every task may run twice, and a sweep finds what
a lost message forgot.
"""

import os
import time
from functools import cached_property
from typing import Any

from celery import Celery, Task
from celery.fixups.django import DjangoFixup, DjangoWorkerFixup  # type: ignore[attr-defined]
from celery.signals import task_postrun, task_prerun, worker_init
from kombu.exceptions import OperationalError

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
    """Tie the application to Django when it is made."""
    django = Fixup(app)
    django.install()
    return django


class LimitedTask(Task):  # type: ignore[type-arg]
    """A task that is told to end after `soft_time_limit` seconds; never where that is None.

    With a setting of Celery's its pool would tell those as well that are to have no limit.
    """

    soft_time_limit: int | None = -1

    @classmethod
    def bind(cls, app: Celery) -> Any:
        from django.conf import settings

        if cls.soft_time_limit == LimitedTask.soft_time_limit:
            cls.soft_time_limit = settings.TASK_SOFT_SECONDS
        return super().bind(app)


class Tasks(Celery):
    """Celery's application, which asks a broker that did not answer again only after a while.

    So requests do not wait for it one after the other: the sweeps find what was not sent.
    """

    again = 2.0
    _away_until = 0.0

    def send_task(self, *args: Any, **options: Any) -> Any:
        if time.monotonic() < self._away_until:
            raise OperationalError("The broker did not answer a moment ago.")
        try:
            return super().send_task(*args, **options)
        except OperationalError:
            self._away_until = time.monotonic() + self.again
            raise


app = Tasks("tienlen", task_cls=LimitedTask, fixups=["config.celery:tie"])
app.steps["worker"].add("config.pulse:WorkerPulse")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@worker_init.connect
def _use_core(**more: Any) -> None:
    """Workers play on the engine's compiled core, once it is there; web processes never load it."""
    from engine.core import store

    store.use()


@task_prerun.connect
def _begin(task_id: str, task: Any, **more: Any) -> None:
    """Log lines of a task carry its id, and what it asks of the database has an end."""
    from config import waiting
    from config.logs import work

    work.set(task_id)
    if not task.request.is_eager:
        waiting.use(waiting.task(task.soft_time_limit or task.time_limit))


@task_postrun.connect
def _end(**more: Any) -> None:
    from config.logs import work

    work.set("")
