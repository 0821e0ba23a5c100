from django.db import migrations, models

KINDS = [
    ("settlement", "payment"),
    ("cost", "shared cost"),
    ("fee", "entry fee"),
    ("prize", "prize"),
    ("game", "game at a stakes table"),
    ("side", "plus and minus"),
]


class Migration(migrations.Migration):
    dependencies = [("league", "0192_embed_hosts")]

    operations = [
        migrations.RemoveConstraint(model_name="posting", name="posting_kind_known"),
        # A choice more; the column stays.
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.AlterField(
                    model_name="posting",
                    name="kind",
                    field=models.CharField(choices=KINDS, max_length=12),
                ),
            ],
        ),
        migrations.AddConstraint(
            model_name="posting",
            constraint=models.CheckConstraint(
                condition=models.Q(("kind__in", [key for key, _name in KINDS])),
                name="posting_kind_known",
            ),
        ),
    ]
