"""What a payer says was paid, until a yes posts it."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('league', '0021_tapped_at'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='ReportedPayment',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('amount', models.PositiveBigIntegerField()),
                ('client_id', models.UUIDField(unique=True)),
                ('at', models.DateTimeField(auto_now_add=True)),
                ('outcome', models.CharField(choices=[('open', 'Open'), ('posted', 'Posted'), ('refused', 'Refused'), ('withdrawn', 'Withdrawn')], default='open', max_length=9)),
                ('ended_at', models.DateTimeField(null=True)),
                ('by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('event', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='reported', to='league.event')),
                ('payee', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='league.player')),
                ('payer', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='league.player')),
                ('posting', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='league.posting')),
                ('season', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='reported', to='league.season')),
            ],
            options={
                'ordering': ['id'],
                'constraints': [models.UniqueConstraint(condition=models.Q(('outcome', 'open')), fields=('season', 'payer', 'payee'), name='reported_payment_one_open_of_two'), models.CheckConstraint(condition=models.Q(('amount__gt', 0), models.Q(('payer', models.F('payee')), _negated=True)), name='reported_payment_moves_something'), models.CheckConstraint(condition=models.Q(models.Q(('ended_at', None), ('outcome', 'open'), ('posting', None)), models.Q(('ended_at__isnull', False), ('outcome', 'posted'), ('posting__isnull', False)), models.Q(('ended_at__isnull', False), ('outcome__in', ['refused', 'withdrawn']), ('posting', None)), _connector='OR'), name='reported_payment_ends_once')],
            },
        ),
    ]
