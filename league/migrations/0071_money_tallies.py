"""Sums of money that the database keeps itself: every new transfer is added to them."""

from django.db import migrations

ADD = """
    INSERT INTO league_moneytally (season_id, event_id, account_id, games, other)
    SELECT coalesce(e.season_id, p.season_id), t.event_id, side.account,
           sum(CASE WHEN t.result_id IS NULL THEN 0 ELSE side.sign * t.amount END),
           sum(CASE WHEN t.result_id IS NULL THEN side.sign * t.amount ELSE 0 END)
    FROM {source} t
    LEFT JOIN league_event e ON e.id = t.event_id
    LEFT JOIN league_posting p ON p.id = t.posting_id
    CROSS JOIN LATERAL (VALUES (t.payee_id, 1), (t.payer_id, -1)) AS side (account, sign)
    GROUP BY 1, 2, 3
    ORDER BY 3
    ON CONFLICT (season_id, event_id, account_id) DO UPDATE
    SET games = league_moneytally.games + excluded.games,
        other = league_moneytally.other + excluded.other;
"""
KEEP = f"""
CREATE FUNCTION league_add_money() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    {ADD.format(source="added")}
    RETURN NULL;
END $$;
CREATE TRIGGER league_transfer_is_added AFTER INSERT ON league_transfer
    REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION league_add_money();
"""
FORGET = """
DROP TRIGGER league_transfer_is_added ON league_transfer;
DROP FUNCTION league_add_money();
"""


class Migration(migrations.Migration):
    dependencies = [("league", "0070_prepared_rows")]

    operations = [
        migrations.RunSQL(KEEP, FORGET),
        migrations.RunSQL(ADD.format(source="league_transfer"), migrations.RunSQL.noop),
    ]
