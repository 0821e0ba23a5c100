"""Clubs, their people, seasons, events, draws, results and money."""

from league.models.adjustment import Adjustment
from league.models.audit import Audit, AuditMark
from league.models.bot_league import BotLeague, LeagueSeat, Matchday
from league.models.calendar_feed import CalendarFeed
from league.models.claim import Claim
from league.models.club import Club, Membership, RoleOffer
from league.models.dispute import Confirmation, Dispute
from league.models.draw import Bye, Place, Round, Sitting, StakeOffer
from league.models.erasure import Erasure
from league.models.event import Entrant, Event, Season
from league.models.file_import import FileImport, FilePiece
from league.models.ledger import (
    Account,
    EntryDoubt,
    MoneyTally,
    Posting,
    ReportedPayment,
    Transfer,
)
from league.models.link import Link
from league.models.live import (
    ClubSeat,
    ClubTable,
    LivePlan,
    LiveResult,
    LiveTable,
    NightDeals,
)
from league.models.news import Alarm, Channel, NewsItem, NewsLane, NewsWish, Webhook
from league.models.notebook import Notebook
from league.models.payment_way import FormerWay, PaymentWay, WayAtTable
from league.models.player import FormerName, HiddenName, Mention, Player
from league.models.rating import (
    Rating,
    RatingPoint,
    RatingState,
    Strength,
    StrengthPoint,
    StrengthState,
)
from league.models.result import Placing, Result, Tally
from league.models.roster import Roster, RosterMember
from league.models.rules import ClubRuleset, ClubRulesetVersion
from league.models.schedule import Occurrence, Schedule
from league.models.season_cache import SeasonRow, SeasonTable
from league.models.sign_up import SignUp, SignUpAnswer, WaitingName
from league.models.token import ApiToken
from league.models.verification import OldRows, Verification
