"""The rules of Tiến Lên as a pure package: no Django, no clock, no dice of its own."""
