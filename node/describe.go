package node

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ante-games/ante/channel"
	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/onchain"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// texts say in words what happens in a channel. The session's lock is held.
type texts struct {
	*member
	machine *channel.Machine
}

// tell turns what the machine says into events for the user.
func (s texts) tell(events []channel.Event) []Event {
	var out []Event
	for _, e := range events {
		if _, gone := e.(channel.ProposalGone); gone && asksAgain(events) {
			continue
		}
		if e, clock := e.(channel.MatchExpired); clock && ends(events, e.MatchID) {
			continue
		}
		if told, ok := s.describe(e); ok {
			told.Channel = s.id
			out = append(out, told)
		}
	}
	return out
}

// ends reports whether a match ends in these events.
func ends(events []channel.Event, match common.Hash) bool {
	return slices.ContainsFunc(events, func(e channel.Event) bool {
		end, is := e.(channel.MatchEnded)
		return is && end.MatchID == match
	})
}

func (s texts) describe(e channel.Event) (Event, bool) {
	switch e := e.(type) {
	case channel.ChannelReady:
		if s.machine.Restored() {
			return Event{Kind: ChannelOpened, Text: fmt.Sprintf("channel %s is open, and frozen: nothing can be played in it", s.id)}, true
		}
		return Event{Kind: ChannelOpened, Text: fmt.Sprintf("channel %s is open: play", s.id)}, true
	case channel.ProposalAsked:
		return Event{Kind: MatchProposed, Text: fmt.Sprintf("%s proposes %s", s.name(e.From), s.describeMatches(e.Matches))}, true
	case channel.ProposalRefused:
		if e.By == s.seat {
			return Event{Kind: ProposalFailed, Text: fmt.Sprintf("your proposal is off: %s", e.Reason)}, true
		}
		return Event{Kind: ProposalFailed, Text: fmt.Sprintf("%s refuses: %q", s.name(e.By), e.Reason)}, true
	case channel.ProposalGone:
		return Event{Kind: ProposalFailed, Text: "what was proposed to you is off: " + goneFor}, true
	case channel.MatchStarted:
		return Event{Kind: MatchStarted, Match: e.MatchID, Text: "everybody is here: the match starts"}, true
	case channel.Moved:
		return Event{Kind: MatchMoved, Match: e.MatchID, Turn: uint64(e.Turn), Text: s.describeMove(e)}, true
	case channel.MatchExpired:
		return Event{Kind: MatchMoved, Match: e.MatchID, Turn: uint64(e.Turn), Text: "a clock ran out on-chain; the match goes on"}, true
	case channel.MatchEnded:
		return Event{Kind: MatchEnded, Match: e.MatchID, Turn: uint64(e.Turn), Text: s.describeOutcome(e.MatchID, &e.Outcome)}, true
	case channel.MatchReleased:
		text := "the match's stakes are paid out"
		if e.Payouts != nil {
			text += ": " + s.amounts(e.Payouts)
		}
		return Event{Kind: MatchBooked, Match: e.MatchID, Text: text}, true
	case channel.AgreementOffered:
		return Event{Kind: DrawOffered, Match: e.MatchID, Turn: uint64(e.Turn), Text: fmt.Sprintf(
			"%s offers to end the match with payouts %s", s.who(e.MatchID, e.Seat), s.amounts(e.Payouts))}, true
	case channel.AgreementReached:
		return Event{Kind: MatchAgreed, Match: e.Agreement.MatchID, Turn: uint64(e.Agreement.Turn), Text: "agreed: payouts " + s.amounts(e.Agreement.Payouts)}, true
	case channel.CloseSigned:
		return Event{Kind: CloseSigned, Text: "everybody signed the closing ledger: balances " + s.amounts(e.Ledger.Balances)}, true
	case channel.SeatEquivocated:
		return Event{Kind: Alarm, Match: e.Proof.MatchID, Text: fmt.Sprintf(
			"%s signed two different positions at turn %s; the proof is kept and goes to the chain", s.who(e.Proof.MatchID, e.Proof.Seat), e.Proof.Turn)}, true
	case channel.ChannelContested:
		if e.Now {
			return Event{Kind: OnChain, Text: "the channel is being closed on-chain one-sidedly: no ledger is signed any more"}, true
		}
		return Event{Kind: OnChain, Text: "the one-sided close left the chain again"}, true
	case channel.ChannelEnded:
		return Event{Kind: ChannelClosed, Text: "everything is paid out"}, true
	}
	return Event{}, false
}

func (s texts) describeMove(e channel.Moved) string {
	who := s.who(e.MatchID, e.Seat)
	m, _ := s.machine.Match(e.MatchID) // one that is gone already has no rules
	if game, err := s.node.drive.Game(m.Terms.Rules); err == nil && e.Before != nil {
		if text, err := game.Player.Describe(s.machine.Judge(e.MatchID).Context(0, 0), e.Before, e.Move); err == nil {
			return who + ": " + text
		}
	}
	return who + " moved"
}

func (s texts) describeOutcome(matchID common.Hash, o *games.Outcome) string {
	text := "the match is over: payouts " + s.amounts(o.Payouts)
	if o.Guilty != 0 {
		text += "; convicted: " + s.convicted(matchID, o.Guilty)
	}
	if reason := o.ReasonText(); reason != "" {
		text += " (" + reason + ")"
	}
	return text
}

// convicted names the seats of a mask.
func (s texts) convicted(matchID common.Hash, guilty uint16) string {
	var names []string
	for seat := range uint8(games.MaxSeats) {
		if guilty&(1<<seat) != 0 {
			names = append(names, s.who(matchID, seat))
		}
	}
	return strings.Join(names, ", ")
}

func (s *member) describeMatches(list []protocol.MatchTerms) string {
	var parts []string
	for i := range list {
		parts = append(parts, fmt.Sprintf("a match of %s, stakes %s", s.node.gameName(list[i].Rules), s.amounts(list[i].Stakes)))
	}
	return strings.Join(parts, "; ")
}

// who names a seat of a match as this node's player sees it.
func (s texts) who(matchID common.Hash, seat uint8) string {
	m, ok := s.machine.Match(matchID)
	switch {
	case seat == games.Chance:
		return "the chain"
	case ok && int(seat) == m.Seat:
		return "you"
	case ok && len(m.Terms.Seats) == 2 && m.Seat >= 0:
		return "your opponent"
	}
	return fmt.Sprintf("seat %d", seat)
}

// name names another seat of the channel.
func (s *member) name(seat int) string {
	if len(s.terms.Players) == 2 {
		return fmt.Sprintf("your opponent (%s)", s.terms.Players[seat])
	}
	return fmt.Sprintf("seat %d (%s)", seat, s.terms.Players[seat])
}

// amounts writes money of the channel by seat.
func (s *member) amounts(list []uint256.Int) string {
	parts := make([]string, len(list))
	for i := range list {
		parts[i] = s.node.amount(s.terms.Asset, &list[i])
	}
	return strings.Join(parts, " / ")
}

// describeChain says what the Arena said, for people.
func (s texts) describeChain(e onchain.Event) []Event {
	told := Event{Kind: OnChain, Channel: s.id}
	switch e := e.(type) {
	case onchain.Closed:
		told.Text = fmt.Sprintf("closed with ledger %d: everything is paid out", e.Version)
	case onchain.Contested:
		told.Text = fmt.Sprintf("ledger %d is posted for a one-sided close; it can be settled from clock time %d", e.Ledger.Version, e.Deadline)
	case onchain.Settled:
		told.Text = fmt.Sprintf("the free balances of ledger %d are paid out", e.Version)
	case onchain.LockPaid:
		told.Match, told.Text = e.MatchID, "the match's stakes are paid out: "+s.amounts(e.Payouts)
	case onchain.Recorded:
		told.Match, told.Text = e.MatchID, s.describeRecord(&e)
		if e.Record.Turn > 0 {
			told.Turn = uint64(e.Record.Turn.Turn())
		}
	default:
		return nil
	}
	return []Event{told}
}

func (s texts) describeRecord(e *onchain.Recorded) string {
	r := &e.Record
	var text string
	switch r.Status {
	case protocol.MatchUnsigned:
		text = fmt.Sprintf("a start that not everybody signed is posted; it is void from clock time %d", r.Deadline)
	case protocol.MatchLive:
		text = fmt.Sprintf("the position of turn %s is recorded; next to move: %s", r.Turn.Turn(), s.who(e.MatchID, r.Mover))
		if r.Deadline != 0 {
			text += fmt.Sprintf(", whose clock runs out at %d", r.Deadline)
		}
	case protocol.MatchAgreed:
		text = fmt.Sprintf("an agreement is posted: payouts %s, final at clock time %d", s.amounts(r.Payouts), r.Deadline)
	case protocol.MatchOver:
		text = fmt.Sprintf("the match is over: payouts %s, final at clock time %d", s.amounts(r.Payouts), r.Deadline)
	case protocol.MatchFinal, protocol.MatchPaid:
		text = "the match is decided: payouts " + s.amounts(r.Payouts)
	default:
		text = "the record of the match changed"
	}
	if e.Guilty != 0 {
		text += fmt.Sprintf("; convicted: %s (%s)", s.convicted(e.MatchID, e.Guilty), strings.TrimRight(string(e.Reason[:]), "\x00"))
	}
	return text
}
