from django.db import migrations, models
from django.db.models import Q


def put_apart(apps, schema_editor):
    """Leave bots out of the ranking of people, and say so in the log of each club concerned.

    A season that has bot tournaments and no night was meant for bots, and stays as it is.
    """
    Season, Event, Tally, Audit = (
        apps.get_model("league", name) for name in ("Season", "Event", "Tally", "Audit")
    )
    tournaments = Event.objects.filter(kind="bots").values("season")
    nights = Event.objects.filter(kind="night").values("season")
    Season.objects.filter(pk__in=tournaments).exclude(pk__in=nights).update(ranks_bots=True)
    drawn = Tally.objects.filter(event__kind="night", entrant__counts=True)
    drawn = drawn.exclude(entrant__player__bot="").values("event__season")
    changed = Season.objects.filter(Q(pk__in=tournaments) | Q(pk__in=drawn), ranks_bots=False)
    Audit.objects.bulk_create(
        Audit(club_id=club, action="season.bots_apart", data={"season": key})
        for key, club in changed.order_by("pk").values_list("pk", "club_id")
    )


class Migration(migrations.Migration):
    dependencies = [("league", "0142_token_scopes")]

    operations = [
        migrations.AddField(
            model_name="season",
            name="ranks_bots",
            field=models.BooleanField(
                db_default=False,
                default=False,
                help_text="Bots are ranked as everyone else, and their tournaments count.",
                verbose_name="a season of bots",
            ),
        ),
        migrations.RunPython(put_apart, migrations.RunPython.noop),
    ]
