"""The cache of what is rendered from a release's templates and code: no other release reads it."""

from django.core.cache import caches
from django.utils.connection import ConnectionProxy

cache = ConnectionProxy(caches, "html")
