"""The beginnings of the API's addresses."""

CLUB = "v1/clubs/<slug:slug>/"
SEASON = CLUB + "seasons/<int:pk>/"
EVENT = CLUB + "events/<int:pk>/"
