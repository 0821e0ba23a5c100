"""The Celery application, with queues that keep simulations from delaying a table.

Tasks carry only keys, and the database is the source of truth: every task may run twice, and a
sweep makes up for lost messages.
"""

import os
import time
from functools import cached_property
from typing import Any

from celery import Celery, Task
from celery.fixups.django import DjangoFixup, DjangoWorkerFixup  # type: ignore[attr-defined]
from celery.signals import task_postrun, task_prerun, worker_init
from kombu.exceptions import OperationalError

from config import all_is_loaded

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")


class KeepPool(DjangoWorkerFixup):  # type: ignore[misc]
    """A fixup that returns a worker's connection to its pool between tasks.

    Celery's own fixup closes the pool before and after each task, and opening a new connection
    takes longer than a short task.
    """

    def on_task_prerun(self, sender: Any, **more: Any) -> None:
        """Do nothing: the previous task returned its connection to the pool."""

    def on_task_postrun(self, sender: Any, **more: Any) -> None:
        if not getattr(sender.request, "is_eager", False):
            for connection in self._db.connections.all(initialized_only=True):
                connection.close()


class Fixup(DjangoFixup):
    """Celery's own Django fixup, with `KeepPool` for the connections between tasks."""

    @cached_property
    def worker_fixup(self) -> KeepPool:
        return KeepPool(self.app)


def tie(app: Celery) -> DjangoFixup:
    """Install the Django fixup in a new application."""
    django = Fixup(app)
    django.install()
    return django


class LimitedTask(Task):  # type: ignore[type-arg]
    """A task that is asked to end after `soft_time_limit` seconds; never if that is None.

    With Celery's own setting, its pool would apply the limit to tasks without one too.
    """

    soft_time_limit: int | None = -1

    @classmethod
    def bind(cls, app: Celery) -> Any:
        from django.conf import settings

        if cls.soft_time_limit == LimitedTask.soft_time_limit:
            cls.soft_time_limit = settings.TASK_SOFT_SECONDS
        return super().bind(app)


class Tasks(Celery):
    """A Celery application that tries a failed broker again only after `again` seconds.

    So a series of requests does not wait for it each time; sweeps make up for unsent messages.
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
app.autodiscover_tasks(["config.server"], related_name="alarms")


@worker_init.connect
def _use_core(**more: Any) -> None:
    """Use the engine's compiled core in workers, once it exists; web processes never load it."""
    from engine.core import store

    store.use()


@worker_init.connect
def _share_memory(**more: Any) -> None:
    """Before the processes of the pool: collections would copy it for each, 45 MB."""
    all_is_loaded()


@task_prerun.connect
def _begin(task_id: str, task: Any, **more: Any) -> None:
    """Set the task's id for log lines, and the time limits of its database work."""
    from config import waiting
    from config.logs import work

    work.set(task_id)
    if not task.request.is_eager:
        waiting.use(waiting.task(task.soft_time_limit or task.time_limit))


@task_postrun.connect
def _end(**more: Any) -> None:
    from config.logs import work

    work.set("")
