package channel_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/ante-games/ante/channel"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/message"
	"github.com/ante-games/ante/protocol/onchain"
	"github.com/cockroachdb/datadriven"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// TestScenarios plays the scripts under testdata/scenarios: what the seats do and what the network
// and the chain do to them, and beside each command what came of it. After a change, -rewrite
// refreshes what came out; read the diff.
func TestScenarios(t *testing.T) {
	datadriven.Walk(t, "testdata/scenarios", func(t *testing.T, path string) {
		s := &script{}
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			s.out.Reset()
			s.run(t, d)
			if s.out.Len() == 0 {
				return "ok"
			}
			return s.out.String()
		})
	})
}

type script struct {
	*table
	out  strings.Builder
	told []int // events of each seat that were printed
}

func (s *script) run(t *testing.T, d *datadriven.TestData) {
	if d.Cmd == "open" {
		n := 2
		d.MaybeScanArgs(t, "seats", &n)
		if d.HasArg("auto") {
			s.table = openTable(t, n)
		} else {
			s.table = newTable(t, n)
			for i := range n {
				s.must(i, channel.ChainSeen{Event: onchain.Opened{ChannelID: s.id, Terms: s.terms}, Final: true})
			}
			s.deliverAll()
		}
		s.told = make([]int, n)
		s.report()
		return
	}
	i := 0
	d.MaybeScanArgs(t, "seat", &i)
	sent := len(s.queue)
	var err error
	switch d.Cmd {
	case "deliver", "drop", "repeat":
		err = s.packets(t, d)
		sent = len(s.queue)
	case "queue":
		sent = 0
	case "crash":
		s.restart(i)
	case "state":
		s.state(i)
	default:
		err = s.step(i, s.input(t, d, i))
	}
	if err != nil {
		fmt.Fprintf(&s.out, "refused: %v\n", err)
	}
	s.report()
	for _, p := range s.queue[min(sent, len(s.queue)):] {
		fmt.Fprintf(&s.out, "%d -> %d: %s\n", p.from, p.to, s.message(p.msg))
	}
}

// packets takes a number of messages from the front of the queue, or "all", until nobody says
// anything any more. They can be picked by sender.
func (s *script) packets(t *testing.T, d *datadriven.TestData) error {
	n, from := 1, -1
	d.MaybeScanArgs(t, "n", &n)
	d.MaybeScanArgs(t, "from", &from)
	if d.HasArg("all") {
		n = 1000
	}
	for ; n > 0; n-- {
		at := slices.IndexFunc(s.queue, func(p packet) bool { return from < 0 || p.from == from })
		if at < 0 {
			return nil
		}
		p := s.queue[at]
		switch d.Cmd {
		case "drop":
			s.queue = slices.Delete(s.queue, at, at+1)
			continue
		case "repeat":
			s.queue = append(s.queue, p)
			continue
		}
		if err := s.deliver(at); err != nil {
			return err
		}
		fmt.Fprintf(&s.out, "%d <- %d: %s\n", p.to, p.from, s.message(p.msg))
		s.report()
	}
	return nil
}

func (s *script) input(t *testing.T, d *datadriven.TestData, i int) channel.Input {
	m := s.seats[i].m
	id := newest(m)
	v, _ := m.Match(id)
	var n int
	switch d.Cmd {
	case "propose":
		var stake uint64
		var players []uint8
		d.ScanArgs(t, "stake", &stake)
		for _, a := range d.CmdArgs {
			if a.Key == "players" {
				for k := range a.Vals {
					a.Scan(t, k, &n)
					players = append(players, uint8(n))
				}
			}
		}
		return s.proposal(stake, players...)
	case "withdraw":
		return channel.WithdrawMatches{}
	case "approve":
		d.ScanArgs(t, "version", &n)
		return channel.ApproveProposal{Version: uint64(n)}
	case "refuse":
		d.ScanArgs(t, "version", &n)
		return channel.RefuseProposal{Version: uint64(n), Reason: "not today"}
	case "move":
		var kind string
		d.ScanArgs(t, "kind", &kind)
		what := map[string]byte{"pass": Pass, "keep": Keep, "win": Win, "lie": Lie, "draw": Draw, "fate": Fate}
		return channel.MakeMove{MatchID: id, Turn: v.Turn, Move: []byte{what[kind]}}
	case "concede":
		return channel.Concede{MatchID: id, Turn: v.Turn}
	case "offer":
		var list []uint256.Int
		for _, a := range d.CmdArgs {
			if a.Key == "payouts" {
				for k := range a.Vals {
					a.Scan(t, k, &n)
					list = append(list, *uint256.NewInt(uint64(n)))
				}
			}
		}
		return channel.OfferAgreement{MatchID: id, Turn: v.Turn, Payouts: list}
	case "accept":
		d.ScanArgs(t, "of", &n)
		return channel.AcceptAgreement{MatchID: id, Turn: v.Turn, Seat: uint8(n), Payouts: offeredBy(v, uint8(n))}
	case "close":
		return channel.CloseChannel{}
	case "idle":
		return channel.Idle{}
	case "tick":
		return channel.Tick{}
	case "connected":
		d.ScanArgs(t, "to", &n)
		return channel.Connected{Seat: n}
	case "contested":
		return channel.ChainSeen{Event: onchain.Contested{ChannelID: s.id, Ledger: m.Ledger(), Deadline: 100}, Final: d.HasArg("final")}
	case "uncontested":
		return channel.ChainUndone{Event: onchain.Contested{ChannelID: s.id, Ledger: m.Ledger(), Deadline: 100}}
	case "restored":
		return channel.StoreRestored{}
	}
	t.Fatalf("%s: unknown command %s", d.Pos, d.Cmd)
	return nil
}

// report prints what the seats were told since the last time.
func (s *script) report() {
	for i, seat := range s.seats {
		for _, e := range seat.events[min(s.told[i], len(seat.events)):] {
			fmt.Fprintf(&s.out, "   seat %d: %s\n", i, s.event(e))
		}
		s.told[i] = len(seat.events)
	}
}

func (s *script) state(i int) {
	m := s.seats[i].m
	l := m.Ledger()
	version, _ := m.Signed()
	fmt.Fprintf(&s.out, "ledger %d %v locks %d, signed %d\n", l.Version, balances(l), len(l.Locks), version)
	if p := m.Proposal(); p != nil {
		fmt.Fprintf(&s.out, "proposal %d on %d, asked %v\n", p.Ledger.Version, p.Base, p.Asked)
	}
	for _, v := range m.Matches() {
		fmt.Fprintf(&s.out, "match %s turn %s mover %d signed up to %s agreed up to %s", s.name(v.ID), v.Turn, v.Mover, upTo(v.Mark), upTo(v.Rank.Agreed))
		if v.Support != nil {
			fmt.Fprintf(&s.out, " support %d+%d with %d signatures", v.Support.Turn, len(v.Support.Moves), len(v.Support.Signatures))
		}
		s.out.WriteByte('\n')
	}
}

func upTo(m protocol.Mark) string {
	if m == 0 {
		return "nothing"
	}
	return m.Turn().String()
}

func amounts(list []uint256.Int) (out []string) {
	for i := range list {
		out = append(out, list[i].Dec())
	}
	return out
}

// name says which ledger first locked a match, and as which of its new ones.
func (s *script) name(id common.Hash) string {
	for _, seat := range s.seats {
		if v, ok := seat.m.Match(id); ok {
			return fmt.Sprintf("%d.%d", v.Terms.Nonce>>8, v.Terms.Nonce&255)
		}
	}
	return "gone"
}

func (s *script) message(msg message.Message) string {
	switch m := msg.(type) {
	case message.Propose:
		return fmt.Sprintf("Propose %d on %d%s", m.Ledger.Version, m.Base, contents(&m))
	case message.Approve:
		return fmt.Sprintf("Approve %d starts %d", m.Version, len(m.Starts))
	case message.Reject:
		return fmt.Sprintf("Reject %d code %d signed %d: %s", m.Version, m.Code, m.Signed, m.Reason)
	case message.Move:
		return fmt.Sprintf("Move to turn %s first %v", m.Turn, m.First != nil)
	case message.Countersign:
		return fmt.Sprintf("Countersign turn %s", m.Turn)
	case message.AgreementSignature:
		return fmt.Sprintf("Agreement at turn %s by seat %d: %v", m.Turn, m.Seat, amounts(m.Payouts))
	case message.Sync:
		return fmt.Sprintf("Sync ledger %d signed %d matches %d reply %v", m.Version, m.Signed, len(m.Matches), m.Reply)
	case message.SyncReply:
		out := "SyncReply"
		if m.Ledger != nil {
			out += fmt.Sprintf(" ledger %d", m.Ledger.Version)
		}
		if m.Pending != nil {
			out += fmt.Sprintf(" pending %d", m.Pending.Ledger.Version)
		}
		if m.Support != nil {
			out += fmt.Sprintf(" support %s+%d with %d signatures, %d agreements", m.Support.Turn, len(m.Support.Moves), len(m.Support.Signatures), len(m.Agreements))
		}
		return out
	}
	return fmt.Sprintf("%T", msg)
}

func contents(p *message.Propose) (out string) {
	if len(p.Matches) > 0 {
		out += fmt.Sprintf(" locks %d", len(p.Matches))
	}
	if len(p.Bookings) > 0 {
		out += fmt.Sprintf(" books %d", len(p.Bookings))
	}
	if p.Ledger.Closing {
		out += " closing"
	}
	return out
}

func (s *script) event(e channel.Event) string {
	switch e := e.(type) {
	case channel.ProposalAsked:
		return fmt.Sprintf("ProposalAsked %d", e.Version)
	case channel.ProposalGone:
		return fmt.Sprintf("ProposalGone %d", e.Version)
	case channel.ProposalRefused:
		return fmt.Sprintf("ProposalRefused by %d: %s", e.By, e.Reason)
	case channel.LedgerSigned:
		return fmt.Sprintf("LedgerSigned %d %v locks %d", e.Ledger.Version, balances(e.Ledger), len(e.Ledger.Locks))
	case channel.YourTurn:
		return fmt.Sprintf("YourTurn %s", e.Turn)
	case channel.Moved:
		return fmt.Sprintf("Moved to turn %s by %d", e.Turn, e.Seat)
	case channel.MatchEnded:
		return fmt.Sprintf("MatchEnded %v guilty %b %s", amounts(e.Outcome.Payouts), e.Outcome.Guilty, e.Outcome.ReasonText())
	case channel.MatchReleased:
		return fmt.Sprintf("MatchReleased %v", amounts(e.Payouts))
	case channel.AgreementOffered:
		return fmt.Sprintf("AgreementOffered by %d: %v", e.Seat, amounts(e.Payouts))
	case channel.CloseSigned:
		return fmt.Sprintf("CloseSigned %v", balances(e.Ledger))
	case channel.ChannelContested:
		return fmt.Sprintf("ChannelContested %v", e.Now)
	}
	return strings.TrimPrefix(fmt.Sprintf("%T", e), "channel.")
}
