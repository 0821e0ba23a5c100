"""List what was erased, so that a restore forgets it again; of before, what can still be told."""

import uuid

import django.db.models.functions.datetime
from django.db import migrations, models

BEFORE = """
INSERT INTO league_erasure (id, kind, key, made_at) VALUES (gen_random_uuid(), 'begun', 0, now());
INSERT INTO league_erasure (id, kind, key, made_at)
SELECT gen_random_uuid(), 'account', id, created_at FROM accounts_user
WHERE email = 'erased-' || id || '@account.invalid';
INSERT INTO league_erasure (id, kind, key, made_at)
SELECT gen_random_uuid(), 'player', id, created_at FROM league_player WHERE id IN (
    SELECT (data->>'player')::bigint FROM league_audit WHERE action = 'player.anonymised'
);
"""


class Migration(migrations.Migration):
    dependencies = [("league", "0011_asked_first")]

    operations = [
        migrations.CreateModel(
            name="Erasure",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=uuid.uuid4, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("kind", models.CharField(max_length=20)),
                ("key", models.BigIntegerField()),
                ("made_at", models.DateTimeField()),
                (
                    "at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now()),
                ),
            ],
            options={"ordering": ["at"]},
        ),
        migrations.RunSQL(BEFORE, migrations.RunSQL.noop),
    ]
