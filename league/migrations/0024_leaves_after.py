"""The round after which a player goes who is at another night too."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('league', '0023_silent_clubs'),
    ]

    operations = [
        migrations.AddField(
            model_name='entrant',
            name='leaves_after',
            field=models.PositiveSmallIntegerField(help_text='The round after which they go; until the next draw they are here.', null=True),
        ),
        migrations.AddConstraint(
            model_name='entrant',
            constraint=models.CheckConstraint(condition=models.Q(('leaves_after', None), models.Q(('leaves_after__gte', 1), ('presence', 'here')), _connector='OR'), name='entrant_leaves_after_only_if_here'),
        ),
    ]
