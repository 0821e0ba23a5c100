"""Keep what the administrators were told of the server, in messages of no club."""

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('league', '0004_animals'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    contract = "A column that may be empty takes all that the release before writes."

    operations = [
        migrations.CreateModel(
            name='Alarm',
            fields=[
                ('name', models.CharField(max_length=20, primary_key=True, serialize=False)),
                ('since', models.DateTimeField(default=django.utils.timezone.now)),
                ('value', models.CharField(blank=True, max_length=200)),
                ('told_at', models.DateTimeField(null=True)),
            ],
        ),
        migrations.AlterField(
            model_name='newsitem',
            name='club',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='news', to='league.club'),
        ),
        migrations.AddConstraint(
            model_name='newsitem',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('club', None), ('kind', 'trouble')), ('club__isnull', False), _connector='OR'), name='news_without_club_is_trouble'),
        ),
    ]
