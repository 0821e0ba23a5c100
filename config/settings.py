"""Django settings; every value that differs between servers comes from the environment.

docs/hosting.md lists the variables. Without any, the product runs on its embedded PostgreSQL and
Valkey with the data in `var/`.
"""

import operator
import socket
from pathlib import Path
from typing import Any

from django.utils.translation import gettext_lazy as _
from environ import Env
from redis.backoff import NoBackoff
from redis.retry import Retry

import launcher
from config import environment
from launcher import lan, release

BASE_DIR = Path(__file__).resolve().parent.parent
DATA_DIR = Path(environment.text("TIENLEN_DATA", str(BASE_DIR / "var"))).resolve()

# --- Security -------------------------------------------------------------------------------

DEBUG = environment.flag("DEBUG")
SECRET_KEY = environment.text("SECRET_KEY") or launcher.secret_key(DATA_DIR)
ALLOWED_HOSTS = environment.listed("ALLOWED_HOSTS", "localhost,127.0.0.1,[::1]")
IN_LAN = environment.flag("TIENLEN_LAN")
if IN_LAN:
    ALLOWED_HOSTS += lan.addresses()
SITE_HOST = (IN_LAN and lan.address()) or "localhost"
# Only for links that commands print; pages use the address of the request.
SITE_ADDRESS = environment.text(
    "SITE_ADDRESS", f"http://{SITE_HOST}:{environment.number('TIENLEN_PORT', 8000, 1, 65535)}"
)
TRUSTED_PROXIES = environment.number("TRUSTED_PROXIES", 0, 0, 10)
CSRF_FAILURE_VIEW = "config.errors.csrf_failed"
CSRF_TRUSTED_ORIGINS = environment.listed("CSRF_TRUSTED_ORIGINS")

# A club's LAN has plain http only; behind a TLS proxy HTTPS=1 turns on the secure settings.
HTTPS = environment.flag("HTTPS")
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = HTTPS
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = "Lax"
LANGUAGE_COOKIE_SECURE, LANGUAGE_COOKIE_HTTPONLY, LANGUAGE_COOKIE_SAMESITE = HTTPS, True, "Lax"
SECURE_SSL_REDIRECT = HTTPS
SECURE_HSTS_SECONDS = 31_536_000 if HTTPS else 0
# By default for this host only: other names of its domain may lack TLS. Preloading covers all.
HSTS = environment.choice("HSTS", "host", "subdomains", "preload")
SECURE_HSTS_INCLUDE_SUBDOMAINS = HSTS != "host"
SECURE_HSTS_PRELOAD = HSTS == "preload"
# Leaving out subdomains (W005) and preloading (W021) is deliberate.
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if HTTPS else None
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
CONTENT_SECURITY_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "font-src 'self'; connect-src 'self'; manifest-src 'self'; form-action 'self'; "
    "base-uri 'none'; frame-ancestors 'none'"
)
RELEASE = release.mark()
# On every answer, of Django or not.
COMMON_HEADERS = {
    release.HEADER: RELEASE,
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": ", ".join(
        f"{feature}=()"
        for feature in ("accelerometer", "camera", "display-capture", "geolocation", "gyroscope",
                        "magnetometer", "microphone", "midi", "payment", "serial", "usb")
    ),
}  # fmt: skip
DATA_UPLOAD_MAX_MEMORY_SIZE = 2_500_000
DATA_UPLOAD_MAX_NUMBER_FIELDS = 3_000

# --- Parts ----------------------------------------------------------------------------------

INSTALLED_APPS = [
    "accounts",
    "tables",
    "league",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.sitemaps",
    "django.contrib.staticfiles",
    "django.contrib.humanize",
    "django.contrib.postgres",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.usersessions",
    "django_htmx",
    "template_partials",
    "rest_framework",
    "drf_spectacular",
]

MIDDLEWARE = [
    "config.logs.request_log",
    "config.headers.common_headers",
    "django.middleware.security.SecurityMiddleware",
    "config.compression.CompressPages",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "config.headers.private_pages",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "accounts.sessions.seen_daily",
    "django.middleware.locale.LocaleMiddleware",
    "accounts.zones.of_reader",
    "league.base.views.names.of_reader",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "config.unreadable.RefuseUnreadable",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "config.post_only.to_page",
    "config.htmx.for_htmx",
    "allauth.account.middleware.AccountMiddleware",
]

ROOT_URLCONF = "config.urls"
ASGI_APPLICATION = "config.asgi.application"

LOADERS = ["config.templates.Loader", "django.template.loaders.app_directories.Loader"]
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "OPTIONS": {
            "loaders": [
                (
                    "template_partials.loader.Loader",
                    LOADERS if DEBUG else [("django.template.loaders.cached.Loader", LOADERS)],
                )
            ],
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "accounts.second_factor.passkeys",
                "config.headers.release_mark",
            ],
        },
    }
]

# --- API ------------------------------------------------------------------------------------

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "league.base.api.auth.TokenAuthentication",
        "rest_framework.authentication.SessionAuthentication",
    ],
    "DEFAULT_PAGINATION_CLASS": "league.base.api.views.Pages",
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "DEFAULT_THROTTLE_CLASSES": [
        "league.base.api.throttling.StrangersThrottle",
        "rest_framework.throttling.UserRateThrottle",
    ],
    "DEFAULT_THROTTLE_RATES": {"anon": "120/min", "user": "600/min", "moves": "300/min"},
    "EXCEPTION_HANDLER": "tables.api.problems.on_error",
    "DEFAULT_PARSER_CLASSES": ["league.base.api.parsers.Json"],
    # Behind the one proxy of docs/hosting.md, the client's address is the last one it appended.
    "NUM_PROXIES": TRUSTED_PROXIES,
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Tien Len",  # Code generators name packages after it.
    "SERVERS": [{"url": "/", "description": "The installation itself."}],
    "VERSION": "1",
    "DESCRIPTION": "Clubs, seasons, nights, results and money. Begin with docs/api.md.",
    "SERVE_INCLUDE_SCHEMA": False,
    "ENFORCE_NON_BLANK_FIELDS": True,
    "ENUM_NAME_OVERRIDES": {
        "OpenOrClosed": "league.models.event.Season.Status",
        "BinnedKind": "league.nights.pages.bins.BINNED_KINDS",
        "EventOutKindEnum": "league.models.event.Event.Kind",
    },
    "POSTPROCESSING_HOOKS": [
        "drf_spectacular.hooks.postprocess_schema_enums",
        "league.base.api.description.with_manners",
    ],
}

# --- Data -----------------------------------------------------------------------------------

if database_url := environment.address("DATABASE_URL", "postgres", "postgresql"):
    DATABASES = {"default": Env.db_url_config(database_url)}
else:
    DATABASES = {"default": launcher.database_settings(DATA_DIR)}
DATABASES["default"]["ENGINE"] = "config.postgres"
# Options in the URL (sslmode) are kept. The keepalives detect a broken network.
DATABASES["default"]["OPTIONS"] = DATABASES["default"].get("OPTIONS", {}) | {
    "connect_timeout": 5,
    # What a connection asks again is planned once for it, but nothing behind a transaction pooler.
    "server_side_binding": True,
    "prepare_threshold": None if environment.flag("DATABASE_POOLER") else 2,
    "keepalives_idle": 30,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 30_000,
    "pool": {
        "min_size": 1,
        "max_size": environment.number("DATABASE_CONNECTIONS", 8, 2, 100),
        "timeout": 5,
        # Then it gives up, and the next request begins anew: its pauses double all the time.
        "reconnect_timeout": 3,
    },
}
# A transaction pooler keeps no state between transactions, such as server-side cursors, and LISTEN
# needs a direct connection.
DATABASES["default"]["DISABLE_SERVER_SIDE_CURSORS"] = environment.flag("DATABASE_POOLER")
DATABASE_LISTEN_URL = environment.address("DATABASE_LISTEN_URL", "postgres", "postgresql")
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

REDIS_URL = environment.address("REDIS_URL", "redis", "rediss", "unix") or launcher.redis_url(
    DATA_DIR
)
# Short and without retries: requests are small, and the product must work without Valkey.
REDIS_LIMITS = {
    "socket_timeout": 1,
    "socket_connect_timeout": 1,
    "retry": Retry(NoBackoff(), 0),
}
_VALKEY = {
    "BACKEND": "config.cache.SharedRedisCache",
    "LOCATION": REDIS_URL,
    "OPTIONS": REDIS_LIMITS | {"serializer": "config.cache.JsonValues"},
    "VERSION": 2,  # The values of version 1 were pickles.
}
CACHES = {
    "default": _VALKEY,
    # During an upgrade two releases read the same Valkey.
    "html": _VALKEY | {"KEY_PREFIX": RELEASE},
    # Keeps rate limits working while Valkey is unreachable.
    "memory": {
        "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
        "OPTIONS": {"MAX_ENTRIES": 10_000},
    },
}

# --- Work in the background -----------------------------------------------------------------

# The application must exist before a task is sent, and every process reads the settings.
from config.celery import app as celery_app  # noqa: E402, F401

# kombu and redis-py have different URL schemes for a unix socket.
CELERY_BROKER_URL = REDIS_URL.replace("unix://", "redis+socket://")
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_TRANSPORT_OPTIONS = {
    # Longer than any task: kombu redelivers an unacknowledged message after this time.
    "visibility_timeout": 300,
    "unacked_restore_interval": 1,
    "unacked_restore_throttle": 1,
    "socket_timeout": 2,
    "socket_connect_timeout": 2,
}
# A request that wakes the workers does not wait for Valkey: a sweep makes up for lost messages.
CELERY_TASK_PUBLISH_RETRY_POLICY = {"max_retries": 0, "interval_start": 0}
# At the soft limit a task is asked to end (config.celery.LimitedTask), at the hard limit its
# process is killed. Celery's own soft limit setting would also apply to tasks that must have none.
TASK_SOFT_SECONDS, CELERY_TASK_TIME_LIMIT = 120, 180
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
# On shutdown, running tasks have this long to finish; unfinished ones return to the queue.
CELERY_WORKER_SOFT_SHUTDOWN_TIMEOUT = 2
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
# Write access to the broker lets a client send tasks, but must not let it control the workers.
CELERY_WORKER_ENABLE_REMOTE_CONTROL = False
QUEUES = ("live", "default", "mail", "quick", "sim", "slow")
CELERY_TASK_DEFAULT_QUEUE = "default"
CELERY_TASK_ROUTES = {
    # A mail server that hangs holds up nothing but emails.
    "league.send_mail": {"queue": "mail"},
    "tables.play_unit": {"queue": "sim"},
    "tables.check_uploads": {"queue": "sim"},
    # Someone watches these: they have a process of their own.
    "tables.play_tryouts": {"queue": "quick"},
    "tables.sweep_tables": {"queue": "live"},
    "tables.sweep_shard": {"queue": "live"},
    # Seconds to a minute for a large season: done by the simulation workers, which yield to people.
    "tables.rate_ladders": {"queue": "slow"},
    "tables.review_game": {"queue": "slow"},
    "tables.review_record": {"queue": "slow"},
    "tables.plan_puzzles": {"queue": "slow"},
    "league.read_file": {"queue": "slow"},
    "league.sweep_standings": {"queue": "slow"},
    "league.sweep_ratings": {"queue": "slow"},
}
# Between two messages that ask for emails, from whoever they come: none piles up behind a server.
MAIL_SECONDS = 5.0
# A tick's message expires when the next one is sent: sweeps find the due work in the database.
CELERY_BEAT_SCHEDULE = {
    name: {"task": task, "schedule": seconds, "options": {"expires": int(seconds)}}
    for name, task, seconds in (
        ("sweep-tables", "tables.sweep_tables", 1.0),
        ("sweep-runs", "tables.sweep_runs", 5.0),
        ("review-game", "tables.review_game", 5.0),
        ("tick-ladders", "tables.tick_ladders", 10.0),
        ("rate-ladders", "tables.rate_ladders", 60.0),
        ("sweep-live", "league.sweep_live", 5.0),
        ("tick-schedules", "league.tick_schedules", 10.0),
        ("sweep-standings", "league.sweep_standings", 30.0),
        ("sweep-finished-runs", "league.sweep_runs", 15.0),
        ("sweep-files", "league.sweep_files", 5.0),
        ("sweep-news", "league.sweep_news", 10.0),
        ("ask-to-confirm", "league.ask_to_confirm", 60.0),
        ("remind", "league.remind", 3600.0),
        ("sweep-ratings", "league.sweep_ratings", 60.0),
        ("forget-old", "league.forget_old", 3600.0),
        ("send-mail", "league.send_mail", MAIL_SECONDS),
        ("verify", "league.verify", 600.0),
        ("sweep-table-ratings", "tables.sweep_ratings", 5.0),
        ("sweep-sprints", "tables.sweep_sprints", 2.0),
        ("tell-turns", "tables.tell_turns", 2.0),
        ("plan-sprints", "tables.plan_sprints", 300.0),
        ("plan-puzzles", "tables.plan_puzzles", 60.0),
        ("sweep-requests", "tables.sweep_requests", 3600.0),
        ("check-uploads", "tables.check_uploads", 30.0),
        ("play-tryouts", "tables.play_tryouts", 30.0),
        ("empty-bin", "league.empty_bin", 3600.0),
        ("sweep-held-clubs", "league.sweep_held_clubs", 3600.0),
        ("ask-doubtful", "league.ask_doubtful", 300.0),
        ("clear-sessions", "league.clear_sessions", 3600.0),
        ("watch", "config.watch", 60.0),
    )
}
CELERY_BEAT_SCHEDULER = "config.beat:Beat"

# --- Tables ---------------------------------------------------------------------------------

# Range of a bot's random thinking time; time for every seat to declare an instant win. In seconds.
TABLES_BOT_SECONDS = (0.9, 2.3)
TABLES_WINDOW_SECONDS = 8.0
# Limits for one network: how often, and in how many seconds.
TABLES_PER_ADDRESS = {
    "open": (60, 600),
    "start": (20, 3600),
    "sit": (200, 600),
    "act": (1200, 60),
    "import": (12, 3600),
    "search": (120, 60),
    "try": (60, 3600),
}
# Maximum of live streams of one network in each process; further pages poll. A hall of 200 phones
# has room for three pages each.
TABLES_STREAMS_PER_ADDRESS = environment.number("TABLES_STREAMS_PER_ADDRESS", 600, 1, 20_000)
# Seconds for which a worker plays a batch of bot games at a time; it resumes after the last game.
TABLES_PLAY_SECONDS = 4
# Seconds after which such a task is killed. The longest game of bots at their limits is shorter.
TABLES_PLAY_LIMIT = 7200
# A worker without a heartbeat for this long loses its batch of bot games.
TABLES_LEASE_SECONDS = environment.number("TABLES_LEASE_SECONDS", 60, 1, 3600)
# Stored with each batch as the machine that played it, so that another machine checks it.
TABLES_MACHINE = environment.text("TABLES_MACHINE", socket.gethostname())[:60]
# For a machine whose database role may only play batches: the server ends the tournaments.
TABLES_PLAYS_ONLY = environment.flag("TABLES_PLAYS_ONLY")
# Seconds in which a bot over the network must answer the positions of one response.
TABLES_REMOTE_SECONDS = environment.number("TABLES_REMOTE_SECONDS", 30, 5, 600)
# Percentage of one processor that all standing ladders may use while no other work waits.
TABLES_LADDER_SHARE = environment.number("TABLES_LADDER_SHARE", 20, 0, 100)
# The administrator's own bots (docs/bots.md). No page writes this file.
BOTS_FILE_NEEDED = bool(environment.text("TIENLEN_BOTS"))
# Whether members of clubs may upload bots: jailed, and for tournaments only.
BOT_UPLOADS = environment.flag("TIENLEN_BOT_UPLOADS")
BOTS_FILE = Path(environment.text("TIENLEN_BOTS", str(DATA_DIR / "bots.toml"))).resolve()

# --- People ---------------------------------------------------------------------------------

AUTH_USER_MODEL = "accounts.User"
AUTHENTICATION_BACKENDS = [
    "django.contrib.auth.backends.ModelBackend",
    "allauth.account.auth_backends.AuthenticationBackend",
]
PASSWORD_HASHERS = [
    "django.contrib.auth.hashers.Argon2PasswordHasher",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
]
AUTH_PASSWORD_VALIDATORS = [
    {
        "NAME": "django.contrib.auth.password_validation.MinimumLengthValidator",
        "OPTIONS": {"min_length": 10},
    },
    {"NAME": "accounts.passwords.KnownPasswordValidator"},
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
]
PASSWORD_RESET_TIMEOUT = 3 * 24 * 3600
ACCOUNT_ADAPTER = "accounts.adapter.AccountAdapter"
ACCOUNT_USER_MODEL_USERNAME_FIELD = None
ACCOUNT_LOGIN_METHODS = {"email"}
ACCOUNT_SIGNUP_FIELDS = ["email*", "password1*"]
# Who may create an account: everyone, only people with an open invitation, or nobody.
SIGN_UP = environment.choice("SIGN_UP", "open", "invitation", "closed")
ACCOUNT_FORMS = {
    "add_email": "accounts.forms.AddEmailForm",
    "change_password": "accounts.forms.ChangePasswordForm",
    "login": "accounts.forms.LoginForm",
    "reset_password": "accounts.forms.AskResetForm",
    "reset_password_from_key": "accounts.forms.ResetPasswordForm",
    "signup": "accounts.forms.SignupForm",
}
# The adapter counts sign-ins and a form counts resets, so that a stranger's attempts never lock
# out known browsers. It also counts links that confirm, where none waits to be sent.
ACCOUNT_RATE_LIMITS = {
    "login": None, "login_failed": "5/300s/key", "reset_password": None, "confirm_email": None,
}  # fmt: skip
ACCOUNT_SESSION_REMEMBER = True
ACCOUNT_USER_DISPLAY = operator.attrgetter("email")
# A session ends after this time without use.
SESSION_COOKIE_AGE = environment.number("SESSION_IDLE_DAYS", 30, 1, 365) * 24 * 3600
ACCOUNT_LOGOUT_ON_PASSWORD_CHANGE = True
ACCOUNT_LOGIN_ON_PASSWORD_RESET = True
# Behind the one proxy of docs/hosting.md, the client's address is the last one it appended.
ALLAUTH_TRUSTED_PROXY_COUNT = TRUSTED_PROXIES
LOGIN_REDIRECT_URL = "home"
ACCOUNT_LOGOUT_REDIRECT_URL = "home"
LOGIN_URL = "account_login"

# Most clubs have no mail server: sign-up needs no confirmation, and the administrator makes reset
# links.
MAIL_URL = environment.address("EMAIL_URL", "smtp+tls", "smtp+ssl", "smtp")
HAS_MAIL = bool(MAIL_URL)
if HAS_MAIL:
    vars().update(Env.email_url_config(MAIL_URL))
    EMAIL_BACKEND = "accounts.smtp.Backend"
    DEFAULT_FROM_EMAIL = environment.text("DEFAULT_FROM_EMAIL", "webmaster@localhost")
else:
    EMAIL_BACKEND = "django.core.mail.backends.dummy.EmailBackend"
EMAIL_TIMEOUT = 30
ACCOUNT_EMAIL_VERIFICATION = "optional" if HAS_MAIL else "none"

# Webhooks go to the public internet only, unless the administrator allows the local network.
WEBHOOKS_IN_LAN = environment.flag("WEBHOOKS_IN_LAN")

# Token of the Telegram bot that sends people their news.
TELEGRAM_BOT = environment.text("TELEGRAM_BOT", "")
TELEGRAM_ADDRESS = "https://api.telegram.org"

MFA_ADAPTER = "accounts.second_factor.Adapter"
MFA_FORMS = {
    "add_webauthn": "accounts.forms.AddPasskeyForm",
    "authenticate_webauthn": "accounts.forms.AuthenticatePasskeyForm",
    "login_webauthn": "accounts.forms.LoginPasskeyForm",
    "reauthenticate_webauthn": "accounts.forms.ReauthenticatePasskeyForm",
}
MFA_SUPPORTED_TYPES = ["totp", "recovery_codes", "webauthn"]
MFA_PASSKEY_LOGIN_ENABLED = True
MFA_TOTP_ISSUER = "Tiến Lên League"
# Without a mail server no address can be verified.
MFA_ALLOW_UNVERIFIED_EMAIL = not HAS_MAIL

# --- Language, time, files ------------------------------------------------------------------

LANGUAGE_CODE = "en"
LANGUAGES = [("vi", _("Vietnamese")), ("en", _("English"))]
LOCALE_PATHS = [BASE_DIR / "locale", BASE_DIR / "locale" / "libraries"]
FORMAT_MODULE_PATH = ["config.formats"]
# The clock of visitors whose browser tells no zone, and of the nightly work.
TIME_ZONE = environment.zone("TIME_ZONE", "UTC")
environment.number("NIGHT_HOUR", 0, 0, 23)  # Of launcher/night.py, which has no settings.

STATIC_URL = "static/"
STATICFILES_DIRS = [BASE_DIR / "static"]
STATIC_ROOT = Path(environment.text("STATIC_ROOT", str(DATA_DIR / "static")))
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
        if DEBUG
        else "config.static.StaticFiles"
    },
}

# --- Logs -----------------------------------------------------------------------------------

# "line" for people, "json" for a collector.
LOG_FORMAT = environment.choice("LOG_FORMAT", "line", "json")
LOGGING: dict[str, Any] = {
    "version": 1,
    "disable_existing_loggers": False,
    "filters": {
        "context": {"()": "config.logs.Context"},
        "long_sweeps": {"()": "config.logs.LongSweeps"},
    },
    "formatters": {
        "line": {
            "()": "config.logs.TextLines",
            "format": "{asctime} {levelname} {name} [{work}] {message}",
            "style": "{",
        },
        "json": {"()": "config.logs.JsonLines"},
    },
    "handlers": {
        "stderr": {
            "class": "logging.StreamHandler",
            "formatter": LOG_FORMAT,
            "filters": ["context"],
        }
    },
    "loggers": {
        "celery.app.trace": {"filters": ["long_sweeps"]},
        "celery.worker.strategy": {"filters": ["long_sweeps"]},
        "celery.beat": {"level": "WARNING"},
    },
    "root": {
        "handlers": ["stderr"],
        "level": environment.choice("LOG_LEVEL", "INFO", "DEBUG", "WARNING", "ERROR"),
    },
}
# An optional collector for errors: OpenTelemetry's OTLP over http.
if OTLP_URL := environment.address("OTLP_URL", "https", "http"):
    LOGGING["handlers"]["collector"] = {
        "()": "config.collector.Collector",
        "url": OTLP_URL,
        "headers": environment.listed("OTLP_HEADERS"),
        "filters": ["context"],
    }
    LOGGING["root"]["handlers"].append("collector")
# Called every minute while work is done (config.server.alarms).
HEARTBEAT_URL = environment.address("HEARTBEAT_URL", "https", "http")
# The token for /metrics/; without one the address answers 404.
METRICS_TOKEN = environment.text("METRICS_TOKEN")
# /metrics/ reports the age of the newest file in this folder.
BACKUPS = launcher.locations(DATA_DIR).backups
