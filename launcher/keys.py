import os
import secrets
from pathlib import Path

from launcher.locations import locations, private_folder


def secret_key(data_dir: str | Path) -> str:
    """Return the installation's secret key; the first call creates it, in a file of mode 0600."""
    places = locations(data_dir)
    try:
        return places.secret_key.read_text().strip()
    except FileNotFoundError:
        pass
    private_folder(places.data)
    fresh = places.data / f"secret-key.{os.getpid()}"
    handle = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(handle, "w") as file:
        file.write(secrets.token_urlsafe(48) + "\n")
        file.flush()
        os.fsync(file.fileno())
    try:
        os.link(fresh, places.secret_key)  # Unlike a rename, a link lets the first caller win.
    except FileExistsError:
        pass
    finally:
        fresh.unlink()
    return places.secret_key.read_text().strip()
