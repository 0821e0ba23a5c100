"""Lists whose rows are read from the database by slice."""

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from typing import TypeVar, overload

Row = TypeVar("Row")


class Sliced(Sequence[Row]):
    """A list of which only the requested slice is read."""

    @abstractmethod
    def read(self, wanted: slice) -> list[Row]:
        """Return the rows of the slice."""

    @overload
    def __getitem__(self, index: int) -> Row: ...
    @overload
    def __getitem__(self, index: slice) -> list[Row]: ...
    def __getitem__(self, index: int | slice) -> Row | list[Row]:
        if isinstance(index, slice):
            return self.read(index)
        return self.read(slice(index, index + 1 or None))[0]

    def __iter__(self) -> Iterator[Row]:
        return iter(self.read(slice(None)))
