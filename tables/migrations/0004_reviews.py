"""Reviews of finished games: a cache of what the judge found."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('tables', '0003_batches_in_goes'),
    ]

    operations = [
        migrations.CreateModel(
            name='Review',
            fields=[
                ('game', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='review', serialize=False, to='tables.game')),
                ('judge', models.CharField(max_length=20)),
                ('version', models.PositiveSmallIntegerField()),
                ('state', models.CharField(choices=[('waiting', 'Waiting'), ('made', 'Made'), ('not judged', 'Not Judged')], default='waiting', max_length=10)),
                ('why', models.CharField(blank=True, max_length=12)),
                ('made_at', models.DateTimeField(blank=True, null=True)),
                ('body', models.JSONField(blank=True, null=True)),
            ],
            options={
                'indexes': [models.Index(fields=['state', 'made_at'], name='review_state_made')],
                'constraints': [models.CheckConstraint(condition=models.Q(models.Q(('body__isnull', True), ('made_at', None), ('state', 'waiting'), ('why', '')), models.Q(('body__isnull', False), ('made_at__isnull', False), ('state', 'made'), ('why', '')), models.Q(('body__isnull', True), ('made_at__isnull', False), ('state', 'not judged'), models.Q(('why', ''), _negated=True)), _connector='OR'), name='review_is_what_its_state_says')],
            },
        ),
    ]
