"""The error of this package: a field and how to correct it."""

from collections.abc import Mapping


class FieldError(ValueError):
    """An invalid value in a scoring; `field` is its path, such as `points_table.row`.

    `template` is the English sentence with named placeholders, `params` their values: a caller can
    translate the template before filling it in. `str()` gives `field: sentence`.
    """

    def __init__(self, field: str, template: str, **params: object) -> None:
        self.field = field
        self.template = template
        self.params: Mapping[str, object] = params
        super().__init__(f"{field}: {self.message}")

    @property
    def message(self) -> str:
        """The English sentence with its placeholders filled, without the field."""
        return self.template % self.params if self.params else self.template
