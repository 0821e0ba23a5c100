"""Why an administrator of the server closed a club."""

from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('league', '0024_leaves_after'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name='club',
            name='stopped_because',
            field=models.CharField(blank=True, db_default='', default='', help_text='Why an administrator of the server closed it; only they reopen it.', max_length=200),
        ),
        migrations.AddConstraint(
            model_name='club',
            constraint=models.CheckConstraint(condition=models.Q(('stopped_because', ''), ('closed_at__isnull', False), _connector='OR'), name='club_stopped_is_closed'),
        ),
    ]
