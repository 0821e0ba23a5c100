"""Strengths of people, fitted to all games at once, beside the ratings of before."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('league', '0034_old_rows'),
    ]

    operations = [
        migrations.CreateModel(
            name='Strength',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('mu', models.FloatField(help_text='The estimate; 25 is the mean.')),
                ('sigma', models.FloatField(help_text='The error of its difference to the mean.')),
                ('games', models.PositiveIntegerField()),
                ('model', models.PositiveSmallIntegerField()),
                ('computed_at', models.DateTimeField()),
                ('club', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='strengths', to='league.club')),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='league.player')),
                ('season', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='strengths', to='league.season')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('club', 'season', 'player'), name='strength_once', nulls_distinct=False), models.CheckConstraint(condition=models.Q(('games__gte', 1), ('sigma__gt', 0)), name='strength_is_of_somebody_who_played')],
            },
        ),
        migrations.CreateModel(
            name='StrengthPoint',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('mu', models.FloatField(help_text='The estimate; 25 is the mean.')),
                ('sigma', models.FloatField(help_text='The error of its difference to the mean.')),
                ('games', models.PositiveIntegerField()),
                ('event', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='league.event')),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='league.player')),
                ('season', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='strength_points', to='league.season')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('player', 'season', 'event'), name='strength_point_once'), models.CheckConstraint(condition=models.Q(('games__gte', 1), ('sigma__gt', 0)), name='strength_point_is_of_somebody')],
            },
        ),
        migrations.CreateModel(
            name='StrengthState',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('nights', models.JSONField(default=list)),
                ('names', models.BigIntegerField(default=0)),
                ('begins', models.PositiveIntegerField(default=0)),
                ('stamp', models.CharField(blank=True, max_length=80)),
                ('computed_at', models.DateTimeField(null=True)),
                ('club', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='league.club')),
                ('season', models.OneToOneField(null=True, on_delete=django.db.models.deletion.CASCADE, to='league.season')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('club', 'season'), name='strength_state_once', nulls_distinct=False)],
            },
        ),
    ]
