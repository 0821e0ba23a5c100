"""The ASGI entry point that uvicorn serves: live streams in front, Django behind."""

import os

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

django.setup(set_prefix=False)

# These imports need Django's apps to be loaded; the addresses too, so that no first visitor waits
# for all views to be imported.
from config import all_is_loaded, held, metrics, urls, waiting  # noqa: E402, F401
from config.bounds import BoundedBodies  # noqa: E402
from config.handler import Handler  # noqa: E402
from config.health import Checks  # noqa: E402
from league.base.acts import tokens  # noqa: E402
from tables.base.announce import CHANNEL  # noqa: E402
from tables.live.announcements import Announcements  # noqa: E402
from tables.live.feed_stream import FeedStreams  # noqa: E402
from tables.live.stream import LiveTables, conninfo, present  # noqa: E402

all_is_loaded()
waiting.use(waiting.PAGE)

announcements = Announcements(conninfo, CHANNEL, present)
feeds = FeedStreams(BoundedBodies(Handler()), announcements, account_of=tokens.player_of)
streams = LiveTables(feeds, announcements)


def close() -> None:
    """End the streams of this process."""
    streams.hub.close()
    feeds.hub.close()


application = Checks(streams, close)
metrics.watch_streams("pages", streams.hub.listeners)
metrics.watch_streams("programs", feeds.hub.listeners)
metrics.watch_budget("bodies", held.BODIES)
metrics.watch_budget("uploads", held.UPLOADS)
metrics.watch_budget("answers", held.ANSWERS)
