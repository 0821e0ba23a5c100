"""News of tables belong to no club, and a turn is told until its clock ends."""

from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('league', '0035_strengths'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name='newsitem',
            name='news_without_club_is_trouble',
        ),
        migrations.AddField(
            model_name='newsitem',
            name='expires_at',
            field=models.DateTimeField(help_text='When it is no longer worth telling.', null=True),
        ),
        migrations.AddConstraint(
            model_name='newsitem',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('club', None), ('kind__in', ('trouble', 'invited', 'company', 'turn', 'sprint_soon'))), ('club__isnull', False), _connector='OR'), name='news_without_club_is_of_server_or_table'),
        ),
    ]
