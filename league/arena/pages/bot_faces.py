"""Faces of bots: of each name the same at every table and on every page."""

from tables.base.faces import faces


def bot_face(name: str) -> str:
    """Return a bot's face in the words of the tag `face`, such as "pig-3"."""
    [found] = faces([name])
    return f"{found.animal}-{found.ground}"
