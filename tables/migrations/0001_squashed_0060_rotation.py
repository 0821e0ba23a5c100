import uuid

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

ONLY_GROWS = """
CREATE FUNCTION tables_refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% only grows', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END $$;
CREATE TRIGGER tables_action_only_grows BEFORE UPDATE OR DELETE ON tables_action
    FOR EACH ROW EXECUTE FUNCTION tables_refuse_change();
"""
KEEPS_ITS_WORD = """
CREATE FUNCTION tables_game_keeps_its_word() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF (OLD.secret, OLD.commitment, OLD.no, OLD.table_id)
        IS DISTINCT FROM (NEW.secret, NEW.commitment, NEW.no, NEW.table_id)
        OR (OLD.links IS NOT NULL AND OLD.links IS DISTINCT FROM NEW.links)
        OR (OLD.dealt_at IS NOT NULL AND (OLD.links, OLD.parts)
            IS DISTINCT FROM (NEW.links, NEW.parts))
        OR (OLD.over_at IS NOT NULL AND (OLD.dealt, OLD.dealer, OLD.dealt_first)
            IS DISTINCT FROM (NEW.dealt, NEW.dealer, NEW.dealt_first))
    THEN
        RAISE EXCEPTION 'what was published of a deal stays as it is'
            USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER tables_game_keeps_its_word BEFORE UPDATE ON tables_game
    FOR EACH ROW EXECUTE FUNCTION tables_game_keeps_its_word();
"""


class Migration(migrations.Migration):

    replaces = [('tables', '0001_initial'), ('tables', '0002_live_tables'), ('tables', '0003_append_only'), ('tables', '0010_runs_in_turn'), ('tables', '0011_table_unlisted'), ('tables', '0030_arrangements'), ('tables', '0020_playing'), ('tables', '0040_verdicts'), ('tables', '0050_for_members'), ('tables', '0051_watchers_talk'), ('tables', '0060_rotation')]

    initial = True

    dependencies = [
        ('accounts', '0001_initial'),
    ]

    operations = [
        migrations.CreateModel(
            name='FrozenRuleset',
            fields=[
                ('digest', models.CharField(max_length=64, primary_key=True, serialize=False)),
                ('key', models.CharField(max_length=60)),
                ('body', models.JSONField()),
            ],
        ),
        migrations.CreateModel(
            name='Run',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('bots', models.JSONField(help_text="By entry: [{'name': 'greedy', 'version': '1'}, …].")),
                ('design', models.CharField(default='rotations', max_length=20)),
                ('seed', models.CharField(max_length=64)),
                ('deals', models.PositiveIntegerField()),
                ('deals_per_unit', models.PositiveIntegerField()),
                ('stake', models.PositiveIntegerField(default=1)),
                ('status', models.CharField(choices=[('running', 'Running'), ('paused', 'Paused'), ('done', 'Done'), ('cancelled', 'Cancelled')], default='running', max_length=12)),
                ('digest', models.CharField(blank=True, help_text='Over all units, when done.', max_length=64)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('finished_at', models.DateTimeField(blank=True, null=True)),
                ('ruleset', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, to='tables.frozenruleset')),
                ('effect', models.FloatField(blank=True, null=True)),
                ('priority', models.PositiveSmallIntegerField(choices=[(0, 'Low'), (1, 'Normal'), (2, 'High')], default=1)),
                ('ratings', models.JSONField(blank=True, null=True)),
                ('turn', models.BigIntegerField(default=0)),
                ('verdict', models.JSONField(blank=True, null=True)),
                ('substitute', models.CharField(default='lowest', max_length=30)),
                ('outside', models.BooleanField(default=False)),
                ('forfeits', models.BooleanField(db_default=False, default=True)),
                ('most_faults', models.FloatField(db_default=0.01, default=0.01)),
                ('redone', models.PositiveIntegerField(db_default=0, default=0)),
                ('extended', models.BooleanField(db_default=False, default=False)),
                ('remote_since', models.DateTimeField(blank=True, null=True)),
                ('remote_swept_at', models.DateTimeField(blank=True, null=True)),
            ],
            options={
                'constraints': [models.CheckConstraint(condition=models.Q(('deals__gte', 1)), name='run_has_deals'), models.CheckConstraint(condition=models.Q(('deals_per_unit__gte', 1)), name='run_unit_has_deals'), models.CheckConstraint(condition=models.Q(('status__in', ['running', 'paused']), ('finished_at__isnull', False), _connector='OR'), name='run_ended_has_a_time'), models.CheckConstraint(condition=models.Q(('effect__isnull', True), models.Q(('design', 'versus'), ('effect__gt', 0), ('effect__lte', 1)), _connector='OR'), name='run_effect_is_between_two'), models.CheckConstraint(condition=models.Q(('verdict__isnull', True), models.Q(('effect__isnull', False), ('status', 'done')), _connector='OR'), name='run_verdict_ended_it'), models.CheckConstraint(condition=models.Q(('priority__lte', 2)), name='run_priority_known'), models.CheckConstraint(condition=models.Q(('most_faults__gte', 0), ('most_faults__lte', 1)), name='run_most_faults_is_a_share')],
            },
        ),
        migrations.CreateModel(
            name='Unit',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('index', models.PositiveIntegerField()),
                ('first_deal', models.PositiveIntegerField()),
                ('deals', models.PositiveIntegerField()),
                ('state', models.CharField(choices=[('waiting', 'Waiting'), ('leased', 'Leased'), ('asking', 'Asking'), ('done', 'Done'), ('dead', 'Dead'), ('skipped', 'Skipped')], default='waiting', max_length=8)),
                ('attempts', models.PositiveSmallIntegerField(default=0)),
                ('lease_until', models.DateTimeField(blank=True, null=True)),
                ('digest', models.CharField(blank=True, max_length=64)),
                ('conflict_digest', models.CharField(blank=True, max_length=64)),
                ('games', models.PositiveIntegerField(default=0)),
                ('tally', models.JSONField(blank=True, null=True)),
                ('trace', models.TextField(blank=True)),
                ('run', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='units', to='tables.run')),
                ('done_at', models.DateTimeField(blank=True, null=True)),
                ('failures', models.PositiveSmallIntegerField(default=0)),
                ('moments', models.JSONField(blank=True, null=True)),
                ('replay', models.CharField(choices=[('no', 'No'), ('wanted', 'Wanted'), ('same', 'Same'), ('different', 'Different'), ('never', 'Never')], default='no', max_length=9)),
                ('faults', models.PositiveIntegerField(default=0)),
                ('machine', models.CharField(blank=True, db_default='', max_length=60)),
                ('conflict_machine', models.CharField(blank=True, db_default='', max_length=60)),
            ],
            options={
                'indexes': [models.Index(condition=models.Q(('state', 'leased')), fields=['lease_until'], name='unit_leases'), models.Index(condition=models.Q(('state', 'waiting')), fields=['run', 'index'], name='unit_waiting'), models.Index(condition=models.Q(('state', 'done')), fields=['run', 'done_at'], name='unit_done'), models.Index(condition=models.Q(('replay', 'wanted')), fields=['run'], name='unit_replays'), models.Index(condition=models.Q(('faults__gt', 0)), fields=['run', 'index'], name='unit_faults')],
                'constraints': [models.UniqueConstraint(fields=('run', 'index'), name='unit_once_per_run'), models.CheckConstraint(condition=models.Q(models.Q(('state', 'done'), _negated=True), models.Q(models.Q(('digest', ''), _negated=True), ('tally__isnull', False)), _connector='OR'), name='unit_done_has_a_result'), models.CheckConstraint(condition=models.Q(models.Q(('state', 'leased'), _negated=True), ('lease_until__isnull', False), _connector='OR'), name='unit_leased_until'), models.CheckConstraint(condition=models.Q(('conflict_digest', ''), models.Q(('conflict_digest', models.F('digest')), _negated=True), _connector='OR'), name='unit_conflict_differs')],
            },
        ),
        migrations.CreateModel(
            name='Table',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.CharField(max_length=12, unique=True)),
                ('players', models.PositiveSmallIntegerField()),
                ('move_seconds', models.PositiveSmallIntegerField()),
                ('bank_seconds', models.PositiveSmallIntegerField(default=0)),
                ('status', models.CharField(choices=[('waiting', 'Waiting'), ('playing', 'Playing'), ('between', 'Between'), ('closed', 'Closed')], default='waiting', max_length=8)),
                ('version', models.PositiveIntegerField(default=1)),
                ('moved_version', models.PositiveIntegerField(default=1)),
                ('access_version', models.PositiveIntegerField(default=1)),
                ('due_at', models.DateTimeField(blank=True, null=True)),
                ('turn_at', models.DateTimeField(blank=True, null=True)),
                ('credited_version', models.PositiveIntegerField(default=0)),
                ('opened_at', models.DateTimeField(auto_now_add=True)),
                ('closed_at', models.DateTimeField(blank=True, null=True)),
                ('ruleset', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, to='tables.frozenruleset')),
                ('again', models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='before', to='tables.table')),
                ('talk', models.CharField(choices=[('all', 'All'), ('quick', 'Quick'), ('off', 'Off')], default='all', max_length=5)),
                ('thinks', models.BooleanField(default=False)),
                ('watchers_talk', models.BooleanField(db_default=True, default=True)),
                ('bot', models.CharField(db_default='greedy', default='greedy', max_length=40)),
                ('for_anyone', models.BooleanField(db_default=False, default=False)),
                ('rated', models.BooleanField(db_default=False, default=False)),
                ('met', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='tables.table')),
                ('company_until', models.DateTimeField(blank=True, null=True)),
                ('watch_delay', models.PositiveSmallIntegerField(choices=[(0, 'None'), (20, 'Seconds'), (60, 'Minute'), (32767, 'Game')], db_default=0, default=0)),
            ],
            options={
                'indexes': [models.Index(condition=models.Q(('due_at__isnull', False)), fields=['due_at'], name='table_due'), models.Index(condition=models.Q(('thinks', True)), fields=['due_at'], name='table_thinks'), models.Index(condition=models.Q(('closed_at', None), ('for_anyone', True)), fields=['opened_at'], name='table_in_the_lobby')],
                'constraints': [models.CheckConstraint(condition=models.Q(('players__gte', 2), ('players__lte', 8)), name='table_seats_two_to_eight'), models.CheckConstraint(condition=models.Q(('move_seconds__gte', 1)), name='table_has_a_clock'), models.CheckConstraint(condition=models.Q(models.Q(('closed_at__isnull', False), ('due_at', None), ('status', 'closed')), models.Q(('closed_at', None), models.Q(('status', 'closed'), _negated=True)), _connector='OR'), name='table_closed_rests'), models.CheckConstraint(condition=models.Q(models.Q(('status', 'playing'), _negated=True), ('due_at__isnull', False), _connector='OR'), name='table_playing_is_due'), models.CheckConstraint(condition=models.Q(('rated', False), ('for_anyone', True), _connector='OR'), name='table_rated_is_for_anyone'), models.CheckConstraint(condition=models.Q(('watch_delay__in', (0, 20, 60, 32767))), name='table_watch_delay_known'), models.CheckConstraint(condition=models.Q(('watch_delay', 0), ('for_anyone', False), _connector='OR'), name='table_for_anyone_is_seen_at_once')],
            },
        ),
        migrations.CreateModel(
            name='Seat',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('no', models.PositiveSmallIntegerField()),
                ('name', models.CharField(max_length=40)),
                ('bot', models.CharField(blank=True, max_length=40)),
                ('token_hash', models.CharField(blank=True, max_length=64)),
                ('bank_ms', models.PositiveIntegerField(default=0)),
                ('autopilot', models.BooleanField(default=False)),
                ('leaving', models.BooleanField(default=False)),
                ('seated_at', models.DateTimeField(auto_now_add=True)),
                ('left_at', models.DateTimeField(blank=True, null=True)),
                ('user', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, to=settings.AUTH_USER_MODEL)),
                ('table', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='seats', to='tables.table')),
                ('away', models.BooleanField(default=False)),
                ('ready', models.BooleanField(db_default=False, default=False)),
                ('device', models.CharField(blank=True, db_default='', max_length=64)),
                ('network', models.CharField(blank=True, db_default='', max_length=50)),
                ('link', models.CharField(blank=True, db_default='', default='', max_length=64)),
            ],
            options={
                'constraints': [models.CheckConstraint(condition=models.Q(models.Q(('bot', ''), ('token_hash', ''), ('user__isnull', False)), models.Q(('token_hash', ''), ('user', None), models.Q(('bot', ''), _negated=True)), models.Q(('bot', ''), ('user', None), models.Q(('token_hash', ''), _negated=True)), _connector='OR'), name='seat_held_by_exactly_one'), models.UniqueConstraint(condition=models.Q(('left_at', None)), fields=('table', 'no'), name='seat_one_holder'), models.UniqueConstraint(condition=models.Q(('left_at', None)), fields=('table', 'user'), name='seat_user_sits_once'), models.UniqueConstraint(condition=models.Q(('token_hash', ''), _negated=True), fields=('token_hash',), name='seat_token_once'), models.CheckConstraint(condition=models.Q(('away', False), ('autopilot', True), _connector='OR'), name='seat_away_is_played_for')],
            },
        ),
        migrations.CreateModel(
            name='Game',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('no', models.PositiveIntegerField()),
                ('secret', models.CharField(max_length=64)),
                ('commitment', models.CharField(max_length=64)),
                ('dealer', models.PositiveSmallIntegerField(blank=True, null=True)),
                ('dealt_first', models.PositiveSmallIntegerField(blank=True, null=True)),
                ('dealt', models.JSONField(blank=True, null=True)),
                ('previous', models.JSONField(blank=True, null=True)),
                ('holders', models.JSONField(default=list)),
                ('window_until', models.DateTimeField(blank=True, null=True)),
                ('window_closed', models.BooleanField(default=False)),
                ('answers', models.JSONField(default=dict)),
                ('outcome', models.JSONField(blank=True, null=True)),
                ('dealt_at', models.DateTimeField(blank=True, null=True)),
                ('over_at', models.DateTimeField(blank=True, null=True)),
                ('table', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='games', to='tables.table')),
                ('thought', models.JSONField(blank=True, null=True)),
                ('trade_closed', models.BooleanField(default=True)),
                ('trade_until', models.DateTimeField(blank=True, null=True)),
                ('trades', models.JSONField(default=dict)),
                ('links', models.JSONField(blank=True, null=True)),
                ('parts', models.JSONField(blank=True, null=True)),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('table', 'no'), name='game_once_per_table'), models.CheckConstraint(condition=models.Q(models.Q(('dealt__isnull', True), ('dealt_at', None)), models.Q(('dealt__isnull', False), ('dealt_at__isnull', False)), _connector='OR'), name='game_dealt_has_a_time'), models.CheckConstraint(condition=models.Q(models.Q(('outcome__isnull', True), ('over_at', None)), models.Q(('dealt__isnull', False), ('outcome__isnull', False), ('over_at__isnull', False)), _connector='OR'), name='game_over_has_an_outcome')],
            },
        ),
        migrations.CreateModel(
            name='Action',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('seq', models.PositiveIntegerField()),
                ('version', models.PositiveIntegerField()),
                ('seat', models.PositiveSmallIntegerField()),
                ('body', models.JSONField()),
                ('client_id', models.CharField(blank=True, max_length=40, null=True)),
                ('made_by', models.CharField(default='player', max_length=10)),
                ('at', models.DateTimeField(auto_now_add=True)),
                ('game', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='actions', to='tables.game')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('game', 'seq'), name='action_once_per_number'), models.UniqueConstraint(fields=('game', 'seat', 'client_id'), name='action_once_per_client_id')],
            },
        ),
        migrations.CreateModel(
            name='Arrangement',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('stake', models.PositiveIntegerField(default=1)),
                ('unit', models.CharField(blank=True, max_length=20)),
                ('games', models.PositiveSmallIntegerField(null=True)),
                ('first_dealer', models.PositiveSmallIntegerField(default=0)),
                ('plays_on', models.BooleanField(default=False)),
                ('ready', models.JSONField(default=list)),
                ('abandoned_game', models.PositiveIntegerField(null=True)),
                ('home', models.CharField(blank=True, help_text='The page that it belongs to.', max_length=200)),
                ('home_name', models.CharField(blank=True, max_length=120)),
                ('table', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='arrangement', to='tables.table')),
                ('members_only', models.BooleanField(db_default=False, default=False)),
                ('rotates', models.BooleanField(db_default=False, default=False)),
                ('held', models.BooleanField(db_default=False, default=False)),
            ],
            options={
                'constraints': [models.CheckConstraint(condition=models.Q(('stake__gte', 1)), name='arrangement_has_a_stake'), models.CheckConstraint(condition=models.Q(('games', None), ('games__gte', 1), _connector='OR'), name='arrangement_has_games'), models.CheckConstraint(condition=models.Q(('first_dealer__lte', 7)), name='arrangement_dealer_has_a_chair'), models.CheckConstraint(condition=models.Q(('held', False), models.Q(('members_only', False), ('rotates', True)), _connector='OR'), name='arrangement_held_rotates')],
            },
        ),
        migrations.CreateModel(
            name='Successor',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('no', models.PositiveSmallIntegerField()),
                ('name', models.CharField(max_length=40)),
                ('bot', models.CharField(blank=True, max_length=40)),
                ('token_hash', models.CharField(blank=True, max_length=64)),
                ('table', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='successors', to='tables.table')),
                ('user', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('table', 'no'), name='successor_one_per_chair'), models.CheckConstraint(condition=models.Q(models.Q(('bot', ''), ('token_hash', ''), ('user__isnull', False)), models.Q(('token_hash', ''), ('user', None), models.Q(('bot', ''), _negated=True)), models.Q(('bot', ''), ('user', None), models.Q(('token_hash', ''), _negated=True)), _connector='OR'), name='successor_is_exactly_one')],
            },
        ),
        migrations.CreateModel(
            name='BotAccount',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=30, unique=True)),
                ('takes_challenges', models.BooleanField(default=True)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('user', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='bot_account', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'constraints': [models.CheckConstraint(condition=models.Q(('name', ''), _negated=True), name='bot_account_has_a_name')],
            },
        ),
        migrations.CreateModel(
            name='Challenge',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('by', models.CharField(help_text='The name at the table of who asked.', max_length=40)),
                ('at', models.DateTimeField(auto_now_add=True)),
                ('answered_at', models.DateTimeField(null=True)),
                ('accepted', models.BooleanField(default=False)),
                ('bot', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='challenges', to='tables.botaccount')),
                ('table', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='challenges', to='tables.table')),
            ],
            options={
                'constraints': [models.UniqueConstraint(condition=models.Q(('answered_at', None)), fields=('table', 'bot'), name='challenge_open_once'), models.CheckConstraint(condition=models.Q(('accepted', False), ('answered_at__isnull', False), _connector='OR'), name='challenge_accepted_is_answered')],
            },
        ),
        migrations.CreateModel(
            name='Message',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('text', models.CharField(blank=True, max_length=160)),
                ('quick', models.CharField(blank=True, max_length=10)),
                ('at', models.DateTimeField(auto_now_add=True)),
                ('seat', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='messages', to='tables.seat')),
                ('table', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='messages', to='tables.table')),
                ('name', models.CharField(blank=True, db_default='', max_length=40)),
                ('watcher', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'indexes': [models.Index(fields=['table', '-id'], name='message_newest')],
                'constraints': [models.CheckConstraint(condition=models.Q(models.Q(('quick', ''), models.Q(('text', ''), _negated=True)), models.Q(('text', ''), models.Q(('quick', ''), _negated=True)), _connector='OR'), name='message_text_or_quick'), models.CheckConstraint(condition=models.Q(models.Q(('name', ''), ('seat__isnull', False), ('watcher', None)), models.Q(('seat', None), ('watcher__isnull', False)), _connector='OR'), name='message_by_seat_or_watcher')],
            },
        ),
        migrations.CreateModel(
            name='KeptGames',
            fields=[
                ('unit', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='kept', serialize=False, to='tables.unit')),
                ('body', models.BinaryField()),
            ],
        ),
        migrations.CreateModel(
            name='SentRequest',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.CharField(max_length=300)),
                ('digest', models.CharField(max_length=64)),
                ('status', models.PositiveSmallIntegerField(null=True)),
                ('answer', models.JSONField(null=True)),
                ('at', models.DateTimeField(auto_now_add=True, db_index=True)),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='sent_requests', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('user', 'key'), name='sent_request_once')],
            },
        ),
        migrations.CreateModel(
            name='TableRating',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('bot', models.CharField(blank=True, max_length=40)),
                ('name', models.CharField(max_length=40)),
                ('mu', models.FloatField(help_text='The estimate; a newcomer has 25.')),
                ('sigma', models.FloatField(help_text='Its standard deviation.')),
                ('games', models.PositiveIntegerField(default=0)),
                ('user', models.OneToOneField(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='table_rating', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'indexes': [models.Index(fields=['-mu'], name='table_rating_order')],
                'constraints': [models.CheckConstraint(condition=models.Q(models.Q(('user', None), models.Q(('bot', ''), _negated=True)), models.Q(('bot', ''), ('user__isnull', False)), _connector='OR'), name='table_rating_of_exactly_one'), models.UniqueConstraint(condition=models.Q(('bot', ''), _negated=True), fields=('bot',), name='table_rating_once_for_a_bot'), models.CheckConstraint(condition=models.Q(('sigma__gt', 0)), name='table_rating_is_uncertain')],
            },
        ),
        migrations.CreateModel(
            name='CountedGame',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('rated_at', models.DateTimeField(null=True)),
                ('game', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='rated', to='tables.game')),
            ],
            options={
                'indexes': [models.Index(condition=models.Q(('rated_at', None)), fields=['id'], name='rated_game_waits')],
            },
        ),
        migrations.CreateModel(
            name='RatedPlace',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('no', models.PositiveSmallIntegerField()),
                ('name', models.CharField(max_length=40)),
                ('rank', models.PositiveSmallIntegerField()),
                ('before', models.FloatField()),
                ('after', models.FloatField()),
                ('rated', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='places', to='tables.countedgame')),
                ('user', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('rated', 'no'), name='rated_place_once')],
            },
        ),
        migrations.CreateModel(
            name='Sprint',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.CharField(max_length=12, unique=True)),
                ('players', models.PositiveSmallIntegerField()),
                ('move_seconds', models.PositiveSmallIntegerField()),
                ('starts_at', models.DateTimeField()),
                ('ends_at', models.DateTimeField(db_index=True)),
                ('home', models.CharField(blank=True, max_length=200)),
                ('home_name', models.CharField(blank=True, max_length=120)),
                ('ruleset', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, to='tables.frozenruleset')),
            ],
            options={
                'constraints': [models.CheckConstraint(condition=models.Q(('ends_at__gt', models.F('starts_at'))), name='sprint_ends_after_it_starts'), models.CheckConstraint(condition=models.Q(('players__gte', 2), ('players__lte', 8)), name='sprint_seats_two_to_eight'), models.UniqueConstraint(fields=('home', 'starts_at'), name='sprint_once_at_a_time')],
            },
        ),
        migrations.CreateModel(
            name='SprintEntry',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('device', models.CharField(blank=True, max_length=64)),
                ('name', models.CharField(max_length=40)),
                ('points', models.PositiveIntegerField(default=0)),
                ('firsts', models.PositiveIntegerField(default=0)),
                ('games', models.PositiveIntegerField(default=0)),
                ('left', models.BooleanField(default=False)),
                ('seen_at', models.DateTimeField()),
                ('waits_since', models.DateTimeField()),
                ('no', models.PositiveSmallIntegerField(null=True)),
                ('sprint', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='entries', to='tables.sprint')),
                ('table', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='sprint_entries', to='tables.table')),
                ('user', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'constraints': [models.CheckConstraint(condition=models.Q(models.Q(('user', None), models.Q(('device', ''), _negated=True)), models.Q(('device', ''), ('user__isnull', False)), _connector='OR'), name='sprint_entry_of_exactly_one'), models.UniqueConstraint(condition=models.Q(('device', '')), fields=('sprint', 'user'), name='sprint_entry_once'), models.UniqueConstraint(condition=models.Q(('user', None)), fields=('sprint', 'device'), name='sprint_entry_once_for_a_browser'), models.CheckConstraint(condition=models.Q(models.Q(('no', None), ('table', None)), models.Q(('no__isnull', False), ('table__isnull', False)), _connector='OR'), name='sprint_entry_has_a_chair'), models.UniqueConstraint(fields=('table', 'no'), name='sprint_entry_one_for_a_chair')],
            },
        ),
        migrations.CreateModel(
            name='SprintTable',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('counted', models.BooleanField(default=False)),
                ('sprint', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='tables', to='tables.sprint')),
                ('table', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='sprint_table', to='tables.table')),
            ],
            options={
                'indexes': [models.Index(condition=models.Q(('counted', False)), fields=['id'], name='sprint_table_counts')],
            },
        ),
        migrations.CreateModel(
            name='Upload',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('pool', models.CharField(max_length=40)),
                ('base', models.CharField(max_length=26)),
                ('number', models.PositiveIntegerField()),
                ('name', models.CharField(max_length=30, unique=True)),
                ('language', models.CharField(max_length=10)),
                ('body', models.BinaryField(help_text='The ZIP file as it was sent.')),
                ('digest', models.CharField(max_length=64)),
                ('state', models.CharField(choices=[('waiting', 'Waiting'), ('sound', 'Sound'), ('refused', 'Refused'), ('withdrawn', 'Withdrawn')], default='waiting', max_length=9)),
                ('report', models.TextField(blank=True)),
                ('tries', models.PositiveSmallIntegerField(default=0)),
                ('held_until', models.DateTimeField(null=True)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('author', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='uploads', to=settings.AUTH_USER_MODEL)),
                ('seen_at', models.DateTimeField(null=True)),
                ('seen_by', models.CharField(choices=[('author', 'Author'), ('club', 'Club'), ('everyone', 'Everyone')], db_default='everyone', default='everyone', max_length=8)),
            ],
            options={
                'indexes': [models.Index(fields=['pool', 'base', '-number'], name='upload_of_pool'), models.Index(condition=models.Q(('state', 'waiting')), fields=['created_at'], name='upload_waiting')],
                'constraints': [models.UniqueConstraint(fields=('base', 'number'), name='upload_version_once'), models.CheckConstraint(condition=models.Q(('state__in', ['waiting', 'sound', 'refused', 'withdrawn'])), name='upload_state_known'), models.CheckConstraint(condition=models.Q(('language__in', ['python', 'node', 'remote'])), name='upload_language_known'), models.CheckConstraint(condition=models.Q(('seen_by__in', ['author', 'club', 'everyone'])), name='upload_seen_by_known')],
            },
        ),
        migrations.CreateModel(
            name='Friend',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=40)),
                ('owner', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='table_friends', to=settings.AUTH_USER_MODEL)),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('owner', 'user'), name='friend_once'), models.CheckConstraint(condition=models.Q(('owner', models.F('user')), _negated=True), name='friend_is_another')],
            },
        ),
        migrations.CreateModel(
            name='TableInvite',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=40)),
                ('at', models.DateTimeField(auto_now_add=True)),
                ('by', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('table', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='invites', to='tables.table')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('table', 'user'), name='table_invite_once'), models.CheckConstraint(condition=models.Q(('by', models.F('user')), _negated=True), name='table_invite_to_another')],
            },
        ),
        migrations.CreateModel(
            name='RemoteGame',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField()),
                ('log', models.JSONField(default=list)),
                ('turn', models.PositiveIntegerField(default=0)),
                ('asked', models.JSONField(default=dict)),
                ('over', models.BooleanField(default=False)),
                ('bot', models.CharField(blank=True, max_length=30)),
                ('question', models.JSONField(null=True)),
                ('asked_at', models.DateTimeField(null=True)),
                ('client', models.CharField(blank=True, max_length=40)),
                ('leased_until', models.DateTimeField(null=True)),
                ('until', models.DateTimeField(null=True)),
                ('answer', models.JSONField(null=True)),
                ('unit', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='remote_games', to='tables.unit')),
            ],
            options={
                'indexes': [models.Index(condition=models.Q(('answer__isnull', True), ('question__isnull', False)), fields=['bot', 'asked_at'], name='remote_game_open')],
                'constraints': [models.UniqueConstraint(fields=('unit', 'number'), name='remote_game_once'), models.CheckConstraint(condition=models.Q(models.Q(('answer__isnull', True), ('bot', ''), ('question__isnull', True)), models.Q(models.Q(('bot', ''), _negated=True), ('asked_at__isnull', False), ('over', False), ('question__isnull', False)), _connector='OR'), name='remote_game_asks_one')],
            },
        ),
        migrations.CreateModel(
            name='Ladder',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('pool', models.CharField(max_length=40)),
                ('zero', models.JSONField()),
                ('is_on', models.BooleanField(default=True)),
                ('rows', models.JSONField(default=list)),
                ('rated_games', models.PositiveIntegerField(default=0)),
                ('chosen_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('ruleset', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, to='tables.frozenruleset')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('pool', 'ruleset'), name='ladder_once_by_rules'), models.UniqueConstraint(condition=models.Q(('is_on', True)), fields=('pool',), name='ladder_one_is_on')],
            },
        ),
        migrations.CreateModel(
            name='Meeting',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('test', models.BooleanField(default=False)),
                ('is_open', models.BooleanField(default=True)),
                ('opened_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('ladder', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='meetings', to='tables.ladder')),
                ('run', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='meeting', to='tables.run')),
            ],
            options={
                'indexes': [models.Index(fields=['ladder', '-opened_at'], name='ladder_meetings')],
                'constraints': [models.UniqueConstraint(condition=models.Q(('is_open', True)), fields=('ladder',), name='ladder_meets_once')],
            },
        ),
        migrations.CreateModel(
            name='Trial',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('run', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='trial', to='tables.run')),
                ('upload', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='trials', to='tables.upload')),
            ],
        ),
        migrations.CreateModel(
            name='SharedPlace',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('by', models.CharField(choices=[('device', 'Device'), ('network', 'Network')], max_length=7)),
                ('at', models.DateTimeField(auto_now_add=True)),
                ('one', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='tables.seat')),
                ('other', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='tables.seat')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('one', 'other', 'by'), name='shared_place_once'), models.CheckConstraint(condition=models.Q(('one__lt', models.F('other'))), name='shared_place_in_order'), models.CheckConstraint(condition=models.Q(('by__in', ['device', 'network'])), name='shared_place_by_known')],
            },
        ),
        migrations.RunSQL(KEEPS_ITS_WORD, "DROP FUNCTION tables_game_keeps_its_word() CASCADE;"),
        migrations.RunSQL(ONLY_GROWS, "DROP FUNCTION tables_refuse_change() CASCADE;"),
    ]
