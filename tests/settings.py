"""The product's settings, with what makes a test suite quick and independent of built files."""

import os

# No test compiles the engine's core by the way: tests/engine/core does, and says so.
os.environ.setdefault("TIENLEN_CORE", "python")

from config.settings import *  # noqa: F403
from config.settings import (
    CACHES,
    DATABASES,
    LOGGING,
    REDIS_URL,
    REST_FRAMEWORK,
    TABLES_PER_ADDRESS,
)

# A worker that a test starts uses the database of that test.
DATABASES["default"]["NAME"] = os.environ.get("TEST_DATABASE", DATABASES["default"]["NAME"])

# Tests clear the cache and start Celery workers: each xdist worker has two databases of its own.
WORKER = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw")) % 8
VALKEY = REDIS_URL.partition("?")[0]
for one in CACHES.values():
    one["LOCATION"] = f"{VALKEY}?db={2 * WORKER + 1}"
REDIS_URL = f"{VALKEY}?db={2 * WORKER}"
CELERY_BROKER_URL = f"{VALKEY.replace('unix://', 'redis+socket://')}?virtual_host={2 * WORKER}"

STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.InMemoryStorage"},
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}
STATIC_ROOT = None
WHITENOISE_USE_FINDERS = True
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
ALLOWED_HOSTS = ["testserver", "localhost", "127.0.0.1"]
# Every test client makes its middleware anew: files are found when they are asked for.
WHITENOISE_AUTOREFRESH = True
# All tests come from one address within a few minutes; those of the limits set their own.
REST_FRAMEWORK["DEFAULT_THROTTLE_RATES"] = dict.fromkeys(("anon", "user", "moves"))
TABLES_PER_ADDRESS = dict.fromkeys(TABLES_PER_ADDRESS, (10**6, 60))
# A line for each request would be written thousands of times, and read by nobody.
LOGGING["root"]["level"] = "WARNING"
