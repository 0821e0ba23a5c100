"""Which night of which club sent a player to this one, and from what place."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('league', '0025_stopped_clubs'),
    ]

    operations = [
        migrations.AddField(
            model_name='entrant',
            name='from_club',
            field=models.CharField(blank=True, db_default='', default='', help_text='Of whom another night sent: its club, and the place there in the next field.', max_length=80),
        ),
        migrations.AddField(
            model_name='entrant',
            name='from_place',
            field=models.PositiveSmallIntegerField(null=True),
        ),
    ]
