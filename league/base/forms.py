"""Form widgets that every noun uses."""

from __future__ import annotations

from django import forms


class DayInput(forms.DateInput):
    """The browser's own calendar, which reads and writes ISO dates in every language."""

    input_type = "date"

    def __init__(self) -> None:
        super().__init__(format="%Y-%m-%d")


class HourInput(forms.TimeInput):
    """The browser's own clock, which reads and writes hours and minutes in every language."""

    input_type = "time"

    def __init__(self) -> None:
        super().__init__(format="%H:%M")


class MomentInput(forms.DateTimeInput):
    """The browser's own calendar with a clock."""

    input_type = "datetime-local"

    def __init__(self) -> None:
        super().__init__(format="%Y-%m-%dT%H:%M")
