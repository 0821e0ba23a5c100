"""The beginnings of the pages' addresses, below `clubs/`."""

SEASON = "<slug:slug>/seasons/<int:pk>/"
EVENT = "<slug:slug>/events/<int:pk>/"
ROUND = EVENT + "rounds/<int:number>/"
TABLE = ROUND + "tables/<int:table_no>/"
