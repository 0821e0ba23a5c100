"""The product's settings, with what makes a test suite quick and independent of built files."""

import os

from config.settings import *  # noqa: F403
from config.settings import DATABASES

# A worker that a test starts uses the database of that test.
DATABASES["default"]["NAME"] = os.environ.get("TEST_DATABASE", DATABASES["default"]["NAME"])

STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.InMemoryStorage"},
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}
STATIC_ROOT = None
WHITENOISE_USE_FINDERS = True
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
ALLOWED_HOSTS = ["testserver", "localhost", "127.0.0.1"]
