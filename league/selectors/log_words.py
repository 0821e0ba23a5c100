"""The words of a club's log: a sentence for each action; `league.selectors.log` fills them in.

A service that writes a new action needs a sentence here. An action that is told in several ways
has one for each, after a slash.
"""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

KINDS = {
    "games": (_("games"), ("result", "dispute")),
    "tables": (_("draws and tables"), ("draw", "table", "director", "link", "live")),
    "presence": (_("who is here"), ()),
    "nights": (_("nights and their clocks"), ("event", "clock", "schedule")),
    "seasons": (_("seasons and points"), ("season", "adjustment", "results")),
    "money": (_("money"), ("posting",)),
    "players": (_("players"), ("player", "person")),
    "rules": (_("rules"), ("rules",)),
    "bots": (_("bot tournaments"), ("run",)),
    "club": (_("the club and its rights"), ("club", "member", "invitation")),
}
"""What can be asked for: a label, and how the actions of the kind begin."""

PRESENCE = ("event.presence", "event.guest")
"""The actions of the kind `presence`, which begin as those of nights do."""

SENTENCES = {
    "adjustment.made": _("%(who)s gave %(name)s %(points)s points: %(reason)s"),
    "adjustment.made/penalty": _("%(who)s took points from %(name)s (%(points)s): %(reason)s"),
    "adjustment.revoked": _("%(who)s revoked %(points)s points of %(name)s."),
    "clock.added": _("%(who)s gave every table of round %(round)s more time."),
    "clock.extra": _("%(who)s gave table %(table)s extra time: %(minutes)s minutes in all."),
    "clock.last_game": _("%(who)s called the last game of round %(round)s."),
    "clock.paused": _("%(who)s stopped the clock of round %(round)s."),
    "clock.resumed": _("%(who)s let the clock of round %(round)s go on."),
    "clock.started": _("%(who)s started the clock of round %(round)s."),
    "club.changed": _("%(who)s changed the settings of the club."),
    "club.created": _("%(who)s started the club %(name)s."),
    "club.exported": _("%(who)s took the whole club out as a file."),
    "club.imported": _("%(who)s brought the club in from a file."),
    "director.answered": _("%(who)s was at table %(table)s, which had called the director."),
    "director.called": _("%(who)s called the director to table %(table)s. %(note)s"),
    "dispute.dismissed": _("%(who)s left game %(game)s at table %(table)s as it is: %(reason)s"),
    "dispute.opened": _("%(who)s disputed game %(game)s at table %(table)s. %(note)s"),
    "draw.discarded": _("%(who)s threw the draft of round %(round)s away."),
    "draw.discarded/released": _("%(who)s took the draw of round %(round)s back: %(reason)s"),
    "draw.drafted": _("%(who)s drew round %(round)s."),
    "draw.released": _("%(who)s released round %(round)s."),
    "draw.swapped": _("%(who)s swapped %(a)s and %(b)s in the draft of round %(round)s."),
    "event.bot": _("%(who)s let the bot %(player)s play tonight."),
    "event.closed": _("%(who)s closed the night."),
    "event.closed/unfinished": _(
        "%(who)s closed the night although tables lacked games: %(unfinished)s."
    ),
    "event.created": _("%(who)s made the night %(name)s."),
    "event.guest": _("%(who)s added %(player)s, who walked in."),
    "event.presence/expected": _("%(who)s marked as expected: %(players)s."),
    "event.presence/here": _("%(who)s checked in: %(players)s."),
    "event.presence/left": _("%(who)s marked as gone: %(players)s."),
    "event.reopened": _("%(who)s reopened the night."),
    "event.settings": _("%(who)s changed the settings of the night."),
    "event.weight": _("%(who)s changed how much the night counts."),
    "invitation.accepted": _("%(who)s accepted an invitation (%(role)s)."),
    "invitation.made": _("%(who)s made an invitation link (%(role)s) for %(days)s days."),
    "invitation.player": _("%(who)s made a personal link for %(player)s."),
    "invitation.revoked": _("%(who)s ended an invitation link."),
    "link.renewed": _("%(who)s replaced the secret link of table %(table)s."),
    "link.renewed/check_in": _("%(who)s made a new link to check in by."),
    "live.club_ended": _("%(who)s ended a table of the club that played for a stake."),
    "live.club_opened": _("%(who)s opened a table of the club for a stake of %(stake)s."),
    "live.ended": _("%(who)s ended the online game of table %(table)s."),
    "live.link_renewed": _("%(who)s made a new personal link for %(entrant)s."),
    "live.opened": _("%(who)s opened an online game for table %(table)s."),
    "live.plan": _("%(who)s decided which tables of the night play online."),
    "member.role": _("%(who)s changed the rights of %(email)s."),
    "person.erased": _("%(who)s erased their account."),
    "player.account": _("%(who)s linked %(player)s to an account: %(account)s."),
    "player.account_removed": _("%(who)s took the account away from %(player)s: %(account)s."),
    "player.added": _("%(who)s added to the club: %(names)s."),
    "player.anonymised": _("%(who)s removed the name of %(player)s."),
    "player.merged": _("%(who)s merged %(name)s into %(into_name)s."),
    "player.renamed": _("%(who)s renamed a player."),
    "player.unmerged": _("%(who)s separated %(name)s from %(of_name)s again."),
    "player.wishes": _("%(who)s changed what draws heed for %(player)s."),
    "posting.cost": _("%(who)s shared a cost of %(amount)s among %(payers)s. %(note)s"),
    "posting.fee": _("%(who)s took entry fees, %(amount)s in all, from %(payers)s. %(note)s"),
    "posting.game": _(
        "%(who)s took game %(game)s of a table for stakes into the ledger: %(amount)s."
    ),
    "posting.prize": _("%(who)s gave %(payees)s a prize of %(amount)s. %(note)s"),
    "posting.reversed": _("%(who)s took a posting back: %(amount)s from %(payers)s to %(payees)s."),
    "posting.settlement": _("%(who)s noted that %(payers)s paid %(payees)s %(amount)s. %(note)s"),
    "result.confirmed": _("%(who)s confirmed game %(game)s at table %(table)s."),
    "result.confirmed_all": _("%(who)s confirmed %(games)s games at once."),
    "result.corrected": _("%(who)s corrected game %(game)s at table %(table)s. %(reason)s"),
    "result.corrected/void": _(
        "%(who)s struck out game %(game)s at table %(table)s: it does not count. %(reason)s"
    ),
    "result.recorded": _("%(who)s entered game %(game)s at table %(table)s: %(order)s."),
    "results.imported": _("%(who)s read past results into %(season)s: %(games)s games."),
    "rules.archived": _("%(who)s put the rules %(name)s away."),
    "rules.changed": _("%(who)s changed the rules %(name)s; this is version %(version)s."),
    "rules.created": _("%(who)s wrote the rules %(name)s."),
    "rules.restored": _("%(who)s took the rules %(name)s out again."),
    "run.cancel": _("%(who)s cancelled the bots' tournament."),
    "run.ended": _("The bots' tournament ended."),
    "run.extend": _("%(who)s added deals to the bots' tournament: %(deals)s."),
    "run.pause": _("%(who)s paused the bots' tournament."),
    "run.resume": _("%(who)s let the bots' tournament go on."),
    "run.retry": _("%(who)s tried the failed blocks of the bots' tournament again."),
    "schedule.changed": _("%(who)s changed what repeats: %(name)s."),
    "schedule.created": _("%(who)s let something repeat by itself: %(name)s."),
    "schedule.deleted": _("%(who)s ended what repeated: %(name)s."),
    "schedule.paused": _("%(who)s held what repeats: %(name)s."),
    "schedule.resumed": _("%(who)s let what repeats go on: %(name)s."),
    "season.closed": _("%(who)s closed the season %(season)s."),
    "season.created": _("%(who)s opened the season %(name)s."),
    "season.open": _("%(who)s reopened the season %(season)s."),
    "season.scoring": _("%(who)s changed how the season %(season)s counts."),
    "season.scoring/recounted": _(
        "%(who)s changed how the season %(season)s counts and recounted its nights."
    ),
    "table.moved": _("%(who)s moved %(moved)s from table %(from_table)s to table %(table)s."),
    "table.moved/exchanged": _(
        "%(who)s let %(moved)s of table %(from_table)s and %(other)s of table %(table)s"
        " exchange their chairs."
    ),
    "table.seats/both": _(
        "%(who)s let %(came)s take the chair of %(left)s at table %(table)s from game"
        " %(from_game)s on."
    ),
    "table.seats/came": _(
        "%(who)s let %(came)s sit down at table %(table)s from game %(from_game)s on."
    ),
    "table.seats/added": _("%(who)s put up table %(table)s."),
    "table.seats/ended": _("%(who)s closed table %(table)s: its players wait for the next one."),
    "table.seats/left": _(
        "%(who)s let %(left)s leave table %(table)s; game %(from_game)s is played without."
    ),
}

UNKNOWN = _("%(who)s did something that this version has no words for: %(action)s.")

# What changed, by the name that the data of the log has for it.
FIELDS = {
    "best_of": _("Best nights that count"),
    "bot": _("A bot takes empty chairs"),
    "cap": _("Most games in a row"),
    "confirmed_by": _("Who confirms a game"),
    "counting": _("Games in a round of a new night"),
    "date": _("Date"),
    "drop_worst": _("Worst nights dropped"),
    "fill_up": _("The best of the others fill tables of four"),
    "final": _("How many play the final"),
    "fixed_table": _("Always at table"),
    "games_per_round": _("How many games"),
    "group": _("Kept apart from"),
    "group_rounds": _("Rounds in the groups"),
    "groups": _("Groups"),
    "head_count_bonus": _("Points for each player of the night"),
    "kind": _("Format"),
    "look": _("Choose among the first in the queue"),
    "minimum_games": _("Games needed for a rank"),
    "minutes": _("Minutes"),
    "name": _("Name"),
    "nights": _("Nights planned"),
    "order": _("First to last"),
    "others_play": _("Whoever is out plays on beside"),
    "participation_bonus": _("Points for taking part in a night"),
    "points_table": _("Points by place"),
    "role": _("Role"),
    "round_minutes": _("Minutes of a round"),
    "rounds_planned": _("Rounds"),
    "specials": _("Specials"),
    "stake_unit": _("Stakes that make one point"),
    "tables": _("Tables"),
    "tie_breaks": _("Who is ahead"),
    "weight": _("Weight"),
}

NOBODY = {
    "result": _("Somebody at the table"),
    "dispute": _("Somebody at the table"),
    "director": _("Somebody at the table"),
    "clock": _("Somebody at the table"),
    "event.presence": _("Somebody by the check-in link"),
}
"""Who it was where nobody signed in, by the action or how it begins."""
BY_ITSELF = _("The program")
