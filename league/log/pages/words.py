"""The words of a club's log: a sentence for each action, filled in by `log.pages.entries`.

A service that writes a new action needs a sentence here. An action that is told in several ways
has one for each, after a slash.
"""

from django.utils.translation import gettext_lazy as _

from league.base.domain.settings import settings_of
from league.nights.domain.night_formats import NightFormat
from league.nights.domain.night_plans import NightPlan
from league.seasons.domain.scoring import Scoring

KINDS = {
    "games": (_("games"), ("result", "dispute")),
    "tables": (_("draws and tables"), ("draw", "table", "director", "link", "live", "phone")),
    "presence": (_("check-in"), ()),
    "nights": (_("nights and clocks"), ("event", "clock", "schedule", "deals")),
    "sign_up": (_("sign-up lists"), ("sign_up",)),
    "seasons": (_("seasons and points"), ("season", "adjustment", "results", "roster")),
    "money": (_("money"), ("posting", "debt")),
    "players": (_("players"), ("player", "person")),
    "rules": (_("rules"), ("rules",)),
    "bots": (_("bot tournaments"), ("run", "ladder")),
    "club": (_("the club and its roles"), ("club", "member", "invitation", "webhook")),
}
"""What can be asked for: a label, and how the actions of the kind begin."""

SENTENCES = {
    "adjustment.made": _("%(who)s gave %(name)s %(points)s points: %(reason)s"),
    "adjustment.made/penalty": _("%(who)s took points from %(name)s (%(points)s): %(reason)s"),
    "adjustment.revoked": _("%(who)s revoked %(points)s points of %(name)s."),
    "clock.added": _("%(who)s gave all tables in round %(round)s more time."),
    "clock.extra": _("%(who)s gave table %(table)s extra time: %(minutes)s minutes in all."),
    "clock.last_game": _("%(who)s called the last game of round %(round)s."),
    "clock.paused": _("%(who)s paused the clock of round %(round)s."),
    "clock.resumed": _("%(who)s resumed the clock of round %(round)s."),
    "clock.started": _("%(who)s started the clock of round %(round)s."),
    "club.changed": _("%(who)s changed the settings of the club."),
    "club.created": _("%(who)s started the club %(name)s."),
    "club.exported": _("%(who)s exported the club."),
    "club.imported": _("%(who)s imported the club from a file."),
    "director.answered": _("%(who)s answered the call from table %(table)s."),
    "director.called": _("%(who)s called the organiser to table %(table)s. %(note)s"),
    "director.coming": _("%(who)s is coming to table %(table)s."),
    "dispute.dismissed": _("%(who)s let game %(game)s at table %(table)s stand: %(reason)s"),
    "dispute.opened/mistake": _(
        "%(who)s reported game %(game)s at table %(table)s: %(mistake)s %(note)s"
    ),
    "dispute.opened": _("%(who)s disputed game %(game)s at table %(table)s. %(note)s"),
    "dispute.recalled": _("%(who)s remembers game %(game)s at table %(table)s as it was recorded."),
    "dispute.recalled/agrees": _(
        "%(who)s remembers game %(game)s at table %(table)s as the report says."
    ),
    "dispute.recalled/withdrawn": _(
        "%(who)s withdrew the answer about game %(game)s at table %(table)s."
    ),
    "dispute.reopened": _(
        "%(who)s opened the dispute about game %(game)s at table %(table)s again."
    ),
    "dispute.seen": _("%(who)s looks at game %(game)s at table %(table)s."),
    "debt.reminded": _("%(who)s reminded %(player)s of a debt."),
    "deals.seen": _("%(who)s saw the cards of the night, to sort packs by them."),
    "draw.discarded": _("%(who)s discarded the draft of round %(round)s."),
    "draw.discarded/released": _("%(who)s withdrew the draw of round %(round)s: %(reason)s"),
    "draw.drafted": _("%(who)s drew round %(round)s."),
    "draw.released": _("%(who)s released round %(round)s."),
    "draw.swapped": _("%(who)s swapped %(a)s and %(b)s in the draft of round %(round)s."),
    "event.bot": _("%(who)s added the bot %(player)s."),
    "event.called_off": _("%(who)s called off the night."),
    "event.closed": _("%(who)s closed the night."),
    "event.closed/unfinished": _("%(who)s closed the night with games missing: %(unfinished)s."),
    "event.created": _("%(who)s created the night %(name)s."),
    "event.binned": _("%(who)s moved the night %(name)s to the bin."),
    "event.restored": _("%(who)s restored the night %(name)s from the bin."),
    "roster.removed": _("%(who)s removed the team or category %(name)s."),
    "roster.rule": _("%(who)s changed how teams count."),
    "roster.saved": _("%(who)s saved the team or category %(name)s: %(players)s."),
    "player.binned": _("%(who)s moved the player %(name)s to the bin."),
    "player.restored": _("%(who)s restored the player %(name)s from the bin."),
    "season.binned": _("%(who)s moved the season %(name)s to the bin."),
    "season.restored": _("%(who)s restored the season %(name)s from the bin."),
    "event.call_ended": _("The call ended. Absent: %(players)s."),
    "event.call_stopped": _("%(who)s stopped the call."),
    "event.called": _("%(who)s called the missing players: %(minutes)s minutes."),
    "event.guest": _("%(who)s added the guest %(player)s."),
    "event.presence/expected": _("%(who)s marked as not here yet: %(players)s."),
    "event.presence/here": _("%(who)s checked in: %(players)s."),
    "event.presence/left": _("%(who)s marked as left: %(players)s."),
    "event.presence/absent": _("%(who)s marked as absent: %(players)s."),
    "event.best": _("%(who)s invited the best of: %(names)s."),
    "event.goes": _("%(player)s goes after round %(round)s."),
    "event.presence/captain_expected": _(
        "%(captain)s, captain of %(team)s, had %(players)s sit out."
    ),
    "event.presence/captain_here": _("%(captain)s, captain of %(team)s, had %(players)s sit in."),
    "event.reopened": _("%(who)s reopened the night."),
    "event.told": _("%(who)s revealed the results: the ceremony is over."),
    "event.settings": _("%(who)s changed the night's settings."),
    "event.stake_next": _("%(who)s changed the stake of the games to come."),
    "event.stake": _("%(who)s corrected the stake of %(games)s games, which were posted again."),
    "event.weight": _("%(who)s changed the weight of the night."),
    "event.gives": _("%(who)s changed what the night gives the season."),
    "invitation.accepted": _("%(who)s accepted an invitation (%(role)s)."),
    "invitation.made": _("%(who)s created an invitation link (%(role)s), valid for %(days)s days."),
    "invitation.player": _("%(who)s created a personal link for %(player)s."),
    "invitation.revoked": _("%(who)s revoked an invitation link."),
    "link.renewed": _("%(who)s replaced the secret link of table %(table)s."),
    "link.renewed/check_in": _("%(who)s created a new check-in link."),
    "link.renewed/night": _("%(who)s replaced the night's link."),
    "link.renewed/sign_up": _("%(who)s replaced the link of the sign-up list."),
    "table.cut": _("%(entrant)s cut the highest card and deals first at table %(table)s."),
    "player.bank": _("%(who)s changed how %(player)s is paid."),
    "player.bank_confirmed": _("%(who)s confirmed how %(player)s is paid."),
    "phone.claimed": _("%(player)s claimed their name on a phone."),
    "phone.freed": _("%(who)s freed the name of %(player)s from a phone."),
    "live.club_ended": _("%(who)s ended a club table played for a stake."),
    "live.club_opened": _("%(who)s opened a club table for a stake of %(stake)s."),
    "live.ended": _("%(who)s ended online play at table %(table)s."),
    "live.link_renewed": _("%(who)s created a new personal link for %(entrant)s."),
    "live.opened": _("%(who)s opened table %(table)s online."),
    "live.plan": _("%(who)s chose which tables play online."),
    "club.front": _("%(who)s lets the server's front page show the nights of the club."),
    "club.not_front": _("%(who)s took the nights of the club off the server's front page."),
    "club.names": _("%(who)s chose how strangers see names."),
    "club.published": _("%(who)s made the club public."),
    "club.hidden": _("%(who)s made the club private."),
    "club.money_hidden": _("Money is for members now. The rest of the club stays public."),
    "club.closed": _("%(who)s closed the club."),
    "club.stopped": _("%(who)s closed the club as the administrator of the server. %(reason)s"),
    "club.reopened": _("%(who)s reopened the club."),
    "club.binned": _("%(who)s moved the club to the bin."),
    "club.ending": _("%(who)s deletes the club in a week."),
    "club.ending_stopped": _("%(who)s keeps the club."),
    "club.mentions": _(
        "%(who)s decided on texts that named someone: %(erased)s changed, %(kept)s kept."
    ),
    "club.one_phone": _("%(who)s lets no second phone run the club."),
    "club.second_phone": _("%(who)s lets %(player)s's phone run the club."),
    "club.kept": _("%(who)s keeps the club, which had no account."),
    "club.restored": _("%(who)s restored the club from the bin."),
    "member.accepted": _("%(who)s accepted a role (%(role)s)."),
    "member.declined": _("%(who)s declined a role (%(role)s)."),
    "member.ending": _("%(who)s ends the role of owner %(email)s in a week."),
    "member.ending_stopped": _("%(who)s stopped the end of their role of owner."),
    "member.left": _("%(who)s left the club (%(role)s)."),
    "member.offer_withdrawn": _("%(who)s withdrew the offer to %(email)s (%(role)s)."),
    "member.offered": _("%(who)s offered %(email)s a role (%(role)s)."),
    "member.removed": _("%(who)s removed the role of %(email)s (%(role)s)."),
    "member.role": _("%(who)s changed the role of %(email)s."),
    "person.erased": _("%(who)s deleted their account."),
    "player.account": _("%(who)s linked %(player)s to an account: %(account)s."),
    "player.account_removed": _("%(who)s unlinked the account of %(player)s: %(account)s."),
    "player.added": _("%(who)s added to the club: %(names)s."),
    "player.anonymised": _("%(who)s removed the name of %(player)s."),
    "player.face": _("%(who)s chose another face for %(player)s."),
    "player.file": _("%(who)s made the file with everything of %(player)s."),
    "player.hidden": _("%(who)s hid the name of %(player)s."),
    "player.name_lost": _("%(player)s lost the name in a restore: an organiser writes it again."),
    "player.shown": _("%(who)s chose whether strangers see the name of %(player)s."),
    "player.unhidden": _("%(who)s brought back the name of %(player)s."),
    "player.merged": _("%(who)s merged %(name)s into %(into_name)s."),
    "player.not_regular": _("%(who)s no longer puts %(player)s on each sign-up list."),
    "player.regular": _("%(who)s puts %(player)s on each sign-up list."),
    "player.offer_withdrawn": _("%(who)s no longer asks whose account plays as %(player)s."),
    "player.offered": _("%(who)s asks %(email)s whether they play as %(player)s."),
    "player.renamed": _("%(who)s renamed a player."),
    "player.unmerged": _("%(who)s separated %(name)s from %(of_name)s."),
    "player.wishes": _("%(who)s changed the draw settings of %(player)s."),
    "posting.cost": _("%(who)s shared a cost of %(amount)s among %(payers)s. %(note)s"),
    "posting.doubt_ended": _(
        "%(who)s no longer says that an entry is wrong: %(amount)s from %(payers)s to %(payees)s."
    ),
    "posting.doubted": _(
        "%(who)s says that an entry is not right: %(amount)s from %(payers)s to %(payees)s."
    ),
    "posting.fee": _("%(who)s charged entry fees of %(amount)s in all to %(payers)s. %(note)s"),
    "posting.game": _("%(who)s posted game %(game)s of a stakes table to the ledger: %(amount)s."),
    "posting.prize": _("%(who)s gave %(payees)s a prize of %(amount)s. %(note)s"),
    "posting.report_refused": _(
        "%(who)s says that %(payee)s did not receive %(amount)s from %(player)s."
    ),
    "posting.report_withdrawn": _(
        "%(who)s no longer says that %(player)s paid %(payee)s %(amount)s."
    ),
    "posting.reported": _("%(who)s says that %(player)s paid %(payee)s %(amount)s."),
    "posting.reversed": _("%(who)s reversed an entry: %(amount)s from %(payers)s to %(payees)s."),
    "posting.settlement": _(
        "%(who)s recorded that %(payers)s paid %(payees)s %(amount)s. %(note)s"
    ),
    "posting.side": _("%(who)s recorded that %(payers)s owes %(payees)s %(amount)s. %(note)s"),
    "result.confirmed": _("%(who)s confirmed game %(game)s at table %(table)s."),
    "result.confirmed_all": _("%(who)s confirmed %(games)s games at once."),
    "ladder.off": _("%(who)s stopped the bots' ladder."),
    "ladder.on": _("%(who)s let the bots' ladder play: %(rules)s."),
    "result.corrected": _("%(who)s corrected game %(game)s at table %(table)s. %(reason)s"),
    "result.corrected/void": _(
        "%(who)s voided game %(game)s at table %(table)s: it does not count. %(reason)s"
    ),
    "result.recorded": _("%(who)s entered game %(game)s at table %(table)s: %(order)s."),
    "results.undone": _(
        "%(who)s undid an import. Nights that stayed: %(nights)s; people that stayed: %(people)s."
    ),
    "results.imported": _("%(who)s imported past results into %(season)s: %(games)s games."),
    "rules.archived": _("%(who)s archived the rules %(name)s."),
    "rules.changed": _("%(who)s changed the rules %(name)s (version %(version)s)."),
    "rules.created": _("%(who)s created the rules %(name)s."),
    "rules.restored": _("%(who)s restored the rules %(name)s."),
    "run.cancel": _("%(who)s cancelled the bot tournament."),
    "run.ended": _("The bot tournament ended."),
    "run.extend": _("%(who)s added deals to the bot tournament: %(deals)s."),
    "run.pause": _("%(who)s paused the bot tournament."),
    "run.resume": _("%(who)s resumed the bot tournament."),
    "run.verdicts_withdrawn": _(
        "Verdicts that the server's own clock gave in the bot tournament were withdrawn."
    ),
    "run.retry": _("%(who)s retried the failed batches of the bot tournament."),
    "schedule.changed": _("%(who)s changed the schedule %(name)s."),
    "schedule.created": _("%(who)s created the schedule %(name)s."),
    "schedule.deleted": _("%(who)s ended the schedule %(name)s."),
    "schedule.paused": _("%(who)s paused the schedule %(name)s."),
    "schedule.resumed": _("%(who)s resumed the schedule %(name)s."),
    "season.bots_apart": _("%(who)s took the bots out of the ranking of %(season)s."),
    "season.bots_ranked": _("%(who)s let bots be ranked in %(season)s like everyone else."),
    "season.closed": _("%(who)s closed the season %(season)s."),
    "season.created": _("%(who)s opened the season %(name)s."),
    "season.open": _("%(who)s reopened the season %(season)s."),
    "season.scoring": _("%(who)s changed the scoring of the season %(season)s."),
    "season.scoring/recounted": _(
        "%(who)s changed the scoring of the season %(season)s and recalculated its nights."
    ),
    "sign_up.asked": _("%(who)s messaged people who had not answered: %(people)s."),
    "sign_up.changed": _("%(who)s changed the sign-up list."),
    "sign_up.freed": _("%(who)s let another phone answer for %(player)s."),
    "sign_up.maybe": _("%(who)s answered for %(player)s: maybe."),
    "sign_up.moved_up": _("%(player)s moved up from the waiting list."),
    "sign_up.no": _("%(who)s answered for %(player)s: not coming."),
    "sign_up.names_dropped": _("%(who)s threw away the new names of the sign-up list."),
    "sign_up.names_taken": _("%(who)s took new names into the sign-up list: %(names)s."),
    "sign_up.opened": _("%(who)s opened the sign-up list."),
    "sign_up.yes": _("%(who)s answered for %(player)s: coming."),
    "sign_up.yes/guests": _("%(who)s answered for %(player)s: coming, guests: %(guests)s."),
    "table.stake": _("%(who)s changed the stake at table %(table)s."),
    "table.stake_agreed": _("%(entrant)s agreed to the stake at table %(table)s."),
    "table.moved": _("%(who)s moved %(moved)s from table %(from_table)s to table %(table)s."),
    "table.moved/exchanged": _(
        "%(who)s swapped %(moved)s at table %(from_table)s with %(other)s at table %(table)s."
    ),
    "table.seats/both": _(
        "%(who)s replaced %(left)s with %(came)s at table %(table)s from game %(from_game)s."
    ),
    "table.seats/came": _("%(who)s seated %(came)s at table %(table)s from game %(from_game)s."),
    "table.seats/added": _("%(who)s added table %(table)s."),
    "table.seats/ended": _("%(who)s closed table %(table)s: its players are back in the queue."),
    "table.seats/left": _("%(who)s took %(left)s off table %(table)s from game %(from_game)s."),
    "webhook.added": _("%(who)s added a webhook."),
    "webhook.removed": _("%(who)s removed a webhook."),
}

UNKNOWN = _("%(who)s did something this version can't describe: %(action)s.")

WAITED = {
    "tapped_at": _("Tapped at %(tapped_at)s on a phone that could not send it."),
    "user": _("Tapped by %(account)s on that phone."),
}
"""Of a game that waited on a phone: when it was entered, and by whom if another account sent it."""

# What changed, by the name that the data of the log has for it.
ROWS = settings_of(NightPlan) | settings_of(Scoring) | settings_of(NightFormat)
FIELDS = {name: _(row.label) for name, row in ROWS.items()} | {
    "animal": _("Face"),
    "counting": _("How games count"),
    "date": _("Date"),
    "fixed_table": _("Always at table number"),
    "group": _("Keep apart from"),
    "together": _("Share a table with"),
    "kind": _("Format"),
    "minutes": _("Minutes"),
    "name": _("Name"),
    "order": _("Finishing order"),
    "place_points": _("Points for final places"),
    "points_table": _("Points by place"),
    "role": _("Role"),
    "ruleset_id": _("Rules"),
    "starts_at": _("Starts at"),
    "specials": _("Chops and penalties"),
    "tie_breaks": _("Tie-breaks"),
    "venue": _("Venue"),
    "weight": _("Weight"),
}

NOBODY = {
    "result": _("Someone at the table"),
    "posting.doubted": _("Someone with that phone"),
    "posting.doubt_ended": _("Someone with that phone"),
    "posting.report_refused": _("Someone with that phone"),
    "posting.report_withdrawn": _("Someone with that phone"),
    "posting.reported": _("Someone with that phone"),
    "posting.settlement": _("Someone with that phone"),
    "posting.side": _("Someone at the table"),
    "dispute": _("Someone at the table"),
    "director": _("Someone at the table"),
    "clock": _("Someone at the table"),
    "event.presence": _("Someone with the night's link"),
    "sign_up": _("Someone with the night's link"),
    "phone": _("Someone with that phone"),
    "player.bank": _("Someone with that phone"),
}
"""Who it was where nobody signed in, by the action or how it begins."""
BY_ITSELF = _("The server")
