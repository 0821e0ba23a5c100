"""Finds the players who have no page of their table open."""

from django.conf import settings
from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models


class Migration(migrations.Migration):

    atomic = False

    dependencies = [
        ('tables', '0014_strengths'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        AddIndexConcurrently(
            model_name='seat',
            index=models.Index(condition=models.Q(('gone_at__isnull', False), ('left_at', None), ('user__isnull', False)), fields=['gone_at'], name='seat_gone'),
        ),
    ]
