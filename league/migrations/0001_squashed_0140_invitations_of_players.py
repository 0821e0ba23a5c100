import uuid

import django.contrib.postgres.fields
import django.core.serializers.json
import django.db.models.deletion
import django.db.models.expressions
import django.db.models.functions.text
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

import league.models.event
import league.models.news
import league.models.secret
import league.models.spelling

PLACE = """
ALTER TABLE league_place ADD CONSTRAINT place_round_of_its_sitting
    FOREIGN KEY (sitting_id, round_id) REFERENCES league_sitting (id, round_id)
    DEFERRABLE INITIALLY DEFERRED;
"""
SEASON = """
ALTER TABLE league_event ADD CONSTRAINT event_of_season UNIQUE (id, season_id);
ALTER TABLE league_adjustment ADD CONSTRAINT league_adjustment_event_of_its_season
    FOREIGN KEY (event_id, season_id) REFERENCES league_event (id, season_id)
    DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE league_posting ADD CONSTRAINT league_posting_event_of_its_season
    FOREIGN KEY (event_id, season_id) REFERENCES league_event (id, season_id)
    DEFERRABLE INITIALLY DEFERRED;
"""
ONLY_GROWS = """
CREATE FUNCTION league_refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'UPDATE' AND current_setting('league.forgetting', true) = 'on'
       AND to_jsonb(NEW) - 'data' - 'note' = to_jsonb(OLD) - 'data' - 'note' THEN
        RETURN NEW;
    END IF;
    IF TG_OP = 'DELETE' AND TG_TABLE_NAME = 'league_audit' AND EXISTS (
        SELECT 1 FROM league_club
        WHERE id = (to_jsonb(OLD) ->> 'club_id')::bigint
          AND binned_at < now() - interval '30 days'
    ) THEN
        RETURN OLD;
    END IF;
    RAISE EXCEPTION '% only grows: post a reversal instead', TG_TABLE_NAME
        USING ERRCODE = 'restrict_violation';
END $$;
CREATE TRIGGER league_transfer_only_grows BEFORE UPDATE OR DELETE ON league_transfer
    FOR EACH ROW EXECUTE FUNCTION league_refuse_change();
CREATE TRIGGER league_audit_only_grows BEFORE UPDATE OR DELETE ON league_audit
    FOR EACH ROW EXECUTE FUNCTION league_refuse_change();
CREATE TRIGGER league_posting_only_grows BEFORE UPDATE OR DELETE ON league_posting
    FOR EACH ROW EXECUTE FUNCTION league_refuse_change();
"""
ADD = """
    INSERT INTO league_moneytally (season_id, event_id, account_id, games, other)
    SELECT coalesce(e.season_id, p.season_id), t.event_id, side.account,
           sum(CASE WHEN t.result_id IS NULL AND p.kind <> 'game' THEN 0 ELSE side.sign * t.amount END),
           sum(CASE WHEN t.result_id IS NULL AND p.kind <> 'game' THEN side.sign * t.amount ELSE 0 END)
    FROM added t
    LEFT JOIN league_event e ON e.id = t.event_id
    LEFT JOIN league_posting p ON p.id = t.posting_id
    CROSS JOIN LATERAL (VALUES (t.payee_id, 1), (t.payer_id, -1)) AS side (account, sign)
    GROUP BY 1, 2, 3
    ORDER BY 3
    ON CONFLICT (season_id, event_id, account_id) DO UPDATE
    SET games = league_moneytally.games + excluded.games,
        other = league_moneytally.other + excluded.other;
"""
MONEY = f"""
CREATE FUNCTION league_add_money() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    {ADD}
    RETURN NULL;
END $$;
CREATE TRIGGER league_transfer_is_added AFTER INSERT ON league_transfer
    REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION league_add_money();
"""


class Migration(migrations.Migration):

    replaces = [('league', '0001_initial'), ('league', '0002_append_only'), ('league', '0003_club_rulesets'), ('league', '0020_season_ledger'), ('league', '0021_season_ledger_held'), ('league', '0010_links_and_devices'), ('league', '0011_places_end'), ('league', '0012_disputes_and_clock'), ('league', '0013_check_in_links'), ('league', '0030_schedules'), ('league', '0040_player_wishes'), ('league', '0070_prepared_rows'), ('league', '0071_money_tallies'), ('league', '0060_nights_by_themselves'), ('league', '0050_night_formats'), ('league', '0100_forgetting'), ('league', '0101_verification'), ('league', '0080_live_tables'), ('league', '0110_schedule_problem_params'), ('league', '0120_live_problem_params'), ('league', '0130_season_table_nights'), ('league', '0121_club_tables'), ('league', '0131_ratings_of_bots'), ('league', '0140_invitations_of_players')]

    initial = True

    dependencies = [
        ('accounts', '0001_initial'),
        ('tables', '0001_squashed_0060_rotation'),
    ]

    operations = [
        migrations.CreateModel(
            name='Club',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=80, verbose_name='name')),
                ('slug', models.SlugField(max_length=60, unique=True)),
                ('time_zone', models.CharField(default='Asia/Ho_Chi_Minh', max_length=40, verbose_name='time zone')),
                ('unit', models.CharField(help_text='What stakes are counted in: đồng, dollars, chips, sweets, coffees.', max_length=20, verbose_name='unit of stakes')),
                ('is_public', models.BooleanField(default=True, help_text='Anyone can see the standings without signing in.', verbose_name='public')),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('closed_at', models.DateTimeField(blank=True, help_text='Since then only its owners see it.', null=True)),
                ('folded', models.GeneratedField(db_persist=True, expression=league.models.spelling.Folded('name'), help_text='The name without marks and case, to be found by.', output_field=models.TextField())),
                ('embed_hosts', models.CharField(blank=True, db_default='', default='', help_text='Addresses such as https://club.example, separated by spaces.', max_length=500, verbose_name='sites that may embed the standings')),
                ('binned_at', models.DateTimeField(blank=True, help_text='Since when it lies in the bin.', null=True)),
            ],
            options={
                'ordering': ['name', 'id'],
                'indexes': [models.Index(league.models.spelling.Alphabetical('name'), models.F('id'), name='club_alphabetical')],
                'constraints': [models.CheckConstraint(condition=models.Q(('binned_at', None), ('closed_at__isnull', False), _connector='OR'), name='club_in_the_bin_is_closed')],
            },
        ),
        migrations.CreateModel(
            name='Membership',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('role', models.CharField(choices=[('player', 'player'), ('scorer', 'scorer'), ('organiser', 'organiser'), ('owner', 'owner')], max_length=10)),
                ('club', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='memberships', to='league.club')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='memberships', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('club', 'user'), name='membership_once'), models.CheckConstraint(condition=models.Q(('role__in', ['player', 'scorer', 'organiser', 'owner'])), name='membership_role_known')],
            },
        ),
        migrations.CreateModel(
            name='Player',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=60, verbose_name='name')),
                ('name_key', models.CharField(help_text='The name without case, to refuse twins.', max_length=180)),
                ('sort_key', models.CharField(db_collation='C', max_length=500)),
                ('bot', models.CharField(blank=True, help_text="A bot's name in `engine.bots`.", max_length=40)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('club', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='players', to='league.club')),
                ('merged_into', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='aliases', to='league.player')),
                ('user', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, to=settings.AUTH_USER_MODEL)),
                ('fixed_table', models.PositiveSmallIntegerField(blank=True, help_text='The table that this player needs, counted from one.', null=True)),
                ('group', models.CharField(blank=True, help_text='Draws keep people of the same group apart.', max_length=40)),
                ('folded', models.GeneratedField(db_persist=True, expression=league.models.spelling.Folded('name'), help_text='The name without marks and case, to be found by.', output_field=models.TextField())),
                ('is_regular', models.BooleanField(db_default=False, default=False, help_text='Comes to every night unless they say no.')),
                ('binned_at', models.DateTimeField(blank=True, help_text='Since when it lies in the bin.', null=True)),
            ],
            options={
                'ordering': ['sort_key', 'id'],
                'constraints': [models.UniqueConstraint(condition=models.Q(('merged_into__isnull', True), ('user__isnull', False)), fields=('club', 'user'), name='player_account_once_per_club'), models.CheckConstraint(condition=models.Q(('bot', ''), ('user__isnull', True), _connector='OR'), name='player_bot_has_no_account'), models.CheckConstraint(condition=models.Q(('merged_into', models.F('id')), _negated=True), name='player_not_its_own_alias'), models.CheckConstraint(condition=models.Q(('fixed_table__isnull', True), ('fixed_table__gte', 1), _connector='OR'), name='player_table_counts_from_one'), models.UniqueConstraint(condition=models.Q(('binned_at', None), ('merged_into__isnull', True)), fields=('club', 'name_key'), name='player_name_once_per_club')],
            },
        ),
        migrations.CreateModel(
            name='Account',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('club', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='accounts', to='league.club')),
                ('player', models.OneToOneField(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='account', to='league.player')),
            ],
            options={
                'constraints': [models.UniqueConstraint(condition=models.Q(('player__isnull', True)), fields=('club',), name='account_one_of_the_club')],
            },
        ),
        migrations.CreateModel(
            name='Season',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=80, verbose_name='name')),
                ('scoring', models.JSONField()),
                ('tie_breaks', models.JSONField()),
                ('starts_on', models.DateField(verbose_name='first day')),
                ('ends_on', models.DateField(blank=True, null=True, verbose_name='last day')),
                ('status', models.CharField(choices=[('open', 'open'), ('closed', 'closed')], default='open', max_length=8)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('club', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='seasons', to='league.club')),
                ('ruleset', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, to='tables.frozenruleset')),
                ('ranks_bots', models.BooleanField(db_default=False, default=False, help_text='Bots are ranked as everyone else, and their tournaments count.', verbose_name='a season of bots')),
                ('binned_at', models.DateTimeField(blank=True, help_text='Since when it lies in the bin.', null=True)),
                ('team_best', models.PositiveSmallIntegerField(blank=True, help_text="So many of a team's players count; None: all.", null=True)),
                ('team_average', models.BooleanField(db_default=False, default=False, help_text='Whether a team has the average of its players, not the sum.')),
            ],
            options={
                'ordering': ['-starts_on', '-id'],
                'constraints': [models.CheckConstraint(condition=models.Q(('ends_on__isnull', True), ('ends_on__gte', models.F('starts_on')), _connector='OR'), name='season_ends_after_it_starts'), models.UniqueConstraint(condition=models.Q(('binned_at', None)), fields=('club', 'name'), name='season_name_once_per_club')],
            },
        ),
        migrations.CreateModel(
            name='Event',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('night', 'club night'), ('bots', 'bot tournament')], default='night', max_length=8)),
                ('name', models.CharField(max_length=80, verbose_name='name')),
                ('date', models.DateField(verbose_name='date')),
                ('scoring', models.JSONField()),
                ('tie_breaks', models.JSONField()),
                ('rounds_planned', models.PositiveSmallIntegerField(default=3, verbose_name='rounds')),
                ('stake', models.PositiveIntegerField(default=0, verbose_name='stake')),
                ('status', models.CharField(choices=[('open', 'open'), ('closed', 'closed')], default='open', max_length=8)),
                ('version', models.PositiveIntegerField(default=0, help_text='Rises with every change shown.')),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('closed_at', models.DateTimeField(blank=True, null=True)),
                ('ruleset', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, to='tables.frozenruleset')),
                ('run', models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, to='tables.run')),
                ('season', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='events', to='league.season')),
                ('confirmed_by', models.CharField(choices=[('none', 'nobody: games count as entered'), ('player', 'another player at the table, from another phone'), ('organiser', 'an organiser')], default='none', max_length=10)),
                ('round_minutes', models.PositiveSmallIntegerField(blank=True, help_text='How long a round takes by its clock.', null=True)),
                ('format', models.JSONField(default=league.models.event.rounds_format, help_text='How the night is run, a `NightFormat` as JSON.')),
                ('folded', models.GeneratedField(db_persist=True, expression=league.models.spelling.Folded('name'), help_text='The name without marks and case, to be found by.', output_field=models.TextField())),
                ('called_off_at', models.DateTimeField(blank=True, null=True)),
                ('planned_at', models.DateTimeField(blank=True, help_text='When the sequence last rose; None: at creation.', null=True)),
                ('sequence', models.PositiveIntegerField(db_default=0, default=0, help_text='Rises when calendars have to change.')),
                ('starts_at', models.TimeField(blank=True, help_text="By the club's clock.", null=True, verbose_name='starts at')),
                ('call_ends_at', models.DateTimeField(blank=True, help_text='Until when those called have to be here; then they are absent.', null=True)),
                ('binned_at', models.DateTimeField(blank=True, help_text='Since when it lies in the bin.', null=True)),
                ('told', models.PositiveSmallIntegerField(db_default=0, default=0, help_text='How many places the ceremony has told, from the last one up.')),
                ('told_at', models.DateTimeField(blank=True, help_text='Since when everything is told that was kept back.', null=True)),
            ],
            options={
                'ordering': ['-date', '-id'],
                'indexes': [models.Index(condition=models.Q(('kind', 'bots')), fields=['-date', '-id'], name='event_latest_of_bots')],
                'constraints': [models.CheckConstraint(condition=models.Q(('rounds_planned__gte', 1), ('rounds_planned__lte', 60)), name='event_rounds_in_range'), models.CheckConstraint(condition=models.Q(('status', 'open'), ('closed_at__isnull', False), _connector='OR'), name='event_closed_has_a_time'), models.CheckConstraint(condition=models.Q(('run__isnull', True), ('kind', 'bots'), _connector='OR'), name='event_run_is_of_bots'), models.CheckConstraint(condition=models.Q(('confirmed_by__in', ['none', 'player', 'organiser'])), name='event_confirmed_by_known'), models.CheckConstraint(condition=models.Q(('round_minutes', None), models.Q(('round_minutes__gte', 1), ('round_minutes__lte', 600)), _connector='OR'), name='event_round_minutes_in_range'), models.CheckConstraint(condition=models.Q(('called_off_at', None), ('status', 'closed'), _connector='OR'), name='event_called_off_is_closed'), models.CheckConstraint(condition=models.Q(('format__ceremony__gt', 0), ('stake__gt', 0), _negated=True), name='event_keeps_no_money_back')],
            },
        ),
        migrations.CreateModel(
            name='Audit',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('at', models.DateTimeField(auto_now_add=True)),
                ('action', models.CharField(max_length=40)),
                ('data', models.JSONField(default=dict)),
                ('by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, to=settings.AUTH_USER_MODEL)),
                ('club', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='audit', to='league.club')),
                ('event', models.ForeignKey(db_constraint=False, null=True, on_delete=django.db.models.deletion.DO_NOTHING, to='league.event')),
            ],
            options={
                'ordering': ['-id'],
                'indexes': [models.Index(condition=models.Q(('action__in', ['player.renamed', 'player.merged', 'player.unmerged', 'player.anonymised'])), fields=['club', 'id'], name='audit_names')],
            },
        ),
        migrations.CreateModel(
            name='Entrant',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('presence', models.CharField(choices=[('expected', 'not here yet'), ('here', 'here'), ('left', 'left'), ('absent', 'absent')], default='expected', max_length=8)),
                ('counts', models.BooleanField(default=True, help_text='A house bot that fills a chair does not.')),
                ('event', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='entrants', to='league.event')),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='entries', to='league.player')),
                ('ticket', models.IntegerField(help_text='Of who waits for a chair: the lowest comes next.', null=True)),
                ('passed_over', models.PositiveSmallIntegerField(default=0, help_text='How often somebody behind in the queue was seated first.')),
                ('came_at', models.DateTimeField(help_text='When they first came tonight.', null=True)),
                ('late', models.BooleanField(db_default=False, default=False, help_text='Whether they came after the call or the first round.')),
                ('place', models.PositiveSmallIntegerField(help_text='The final place in a closed night that gives the season points for it.', null=True)),
                ('place_tied', models.PositiveSmallIntegerField(help_text='How many share it.', null=True)),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('event', 'player'), name='entrant_once_per_event'), models.UniqueConstraint(fields=('event', 'ticket'), name='entrant_ticket_once'), models.CheckConstraint(condition=models.Q(models.Q(('place', None), ('place_tied', None)), models.Q(('place__gte', 1), ('place_tied__gte', 1)), _connector='OR'), name='entrant_place_is_shared_by_someone')],
            },
        ),
        migrations.CreateModel(
            name='Round',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveSmallIntegerField()),
                ('status', models.CharField(choices=[('draft', 'draft'), ('released', 'released')], default='draft', max_length=8)),
                ('seed', models.BigIntegerField(help_text='The same seed and settings give the same draw.')),
                ('settings', models.JSONField(default=dict)),
                ('quality', models.JSONField(default=dict)),
                ('released_at', models.DateTimeField(blank=True, null=True)),
                ('event', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='rounds', to='league.event')),
                ('clock_minutes', models.PositiveSmallIntegerField(null=True)),
                ('clock_paused_at', models.DateTimeField(null=True)),
                ('clock_started_at', models.DateTimeField(help_text='Moved on by every pause, so that it lies the time played ago.', null=True)),
                ('last_game_at', models.DateTimeField(help_text='When the last game was called.', null=True)),
            ],
            options={
                'ordering': ['number'],
                'constraints': [models.UniqueConstraint(fields=('event', 'number'), name='round_once_per_event'), models.UniqueConstraint(condition=models.Q(('status', 'draft')), fields=('event',), name='round_one_draft_per_event'), models.CheckConstraint(condition=models.Q(('status', 'draft'), ('released_at__isnull', False), _connector='OR'), name='round_released_has_a_time'), models.CheckConstraint(condition=models.Q(models.Q(('clock_paused_at', None), ('clock_started_at', None)), models.Q(('clock_minutes__gte', 1), ('clock_minutes__lte', 600), ('clock_started_at__isnull', False), ('status', 'released')), _connector='OR'), name='round_clock_runs_when_released')],
            },
        ),
        migrations.CreateModel(
            name='Bye',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('entrant', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='byes', to='league.entrant')),
                ('round', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='byes', to='league.round')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('round', 'entrant'), name='bye_once_per_round')],
            },
        ),
        migrations.CreateModel(
            name='Sitting',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('table_no', models.PositiveSmallIntegerField()),
                ('first_dealer', models.PositiveSmallIntegerField(default=0, help_text='The seat that deals first.')),
                ('version', models.PositiveIntegerField(default=0, help_text='Rises with every change shown.')),
                ('round', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='sittings', to='league.round')),
                ('call_note', models.CharField(blank=True, max_length=120)),
                ('called_at', models.DateTimeField(help_text='Since when it calls the director.', null=True)),
                ('extra_minutes', models.PositiveSmallIntegerField(default=0)),
                ('call_seen_at', models.DateTimeField(help_text='Since when an organiser is coming.', null=True)),
                ('was_cut', models.BooleanField(db_default=False, default=False, help_text='Whether the table has noted who cut the highest card.')),
            ],
            options={
                'ordering': ['table_no'],
                'constraints': [models.UniqueConstraint(fields=('round', 'table_no'), name='sitting_table_once'), models.CheckConstraint(condition=models.Q(('call_seen_at', None), ('called_at__isnull', False), _connector='OR'), name='sitting_seen_only_if_called')],
            },
        ),
        migrations.CreateModel(
            name='Result',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('game_no', models.PositiveSmallIntegerField()),
                ('version', models.PositiveSmallIntegerField()),
                ('current', models.BooleanField(default=True)),
                ('void', models.BooleanField(default=False, help_text='The game was entered by mistake.')),
                ('source', models.CharField(choices=[('entered', 'Entered'), ('live', 'Live')], default='entered', max_length=8)),
                ('specials', models.JSONField(default=list)),
                ('client_id', models.UUIDField(unique=True)),
                ('at', models.DateTimeField(auto_now_add=True)),
                ('reason', models.CharField(blank=True, max_length=200)),
                ('by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, to=settings.AUTH_USER_MODEL)),
                ('sitting', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='results', to='league.sitting')),
                ('device', models.CharField(blank=True, help_text='The phone it came from, where nobody signed in.', max_length=32)),
                ('held', models.BooleanField(db_default=False, default=False, help_text='Kept back until the ceremony; then current.')),
            ],
            options={
                'ordering': ['game_no', '-version'],
                'constraints': [models.UniqueConstraint(fields=('sitting', 'game_no', 'version'), name='result_version_once'), models.UniqueConstraint(condition=models.Q(('current', True)), fields=('sitting', 'game_no'), name='result_one_current_version'), models.CheckConstraint(condition=models.Q(('game_no__gte', 1), ('version__gte', 1)), name='result_counts_from_one'), models.UniqueConstraint(condition=models.Q(('held', True)), fields=('sitting', 'game_no'), name='result_one_held_version'), models.CheckConstraint(condition=models.Q(('current', True), ('held', True), _negated=True), name='result_held_counts_not_yet')],
            },
        ),
        migrations.CreateModel(
            name='Placing',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('seat', models.PositiveSmallIntegerField()),
                ('rank', models.PositiveSmallIntegerField()),
                ('tied', models.PositiveSmallIntegerField(default=1)),
                ('size', models.PositiveSmallIntegerField()),
                ('entrant', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='league.entrant')),
                ('result', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='placings', to='league.result')),
            ],
            options={
                'ordering': ['rank', 'seat'],
                'constraints': [models.UniqueConstraint(fields=('result', 'entrant'), name='placing_once_per_result'), models.UniqueConstraint(fields=('result', 'seat'), name='placing_seat_once_per_result'), models.CheckConstraint(condition=models.Q(('rank__gte', 1), ('size__gte', 2), ('size__lte', 8), ('tied__gte', 1), ('rank__lte', django.db.models.expressions.CombinedExpression(django.db.models.expressions.CombinedExpression(models.F('size'), '+', models.Value(1)), '-', models.F('tied')))), name='placing_fits_the_table')],
            },
        ),
        migrations.CreateModel(
            name='Place',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('seat', models.PositiveSmallIntegerField()),
                ('from_game', models.PositiveSmallIntegerField(default=1)),
                ('entrant', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='places', to='league.entrant')),
                ('round', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='league.round')),
                ('sitting', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='places', to='league.sitting')),
                ('to_game', models.PositiveSmallIntegerField(help_text='The last game in this seat, of who left it.', null=True)),
                ('left_because', models.CharField(blank=True, choices=[('lost', 'came last and gave up the seat'), ('cap', 'reached the limit and gave up the seat'), ('done', 'the table finished')], help_text="Of who left by the night's own rule, not by going home.", max_length=4)),
            ],
            options={
                'ordering': ['seat', 'from_game'],
                'constraints': [models.UniqueConstraint(fields=('sitting', 'seat', 'from_game'), name='place_seat_once'), models.UniqueConstraint(condition=models.Q(('to_game', None)), fields=('sitting', 'seat'), name='place_one_holder_of_a_seat'), models.CheckConstraint(condition=models.Q(('seat__lte', 31)), name='place_seat_in_range'), models.CheckConstraint(condition=models.Q(('to_game', None), ('to_game__gte', models.F('from_game')), _connector='OR'), name='place_ends_after_it_begins'), models.UniqueConstraint(condition=models.Q(('to_game', None)), fields=('round', 'entrant'), name='place_one_table_at_a_time'), models.CheckConstraint(condition=models.Q(('left_because', ''), ('to_game__isnull', False), _connector='OR'), name='place_left_has_an_end')],
            },
        ),
        migrations.CreateModel(
            name='Tally',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('size', models.PositiveSmallIntegerField()),
                ('rank', models.PositiveSmallIntegerField()),
                ('tied', models.PositiveSmallIntegerField()),
                ('games', models.PositiveIntegerField()),
                ('entrant', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='tallies', to='league.entrant')),
                ('event', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='tallies', to='league.event')),
                ('sitting', models.ForeignKey(help_text='None where bots play.', null=True, on_delete=django.db.models.deletion.CASCADE, to='league.sitting')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('event', 'sitting', 'entrant', 'size', 'rank', 'tied'), name='tally_once', nulls_distinct=False), models.CheckConstraint(condition=models.Q(('games__gte', 1)), name='tally_counts_games')],
            },
        ),
        migrations.CreateModel(
            name='ClubRuleset',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=80, verbose_name='name')),
                ('based_on', models.CharField(help_text='The key of the preset it started from.', max_length=40)),
                ('version', models.PositiveIntegerField(default=1)),
                ('archived_at', models.DateTimeField(blank=True, null=True)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('club', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='rulesets', to='league.club')),
                ('frozen', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='tables.frozenruleset')),
            ],
            options={
                'ordering': ['name', 'id'],
                'constraints': [models.UniqueConstraint(models.F('club'), django.db.models.functions.text.Lower('name'), name='club_ruleset_name_once'), models.CheckConstraint(condition=models.Q(('version__gte', 1)), name='club_ruleset_version_from_1')],
            },
        ),
        migrations.CreateModel(
            name='ClubRulesetVersion',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField()),
                ('at', models.DateTimeField(auto_now_add=True)),
                ('by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, to=settings.AUTH_USER_MODEL)),
                ('frozen', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='tables.frozenruleset')),
                ('ruleset', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='versions', to='league.clubruleset')),
            ],
            options={
                'ordering': ['-number'],
                'constraints': [models.UniqueConstraint(fields=('ruleset', 'number'), name='club_ruleset_version_once')],
            },
        ),
        migrations.CreateModel(
            name='Adjustment',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('points', models.DecimalField(decimal_places=3, max_digits=12)),
                ('reason', models.CharField(max_length=200)),
                ('at', models.DateTimeField(auto_now_add=True)),
                ('revoked_at', models.DateTimeField(null=True)),
                ('by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('event', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, to='league.event')),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='adjustments', to='league.player')),
                ('revoked_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('season', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='adjustments', to='league.season')),
                ('cause', models.CharField(blank=True, choices=[('absence', 'missed the night'), ('lateness', 'came late'), ('handicap', 'handicap')], db_default='', default='', help_text="Of what the night's rules gave; empty: an organiser decided.", max_length=8)),
            ],
            options={
                'ordering': ['-id'],
                'constraints': [models.CheckConstraint(condition=models.Q(('points', 0), _negated=True), name='adjustment_changes_something'), models.CheckConstraint(condition=models.Q(('reason', ''), _negated=True), name='adjustment_has_a_reason'), models.UniqueConstraint(condition=models.Q(('cause', ''), _negated=True), fields=('event', 'player', 'cause'), name='adjustment_by_rule_once')],
            },
        ),
        migrations.CreateModel(
            name='ApiToken',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=60)),
                ('digest', models.CharField(max_length=64, unique=True)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('used_at', models.DateTimeField(null=True)),
                ('revoked_at', models.DateTimeField(null=True)),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='api_tokens', to=settings.AUTH_USER_MODEL)),
                ('expires_at', models.DateTimeField(null=True)),
                ('scopes', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(choices=[('read', 'read clubs and results'), ('play', 'play at tables'), ('organise', 'enter results, run nights and clubs'), ('arena', 'play as a bot: register, take challenges')], max_length=10), db_default=['read', 'play', 'organise', 'arena'], size=None)),
            ],
            options={
                'ordering': ['-id'],
                'constraints': [models.CheckConstraint(condition=models.Q(('name', ''), _negated=True), name='api_token_has_a_name'), models.CheckConstraint(condition=models.Q(('scopes__contained_by', ['read', 'play', 'organise', 'arena']), ('scopes__len__gt', 0)), name='api_token_scopes_known')],
            },
        ),
        migrations.CreateModel(
            name='Posting',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('settlement', 'payment'), ('cost', 'shared cost'), ('fee', 'entry fee'), ('prize', 'prize'), ('game', 'game at a stakes table'), ('side', 'plus and minus')], max_length=12)),
                ('note', models.CharField(blank=True, max_length=200)),
                ('client_id', models.UUIDField(unique=True)),
                ('at', models.DateTimeField(auto_now_add=True)),
                ('by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, to=settings.AUTH_USER_MODEL)),
                ('event', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='postings', to='league.event')),
                ('reverses', models.OneToOneField(null=True, on_delete=django.db.models.deletion.PROTECT, to='league.posting')),
                ('season', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='postings', to='league.season')),
                ('game', models.OneToOneField(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='posting', to='tables.game')),
            ],
            options={
                'ordering': ['-id'],
                'constraints': [models.CheckConstraint(condition=models.Q(('game', None), models.Q(('event', None), ('kind', 'game')), _connector='OR'), name='posting_of_a_game'), models.CheckConstraint(condition=models.Q(('kind__in', ['settlement', 'cost', 'fee', 'prize', 'game', 'side'])), name='posting_kind_known')],
            },
        ),
        migrations.CreateModel(
            name='Transfer',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('amount', models.PositiveBigIntegerField()),
                ('reason', models.CharField(max_length=20)),
                ('detail', models.JSONField(default=dict)),
                ('at', models.DateTimeField(auto_now_add=True)),
                ('by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, to=settings.AUTH_USER_MODEL)),
                ('event', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='transfers', to='league.event')),
                ('payee', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='received', to='league.account')),
                ('payer', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='paid', to='league.account')),
                ('result', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='transfers', to='league.result')),
                ('reverses', models.OneToOneField(null=True, on_delete=django.db.models.deletion.PROTECT, to='league.transfer')),
                ('posting', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='transfers', to='league.posting')),
            ],
            options={
                'ordering': ['id'],
                'constraints': [models.CheckConstraint(condition=models.Q(('amount__gt', 0)), name='transfer_moves_something'), models.CheckConstraint(condition=models.Q(('payer', models.F('payee')), _negated=True), name='transfer_between_two'), models.CheckConstraint(condition=models.Q(models.Q(('event__isnull', False), ('posting__isnull', True), ('result__isnull', False)), models.Q(('posting__isnull', False), ('result__isnull', True)), _connector='OR'), name='transfer_of_a_result_or_a_posting')],
            },
        ),
        migrations.CreateModel(
            name='Rating',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('mu', models.FloatField(help_text='The estimate; a newcomer has 25.')),
                ('sigma', models.FloatField(help_text='Its standard deviation.')),
                ('games', models.PositiveIntegerField()),
                ('computed_at', models.DateTimeField()),
                ('club', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='ratings', to='league.club')),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='ratings', to='league.player')),
                ('season', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='ratings', to='league.season')),
            ],
            options={
                'ordering': ['-mu', 'id'],
                'constraints': [models.UniqueConstraint(fields=('club', 'season', 'player'), name='rating_once', nulls_distinct=False), models.CheckConstraint(condition=models.Q(('games__gte', 1), ('sigma__gt', 0)), name='rating_is_of_somebody_who_played')],
            },
        ),
        migrations.CreateModel(
            name='Link',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('purpose', models.CharField(choices=[('table', 'Table'), ('invitation', 'Invitation'), ('check_in', 'Check In'), ('sign_up', 'Sign Up')], max_length=12)),
                ('role', models.CharField(blank=True, choices=[('player', 'player'), ('scorer', 'scorer'), ('organiser', 'organiser'), ('owner', 'owner')], max_length=10)),
                ('nonce', models.CharField(max_length=32)),
                ('secret_hash', models.CharField(max_length=64, unique=True)),
                ('uses', models.PositiveIntegerField(default=0)),
                ('max_uses', models.PositiveIntegerField(null=True)),
                ('expires_at', models.DateTimeField(null=True)),
                ('revoked_at', models.DateTimeField(null=True)),
                ('at', models.DateTimeField(auto_now_add=True)),
                ('by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, to=settings.AUTH_USER_MODEL)),
                ('club', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='links', to='league.club')),
                ('sitting', models.ForeignKey(help_text='Of older links, which stood for a table of one round: where they lead on from.', null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='league.sitting')),
                ('event', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='links', to='league.event')),
                ('player', models.ForeignKey(help_text='Whom the account that accepts this invitation plays.', null=True, on_delete=django.db.models.deletion.CASCADE, related_name='invitations', to='league.player')),
                ('table_no', models.PositiveSmallIntegerField(help_text='The table of the event that the link opens, whatever round it is.', null=True)),
            ],
            options={
                'ordering': ['-id'],
                'constraints': [models.UniqueConstraint(condition=models.Q(('revoked_at', None)), fields=('sitting',), name='link_one_open_per_sitting'), models.CheckConstraint(condition=models.Q(('max_uses', None), ('uses__lte', models.F('max_uses')), _connector='OR'), name='link_not_used_too_often'), models.CheckConstraint(condition=models.Q(('player', None), models.Q(('max_uses', 1), ('purpose', 'invitation')), _connector='OR'), name='link_of_a_player_invites_once'), models.CheckConstraint(condition=models.Q(models.Q(('event__isnull', False), ('purpose', 'table'), ('role', ''), ('sitting', None), ('table_no__gte', 1)), models.Q(('event', None), ('purpose', 'table'), ('role', ''), ('sitting__isnull', False), ('table_no', None)), models.Q(('event__isnull', False), ('purpose__in', ['check_in', 'sign_up']), ('role', ''), ('sitting', None), ('table_no', None)), models.Q(('event', None), ('expires_at__isnull', False), ('purpose', 'invitation'), ('role__in', ['player', 'scorer', 'organiser']), ('sitting', None), ('table_no', None)), _connector='OR'), name='link_has_what_its_purpose_needs'), models.UniqueConstraint(condition=models.Q(('revoked_at', None), ('table_no', None)), fields=('event', 'purpose'), name='link_one_open_per_event'), models.UniqueConstraint(condition=models.Q(('revoked_at', None)), fields=('event', 'table_no'), name='link_one_open_per_table')],
            },
        ),
        migrations.CreateModel(
            name='Confirmation',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('device', models.CharField(blank=True, max_length=32)),
                ('at', models.DateTimeField(auto_now_add=True)),
                ('by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, to=settings.AUTH_USER_MODEL)),
                ('result', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='confirmation', to='league.result')),
            ],
        ),
        migrations.CreateModel(
            name='Dispute',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('game_no', models.PositiveSmallIntegerField()),
                ('note', models.CharField(blank=True, max_length=200)),
                ('device', models.CharField(blank=True, max_length=32)),
                ('at', models.DateTimeField(auto_now_add=True)),
                ('outcome', models.CharField(choices=[('open', 'open'), ('corrected', 'corrected'), ('dismissed', 'dismissed')], default='open', max_length=10)),
                ('reason', models.CharField(blank=True, max_length=200)),
                ('resolved_at', models.DateTimeField(null=True)),
                ('by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('resolved_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('sitting', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='disputes', to='league.sitting')),
                ('seen_at', models.DateTimeField(help_text='Since when an organiser looks at it.', null=True)),
            ],
            options={
                'ordering': ['id'],
                'constraints': [models.UniqueConstraint(condition=models.Q(('outcome', 'open')), fields=('sitting', 'game_no'), name='dispute_one_open_per_game'), models.CheckConstraint(condition=models.Q(models.Q(('outcome', 'open'), ('resolved_at', None)), models.Q(('outcome', 'corrected'), ('resolved_at__isnull', False)), models.Q(('outcome', 'dismissed'), ('resolved_at__isnull', False), models.Q(('reason', ''), _negated=True)), _connector='OR'), name='dispute_resolved_has_its_reason')],
            },
        ),
        migrations.CreateModel(
            name='Schedule',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=80)),
                ('plan', models.JSONField()),
                ('rule', models.JSONField()),
                ('next_at', models.DateTimeField(blank=True, null=True)),
                ('paused', models.BooleanField(default=False)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('ruleset', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, to='tables.frozenruleset')),
                ('season', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='schedules', to='league.season')),
                ('kind', models.CharField(choices=[('night', 'club night'), ('bots', 'bot tournament')], default='bots', max_length=8)),
                ('days_ahead', models.PositiveSmallIntegerField(default=0)),
                ('opens_sign_up', models.BooleanField(db_default=False, default=False, help_text='Each night it makes opens its sign-up list.')),
                ('sign_up_hours', models.PositiveSmallIntegerField(blank=True, help_text='So many hours before the night the list closes.', null=True)),
                ('sign_up_places', models.PositiveSmallIntegerField(blank=True, null=True)),
                ('changes', models.PositiveIntegerField(db_default=0, default=0, help_text='Rises with every change, for calendar programs.')),
            ],
            options={
                'ordering': ['id'],
                'indexes': [models.Index(condition=models.Q(('next_at__isnull', False)), fields=['next_at'], name='schedule_due')],
                'constraints': [models.CheckConstraint(condition=models.Q(('paused', False), ('next_at', None), _connector='OR'), name='schedule_paused_rests'), models.CheckConstraint(condition=models.Q(models.Q(('days_ahead', 0), ('kind', 'bots'), ('ruleset__isnull', False)), models.Q(('kind', 'night'), ('ruleset', None)), _connector='OR'), name='schedule_rules_of_bots')],
            },
        ),
        migrations.CreateModel(
            name='Occurrence',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('day', models.DateField()),
                ('problem', models.TextField(blank=True)),
                ('at', models.DateTimeField(auto_now_add=True)),
                ('event', models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, to='league.event')),
                ('schedule', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='occurrences', to='league.schedule')),
                ('problem_params', models.JSONField(blank=True, db_default={}, default=dict)),
            ],
            options={
                'ordering': ['-day'],
                'constraints': [models.UniqueConstraint(fields=('schedule', 'day'), name='occurrence_once'), models.CheckConstraint(condition=models.Q(models.Q(('event__isnull', False), ('problem', '')), models.Q(('event', None), models.Q(('problem', ''), _negated=True)), _connector='OR'), name='occurrence_began_or_says_why_not')],
            },
        ),
        migrations.CreateModel(
            name='MoneyTally',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('games', models.BigIntegerField()),
                ('other', models.BigIntegerField()),
                ('account', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='tallies', to='league.account')),
                ('event', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='money_tallies', to='league.event')),
                ('season', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='league.season')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('season', 'event', 'account'), name='money_tally_once', nulls_distinct=False)],
            },
        ),
        migrations.CreateModel(
            name='RatingPoint',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('mu', models.FloatField()),
                ('sigma', models.FloatField()),
                ('games', models.PositiveIntegerField()),
                ('club', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='league.club')),
                ('event', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='league.event')),
                ('player', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, to='league.player')),
                ('season', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, to='league.season')),
            ],
            options={
                'indexes': [models.Index(fields=['club', 'season', 'event'], name='rating_point_of_night')],
                'constraints': [models.UniqueConstraint(fields=('player', 'season', 'event'), name='rating_point_once', nulls_distinct=False), models.CheckConstraint(condition=models.Q(('games__gte', 1), ('sigma__gt', 0)), name='rating_point_is_of_somebody')],
            },
        ),
        migrations.CreateModel(
            name='RatingState',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('nights', models.JSONField(default=list)),
                ('names', models.BigIntegerField(default=0)),
                ('total', models.PositiveIntegerField(default=0)),
                ('stamp', models.CharField(blank=True, max_length=80)),
                ('computed_at', models.DateTimeField(null=True)),
                ('club', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='league.club')),
                ('season', models.OneToOneField(null=True, on_delete=django.db.models.deletion.CASCADE, to='league.season')),
                ('bots', models.JSONField(db_default=[], default=list)),
                ('bots_stamp', models.CharField(blank=True, db_default='', max_length=80)),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('club', 'season'), name='rating_state_once', nulls_distinct=False)],
            },
        ),
        migrations.CreateModel(
            name='SeasonTable',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('stamp', models.CharField(max_length=120)),
                ('computed_at', models.DateTimeField()),
                ('seconds', models.FloatField(help_text='How long the computing took.')),
                ('count', models.PositiveIntegerField()),
                ('season', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='table', to='league.season')),
                ('nights', models.JSONField(db_default=[], default=list, help_text='Event, version and whether anything was played in it, of each.')),
            ],
        ),
        migrations.CreateModel(
            name='SeasonRow',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('position', models.PositiveIntegerField(help_text='From 1, best first; shared ranks too.')),
                ('rank', models.PositiveIntegerField(null=True)),
                ('points', models.CharField(max_length=200)),
                ('games', models.PositiveIntegerField()),
                ('rest', models.JSONField(help_text='The other numbers, as `league.seasons.facts.season_cache` has them.')),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='league.player')),
                ('season', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='rows', to='league.season')),
            ],
            options={
                'ordering': ['position'],
                'constraints': [models.UniqueConstraint(fields=('season', 'position'), name='season_row_position_once'), models.UniqueConstraint(fields=('season', 'player'), name='season_row_player_once'), models.CheckConstraint(condition=models.Q(('position__gte', 1)), name='season_row_counts_from_one')],
            },
        ),
        migrations.CreateModel(
            name='Verification',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('day', models.DateField(unique=True)),
                ('started_at', models.DateTimeField()),
                ('finished_at', models.DateTimeField(null=True)),
                ('checked', models.JSONField(default=dict, help_text='How many of what were looked at.')),
                ('count', models.PositiveIntegerField(default=0, help_text='How many differences were found.')),
                ('differences', models.JSONField(default=list, help_text='The first of them, as sentences.')),
            ],
            options={
                'ordering': ['-day'],
            },
        ),
        migrations.CreateModel(
            name='LivePlan',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('played', models.CharField(choices=[('live', 'every table plays online'), ('mixed', 'real cards; organisers can open single tables online')], default='live', max_length=5)),
                ('move_seconds', models.PositiveSmallIntegerField(default=40)),
                ('abandoned', models.CharField(choices=[('count', 'the autopilot finishes the game, and it counts'), ('finish', 'the autopilot finishes the round, and its games count'), ('void', 'the unfinished game does not count')], default='count', max_length=6)),
                ('event', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='live_plan', to='league.event')),
            ],
            options={
                'constraints': [models.CheckConstraint(condition=models.Q(('played__in', ['live', 'mixed']), ('abandoned__in', ['count', 'finish', 'void'])), name='live_plan_known'), models.CheckConstraint(condition=models.Q(('move_seconds__gte', 5), ('move_seconds__lte', 3600)), name='live_plan_has_a_clock')],
            },
        ),
        migrations.CreateModel(
            name='LiveTable',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('from_game', models.PositiveSmallIntegerField()),
                ('nonce', models.CharField(help_text='Personal links are made from it.', max_length=32)),
                ('opened_at', models.DateTimeField(auto_now_add=True)),
                ('ended_at', models.DateTimeField(null=True)),
                ('abandoned', models.BooleanField(default=False)),
                ('problem', models.CharField(blank=True, max_length=300)),
                ('renewed', models.JSONField(default=dict)),
                ('sitting', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='live_tables', to='league.sitting')),
                ('table', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='live_sitting', to='tables.table')),
                ('problem_params', models.JSONField(blank=True, db_default={}, default=dict)),
                ('on_wall_at', models.DateTimeField(help_text='Since when an organiser has its games on the big screen.', null=True)),
            ],
            options={
                'constraints': [models.UniqueConstraint(condition=models.Q(('ended_at', None)), fields=('sitting',), name='live_table_one_per_sitting'), models.CheckConstraint(condition=models.Q(('from_game__gte', 1)), name='live_table_counts_from_one')],
            },
        ),
        migrations.CreateModel(
            name='LiveResult',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('payments', models.JSONField(default=list)),
                ('game', models.OneToOneField(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='league_result', to='tables.game')),
                ('result', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='live', to='league.result')),
            ],
        ),
        migrations.CreateModel(
            name='ClubTable',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('opened_at', models.DateTimeField(auto_now_add=True)),
                ('ended_at', models.DateTimeField(null=True)),
                ('by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('season', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='tables', to='league.season')),
                ('table', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='club_table', to='tables.table')),
            ],
            options={
                'ordering': ['-id'],
            },
        ),
        migrations.CreateModel(
            name='ClubSeat',
            fields=[
                ('seat', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='club_seat', serialize=False, to='tables.seat')),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='league.player')),
            ],
        ),
        migrations.CreateModel(
            name='RoleOffer',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('email', models.EmailField(max_length=254)),
                ('role', models.CharField(choices=[('player', 'player'), ('scorer', 'scorer'), ('organiser', 'organiser'), ('owner', 'owner')], max_length=10)),
                ('at', models.DateTimeField(auto_now_add=True)),
                ('by', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('club', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='role_offers', to='league.club')),
            ],
            options={
                'ordering': ['-id'],
                'constraints': [models.UniqueConstraint(django.db.models.functions.text.Lower('email'), models.F('club'), name='role_offer_once'), models.CheckConstraint(condition=models.Q(('role__in', ['player', 'scorer', 'organiser', 'owner'])), name='role_offer_role_known')],
            },
        ),
        migrations.CreateModel(
            name='CalendarFeed',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('nonce', models.CharField(default=league.models.secret.new_nonce, max_length=32)),
                ('secret_hash', models.CharField(max_length=64, unique=True)),
                ('at', models.DateTimeField(auto_now_add=True)),
                ('club', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='calendar_feeds', to='league.club')),
                ('season', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, to='league.season')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='calendar_feeds', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['id'],
                'constraints': [models.UniqueConstraint(fields=('user', 'club', 'season'), name='calendar_feed_once', nulls_distinct=False), models.CheckConstraint(condition=models.Q(('season', None), ('club__isnull', False), _connector='OR'), name='calendar_feed_season_of_club')],
            },
        ),
        migrations.CreateModel(
            name='SignUp',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('places', models.PositiveSmallIntegerField(blank=True, help_text='How many can come, guests counted; None: everybody.', null=True)),
                ('closes_at', models.DateTimeField(blank=True, help_text='Until then people sign up by themselves.', null=True)),
                ('opened_at', models.DateTimeField(auto_now_add=True)),
                ('event', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='sign_up', to='league.event')),
            ],
            options={
                'constraints': [models.CheckConstraint(condition=models.Q(('places', None), ('places__gte', 2), _connector='OR'), name='sign_up_places_for_a_table')],
            },
        ),
        migrations.CreateModel(
            name='SignUpAnswer',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('reply', models.CharField(choices=[('yes', 'coming'), ('maybe', 'maybe'), ('no', 'not coming')], max_length=5)),
                ('guests', models.PositiveSmallIntegerField(default=0)),
                ('turn', models.PositiveIntegerField(null=True)),
                ('is_in', models.BooleanField(default=False)),
                ('device', models.CharField(blank=True, max_length=64)),
                ('at', models.DateTimeField(auto_now=True)),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='answers', to='league.player')),
                ('sign_up', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='answers', to='league.signup')),
            ],
            options={
                'ordering': ['turn', 'id'],
                'constraints': [models.UniqueConstraint(fields=('sign_up', 'player'), name='answer_once'), models.UniqueConstraint(fields=('sign_up', 'turn'), name='answer_turn_once'), models.CheckConstraint(condition=models.Q(models.Q(('reply', 'yes'), ('turn__isnull', False)), models.Q(('guests', 0), ('is_in', False), ('reply__in', ['maybe', 'no']), ('turn', None)), _connector='OR'), name='answer_yes_has_a_turn'), models.CheckConstraint(condition=models.Q(('guests__lte', 5)), name='answer_guests_in_range')],
            },
        ),
        migrations.CreateModel(
            name='NewsLane',
            fields=[
                ('name', models.CharField(max_length=40, primary_key=True, serialize=False)),
                ('failures', models.PositiveIntegerField(default=0)),
                ('rests_until', models.DateTimeField(null=True)),
            ],
        ),
        migrations.CreateModel(
            name='Webhook',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('address', models.CharField(max_length=500)),
                ('secret', models.CharField(default=league.models.news.new_secret, max_length=60)),
                ('at', models.DateTimeField(auto_now_add=True)),
                ('club', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='webhooks', to='league.club')),
            ],
            options={
                'ordering': ['id'],
                'constraints': [models.UniqueConstraint(fields=('club', 'address'), name='webhook_address_once')],
            },
        ),
        migrations.CreateModel(
            name='NewsWish',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('off', models.JSONField(default=list, help_text='Kinds that are not sent; `all` for every one.')),
                ('language', models.CharField(blank=True, max_length=5)),
                ('quiet_from', models.TimeField(blank=True, null=True)),
                ('quiet_to', models.TimeField(blank=True, null=True)),
                ('user', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='news_wish', to=settings.AUTH_USER_MODEL)),
                ('by_email', models.BooleanField(db_default=True, default=True)),
            ],
            options={
                'constraints': [models.CheckConstraint(condition=models.Q(models.Q(('quiet_from', None), ('quiet_to', None)), models.Q(('quiet_from__isnull', False), ('quiet_to__isnull', False)), _connector='OR'), name='news_wish_quiet_has_two_ends')],
            },
        ),
        migrations.CreateModel(
            name='Claim',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('phone_hash', models.CharField(db_index=True, max_length=64)),
                ('at', models.DateTimeField(auto_now_add=True)),
                ('ended_at', models.DateTimeField(null=True)),
                ('ended_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('event', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='claims', to='league.event')),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='claims', to='league.player')),
            ],
            options={
                'ordering': ['-id'],
                'constraints': [models.UniqueConstraint(condition=models.Q(('ended_at', None)), fields=('event', 'player'), name='claim_one_phone_of_a_player'), models.UniqueConstraint(condition=models.Q(('ended_at', None)), fields=('event', 'phone_hash'), name='claim_one_player_of_a_phone'), models.CheckConstraint(condition=models.Q(('ended_by', None), ('ended_at__isnull', False), _connector='OR'), name='claim_ended_has_a_time')],
            },
        ),
        migrations.CreateModel(
            name='BankDetails',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('bank', models.CharField(blank=True, max_length=6)),
                ('number', models.CharField(blank=True, max_length=19)),
                ('holder', models.CharField(blank=True, max_length=60)),
                ('words', models.CharField(blank=True, max_length=300)),
                ('user', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='bank_details', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['id'],
                'constraints': [models.CheckConstraint(condition=models.Q(models.Q(('bank', ''), ('holder', ''), ('number', ''), models.Q(('words', ''), _negated=True)), models.Q(('bank__regex', '^[0-9]{6}$'), ('number__regex', '^[0-9A-Za-z]{4,19}$')), _connector='OR'), name='bank_details_say_how')],
            },
        ),
        migrations.CreateModel(
            name='Roster',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('team', 'team'), ('category', 'category')], max_length=8)),
                ('name', models.CharField(max_length=60, verbose_name='name')),
                ('season', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='rosters', to='league.season')),
            ],
            options={
                'ordering': ['kind', 'name'],
                'constraints': [models.UniqueConstraint(fields=('season', 'kind', 'name'), name='roster_name_once_per_season'), models.CheckConstraint(condition=models.Q(('kind__in', ['team', 'category'])), name='roster_kind_known')],
            },
        ),
        migrations.CreateModel(
            name='RosterMember',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('is_team', models.BooleanField(help_text='As the roster is, so that the database can hold it.')),
                ('captain', models.BooleanField(default=False)),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='rosters', to='league.player')),
                ('roster', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='members', to='league.roster')),
                ('season', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='league.season')),
            ],
            options={
                'ordering': ['id'],
                'constraints': [models.UniqueConstraint(fields=('roster', 'player'), name='roster_player_once'), models.UniqueConstraint(condition=models.Q(('is_team', True)), fields=('season', 'player'), name='roster_one_team'), models.UniqueConstraint(condition=models.Q(('captain', True)), fields=('roster',), name='roster_one_captain')],
            },
        ),
        migrations.CreateModel(
            name='Channel',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('push', 'Web Push'), ('telegram', 'Telegram')], max_length=8)),
                ('address', models.CharField(max_length=500)),
                ('keys', models.JSONField(default=dict, help_text='With what messages are encrypted for it.')),
                ('lane', models.CharField(max_length=40)),
                ('at', models.DateTimeField(auto_now_add=True)),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='channels', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['id'],
                'constraints': [models.UniqueConstraint(fields=('kind', 'address'), name='channel_address_once')],
            },
        ),
        migrations.CreateModel(
            name='NewsItem',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(max_length=20)),
                ('key', models.CharField(max_length=80)),
                ('data', models.JSONField(default=dict)),
                ('body', models.TextField(blank=True, help_text='What a webhook gets, the same each time.')),
                ('ref', models.UUIDField(default=uuid.uuid4, unique=True)),
                ('state', models.CharField(choices=[('waiting', 'waiting'), ('sending', 'being sent'), ('sent', 'sent'), ('failed', 'failed'), ('dropped', 'not sent any more')], default='waiting', max_length=8)),
                ('due_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('lease_until', models.DateTimeField(null=True)),
                ('attempts', models.PositiveSmallIntegerField(default=0)),
                ('error', models.CharField(blank=True, max_length=200)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('sent_at', models.DateTimeField(null=True)),
                ('club', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='news', to='league.club')),
                ('event', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, to='league.event')),
                ('user', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='news', to=settings.AUTH_USER_MODEL)),
                ('webhook', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='news', to='league.webhook')),
                ('channel', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='news', to='league.channel')),
            ],
            options={
                'ordering': ['-id'],
                'indexes': [models.Index(condition=models.Q(('state__in', ['waiting', 'sending'])), fields=['due_at'], name='news_due'), models.Index(fields=['created_at'], name='news_by_age')],
                'constraints': [models.UniqueConstraint(condition=models.Q(('user__isnull', False)), fields=('user', 'key'), name='news_once_per_user'), models.UniqueConstraint(condition=models.Q(('webhook__isnull', False)), fields=('webhook', 'key'), name='news_once_per_webhook'), models.CheckConstraint(condition=models.Q(models.Q(('lease_until__isnull', False), ('state', 'sending')), models.Q(('lease_until', None), models.Q(('state', 'sending'), _negated=True)), _connector='OR'), name='news_sending_has_a_lease'), models.UniqueConstraint(condition=models.Q(('channel__isnull', False)), fields=('channel', 'key'), name='news_once_per_channel'), models.CheckConstraint(condition=models.Q(models.Q(('channel__isnull', False), ('user', None), ('webhook', None)), models.Q(('channel', None), ('user', None), ('webhook__isnull', False)), models.Q(('channel', None), ('user__isnull', False), ('webhook', None)), _connector='OR'), name='news_has_one_receiver')],
            },
        ),
        migrations.CreateModel(
            name='FileImport',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('archive', 'Archive'), ('players', 'Players'), ('results', 'Results')], max_length=7)),
                ('state', models.CharField(choices=[('waiting', 'Waiting'), ('read', 'Read'), ('saving', 'Saving'), ('done', 'Done'), ('failed', 'Failed')], default='waiting', max_length=7)),
                ('language', models.CharField(max_length=10)),
                ('encoding', models.CharField(blank=True, max_length=10)),
                ('size', models.PositiveIntegerField(help_text='Of the file in bytes.')),
                ('text', models.TextField(blank=True, help_text='The table that was read.')),
                ('add_missing', models.BooleanField(default=False)),
                ('told', models.JSONField(default=dict, encoder=django.core.serializers.json.DjangoJSONEncoder)),
                ('tries', models.PositiveSmallIntegerField(default=0)),
                ('since', models.DateTimeField(help_text='When it came into its state.')),
                ('expires_at', models.DateTimeField(db_index=True)),
                ('club', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='league.club')),
                ('owner', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='file_import', to=settings.AUTH_USER_MODEL)),
                ('season', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='league.season')),
            ],
            options={
                'indexes': [models.Index(condition=models.Q(('state__in', ['waiting', 'saving'])), fields=['since'], name='file_at_work')],
                'constraints': [models.CheckConstraint(condition=models.Q(models.Q(('kind', 'archive'), ('season', None)), models.Q(('club__isnull', False), ('kind', 'players'), ('season', None)), models.Q(('club__isnull', False), ('kind', 'results'), ('season__isnull', False)), _connector='OR'), name='file_import_goes_somewhere'), models.CheckConstraint(condition=models.Q(('state__in', ['waiting', 'read', 'saving', 'done', 'failed'])), name='file_import_state_known'), models.CheckConstraint(condition=models.Q(('size__lte', 50000000)), name='file_import_size_has_an_end')],
            },
        ),
        migrations.CreateModel(
            name='FilePiece',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveSmallIntegerField()),
                ('body', models.BinaryField()),
                ('file', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='pieces', to='league.fileimport')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('file', 'number'), name='file_piece_once')],
            },
        ),
        migrations.CreateModel(
            name='BotLeague',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=80)),
                ('size', models.PositiveSmallIntegerField()),
                ('moves', models.PositiveSmallIntegerField()),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('schedule', models.OneToOneField(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='bot_league', to='league.schedule')),
                ('season', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='bot_leagues', to='league.season')),
            ],
            options={
                'ordering': ['-id'],
                'constraints': [models.CheckConstraint(condition=models.Q(('size__gte', 2), ('size__lte', 8)), name='bot_league_size_fits_a_tournament'), models.CheckConstraint(condition=models.Q(('moves__gte', 1), ('moves__lte', 4)), name='bot_league_moves_in_range')],
            },
        ),
        migrations.CreateModel(
            name='Matchday',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField()),
                ('day', models.DateField()),
                ('league', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='matchdays', to='league.botleague')),
            ],
            options={
                'ordering': ['number'],
                'constraints': [models.UniqueConstraint(fields=('league', 'number'), name='matchday_number_once'), models.UniqueConstraint(fields=('league', 'day'), name='matchday_once_a_day'), models.CheckConstraint(condition=models.Q(('number__gte', 1)), name='matchday_counts_from_one')],
            },
        ),
        migrations.CreateModel(
            name='LeagueSeat',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('bot', models.CharField(max_length=30)),
                ('number', models.PositiveIntegerField()),
                ('division', models.PositiveIntegerField()),
                ('entry', models.CharField(max_length=30)),
                ('event', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='league_seats', to='league.event')),
                ('matchday', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='seats', to='league.matchday')),
            ],
            options={
                'ordering': ['number'],
                'constraints': [models.UniqueConstraint(fields=('matchday', 'bot'), name='league_seat_bot_once'), models.UniqueConstraint(fields=('matchday', 'number'), name='league_seat_number_once'), models.CheckConstraint(condition=models.Q(('division__gte', 1), ('division__lte', models.F('number')), ('number__gte', 1)), name='league_seat_counts_from_one')],
            },
        ),
        migrations.AddField(
            model_name='club',
            name='members',
            field=models.ManyToManyField(through='league.Membership', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddConstraint('sitting', models.UniqueConstraint(fields=('id', 'round'), name='sitting_of_round')),
        migrations.RunSQL(PLACE, migrations.RunSQL.noop),
        migrations.RunSQL(SEASON, migrations.RunSQL.noop),
        migrations.RunSQL(ONLY_GROWS, "DROP FUNCTION league_refuse_change() CASCADE;"),
        migrations.RunSQL(MONEY, "DROP FUNCTION league_add_money() CASCADE;"),
    ]
