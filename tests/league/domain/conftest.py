"""Property tests here have no deadline: a busy machine is slow, not wrong."""

from hypothesis import settings

settings.register_profile("without_deadline", parent=settings(), deadline=None)
settings.load_profile("without_deadline")
