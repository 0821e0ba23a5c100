"""Where a night is played, and the nights that a schedule makes."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('league', '0040_noted_money'),
    ]

    operations = [
        migrations.AddField(
            model_name='event',
            name='venue',
            field=models.CharField(blank=True, db_default='', default='', max_length=80),
        ),
        migrations.AddField(
            model_name='schedule',
            name='venue',
            field=models.CharField(blank=True, db_default='', default='', max_length=80),
        ),
    ]
