"""Names of people: their clean form, Vietnamese order, pasted lists."""

from .clean import LONGEST, clean_name, fold, identity, is_meant, refuse_address, without_phone
from .lists import MOST_NAMES, MOST_PROBLEMS, ListProblem, NameList, parse_name_list
from .mentions import bare_words, found_in, wanted
from .problems import (
    AddressInName,
    ControlCharacter,
    EmptyName,
    HouseName,
    LongName,
    NameProblem,
    StackedMarks,
)
from .sorting import LONGEST_KEY, sort_key

__all__ = [
    "AddressInName",
    "ControlCharacter",
    "EmptyName",
    "HouseName",
    "LONGEST",
    "LONGEST_KEY",
    "ListProblem",
    "LongName",
    "MOST_NAMES",
    "MOST_PROBLEMS",
    "NameList",
    "NameProblem",
    "StackedMarks",
    "bare_words",
    "clean_name",
    "fold",
    "found_in",
    "identity",
    "is_meant",
    "parse_name_list",
    "refuse_address",
    "sort_key",
    "wanted",
    "without_phone",
]
