"""The Celery application: two kinds of work, so that simulations never delay a table.

Tasks carry keys, the database holds the truth: every task may run twice, and a sweep finds what
a lost message forgot.
"""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

app = Celery("tienlen")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
