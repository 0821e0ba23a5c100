"""A club's segment Manage: everything that is done once a season or once a year."""

from dataclasses import dataclass

from django.db.models import Model, QuerySet
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.base.rights import Right
from league.models import Club, Season
from league.seasons.pages.past_seasons import closed_seasons


@dataclass(frozen=True)
class ManageRow:
    """A page of the club with how it stands or what it is for, for those with at least `right`."""

    icon: str
    text: str
    note: str
    address: str
    right: Right = Right.SEE


@dataclass(frozen=True)
class ManageGroup:
    """Rows under one heading."""

    title: str
    rows: list[ManageRow]


def groups(club: Club, season: Season | None, right: Right) -> list[ManageGroup]:
    """Return what this visitor may open, by subject; `season` is the one that goes on."""

    def to(name: str, *more: object) -> str:
        return reverse(f"league:{name}", args=[club.slug, *more])

    organise, own = Right.ORGANISE, Right.OWN
    rules = season.ruleset.body["name"] if season is not None else _("what the club plays by")
    past = _named(closed_seasons(club), _("standings and records"))
    roles = club.memberships.count()
    play = [
        ManageRow("scale", _("Rules"), rules, to("rules_list")),
        ManageRow(
            "calendar", _("Calendar"), _("nights to come, in your own calendar"), to("calendar")
        ),
        ManageRow("trophy", _("Past seasons"), past, to("past_seasons")),
        ManageRow(
            "coin", _("Money tables"), _("online, booked in the club's money"), to("club_tables")
        ),
        ManageRow("bot", _("Arena"), _("bots of the club"), to("arena")),
        ManageRow("plus", _("New season"), _("starts from zero"), to("season_create"), organise),
    ]
    running = []
    if season is not None:
        recipes = to("schedules", season.pk)
        kinds = _named(season.schedules.order_by("pk"), _("kinds of night, and what repeats"))
        teams = _named(season.rosters.order_by("pk"), _("and who plays for them"))
        play.insert(0, ManageRow("list", _("Recipes"), kinds, recipes, organise))
        running = [
            ManageRow(
                "chart",
                _("Scoring"),
                _("points and what counts"),
                to("season_settings", season.pk),
                organise,
            ),
            ManageRow(
                "edit",
                _("Penalties and bonuses"),
                _("with their reasons"),
                to("adjustments", season.pk),
            ),
            ManageRow("people", _("Teams"), teams, to("rosters", season.pk)),
            ManageRow(
                "download",
                _("Bring your notebook"),
                _("past nights, as your sheet has them"),
                to("import_results", season.pk),
                organise,
            ),
        ]
    club_rows = [
        ManageRow(
            "users",
            _("Roles"),
            ngettext("%(n)s person", "%(n)s people", roles) % {"n": roles},
            to("members"),
            own,
        ),
        ManageRow("link", _("Invitations"), _("links for members"), to("invitations"), own),
        ManageRow(
            "gear", _("Settings"), _("name, unit, public or private"), to("club_settings"), own
        ),
        ManageRow("hook", _("Webhooks"), _("news for other programs"), to("webhooks"), own),
        ManageRow("lock", _("Archive or close"), _("everything in one file"), to("close"), own),
        ManageRow("clock", _("Log"), _("who changed what"), to("audit"), organise),
        ManageRow("trash", _("Bin"), _("kept for 30 days"), to("bin"), organise),
    ]
    found = [
        ManageGroup(_("Play"), play),
        ManageGroup(season.name if season is not None else "", running),
        ManageGroup(_("Club"), club_rows),
    ]
    allowed = [
        ManageGroup(one.title, [row for row in one.rows if right >= row.right]) for one in found
    ]
    return [group for group in allowed if group.rows]


def _named(found: QuerySet[Model], note: str) -> str:
    """Return how many there are with the names of the first; without any, the `note`."""
    names = list(found.values_list("name", flat=True))
    return f"{len(names)}: {', '.join(names[:3])}" if names else note
