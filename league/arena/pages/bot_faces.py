"""Faces of bots: of each name the same at every table and on every page."""

from collections.abc import Iterable

from tables.base.faces import Face, faces


def bot_face(name: str) -> str:
    """Return a bot's face in the words of the tag `face`, such as "pig-3"."""
    found = bot_faces([name])[name]
    return f"{found.animal}-{found.ground}"


def bot_faces(names: Iterable[str]) -> dict[str, Face]:
    """Return the faces of bots by name, also where two of them have one animal."""
    return {name: faces([name])[0] for name in names}
