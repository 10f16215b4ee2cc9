package disputes_test

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/ante-games/ante/disputes"
	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/games/gametest/toy"
	"github.com/ante-games/ante/protocol"
	"github.com/cockroachdb/datadriven"
	"github.com/ethereum/go-ethereum/common"
)

// TestPlans plays the scripts under testdata. Each says what the chain and the evidence say, and
// what the plan is then.
//
//	channel seats=2 me=0 [deposit=100] a fresh channel of 100 per seat with a window of 100, seen by seat me
//	match g [first=0] [stake=20] [expire=skip] [of=1;2]    between all seats, or some
//	play g 1 0 both:1 win:1 expire     extends g's line: who moves next (after a state that both signed), or how it ends
//	fork g at=1 as=h                   h agrees with g up to turn index 1; its moves differ from g's
//	ledger 2 80/80 g                   the newest ledger that all signed: version, balances, locks
//	closing 3 100/100                  a closing ledger that all signed
//	hold g 0-2 [all=1] [by=1@0;0@1]   my support: from one index of the line to another, movers' signatures and others'
//	also g 0-2 [..]                    another support that I hold of the same match as g
//	agreed g 2 20/20                   an agreement that all signed, at a turn
//	proof g h 3 by=1                   two positions at index 3 that seat 1 signed
//	bound g [free]                     others may still complete a ledger that books g; or not any more
//	forget g [all] [lock]              my support, agreement and proofs of g; or all, or its ledger
//	spoil g first | last | move        a signature of my support, or its last move
//	wish [exit] [leave] [asked] [close] [demand=g] [post=g before=50 margin=5] [restored]    replaces earlier wishes
//	policy [floor=..] [gasprice=..] [token] [frugal]
//	chain opened | contested 2 80/80 g [closing=yes] until=200 | settled 2 | paid g | closed 3 | undo 7
//	chain recorded g 0-2 [all=..] [by=..] [lie] [forged] since=50 [until=150] [status=over]   what an advance left behind
//	chain expired g 3 since=60 | unsigned g until=150 | agreed g 2 until=150 | final g 40/0 | flagged g 1
//	sent | failed                      what the last plan ordered is on its way | has failed
//	plan now=50
func TestPlans(t *testing.T) {
	datadriven.Walk(t, "testdata/plans", func(t *testing.T, path string) {
		s := &script{T: t}
		datadriven.RunTest(t, path, s.run)
	})
}

type script struct {
	*testing.T
	board   *board
	c       disputes.Case
	matches map[string]*match
	names   map[common.Hash]string
	block   uint64
	plan    disputes.Plan
	memory  disputes.Memory
}

func (s *script) run(t *testing.T, d *datadriven.TestData) string {
	words := positional(d)
	switch d.Cmd {
	case "channel":
		s.channel(d)
	case "match":
		s.match(d, words[0])
	case "play":
		s.play(s.matches[words[0]], words[1:])
	case "fork":
		m := s.matches[words[0]].fork(s.number(d, "at", 0))
		var as string
		d.ScanArgs(t, "as", &as)
		s.matches[as] = m
	case "ledger":
		s.c.Ledger = s.ledger(words, false)
	case "closing":
		s.c.Closing = s.ledger(words, true)
	case "hold":
		m := s.matches[words[0]]
		s.change(m, func(e *disputes.Match) { e.Support = s.support(d, m, words[1]) })
	case "also":
		m := s.matches[words[0]]
		s.change(m, func(e *disputes.Match) { e.Also = append(e.Also, s.support(d, m, words[1])) })
	case "spoil":
		s.change(s.matches[words[0]], func(e *disputes.Match) { e.Support = spoilt(e.Support, words[1]) })
	case "agreed":
		m := s.matches[words[0]]
		s.change(m, func(e *disputes.Match) {
			e.Agreement = m.agreement(protocol.Turn(s.parse(words[1])), s.list(words[2])...)
		})
	case "proof":
		s.proof(d, words)
	case "bound":
		s.change(s.matches[words[0]], func(e *disputes.Match) { e.Bound = !slices.Contains(words, "free") })
	case "forget":
		s.forget(s.matches[words[0]], words[1:])
	case "wish":
		s.wish(d)
	case "policy":
		s.c.Floor.SetUint64(uint64(s.number(d, "floor", 0)))
		s.c.GasPrice.SetUint64(uint64(s.number(d, "gasprice", 0)))
		s.c.Frugal = d.HasArg("frugal")
		if d.HasArg("token") {
			s.c.Terms.Asset = common.Address{19: 0x20}
		}
	case "chain":
		s.block++
		if words[0] == "undo" {
			s.c.Chain.Unhappened(s.parse(words[1]))
			return ""
		}
		s.c.Chain.Happened(s.block, s.event(d, words))
		return fmt.Sprintf("block %d\n", s.block)
	case "sent", "failed":
		for _, o := range s.plan.Orders {
			for _, k := range o.Keys() {
				s.c.Pending[k] = d.Cmd == "sent"
				s.c.Failed[k] = d.Cmd == "failed"
			}
		}
	case "plan":
		s.c.Now = uint64(s.number(d, "now", 0))
		s.plan = s.c.Plan()
		s.remembered()
		return s.print()
	default:
		d.Fatalf(t, "unknown command")
	}
	return ""
}

// remembered compares the plan with those of a case that remembers what earlier plans worked out,
// or only that of a moment ago.
func (s *script) remembered() {
	c := s.c
	for c.Memory = range map[*disputes.Memory]bool{&s.memory: true, {}: true} {
		for range 2 {
			c.Memory.Look()
			if plan := c.Plan(); !reflect.DeepEqual(plan, s.plan) {
				s.Errorf("at %d the plan is another with a memory: %+v", c.Now, plan)
			}
		}
	}
}

func (s *script) channel(d *datadriven.TestData) {
	s.board = newBoard(protocol.Domain{ChainID: 1, Arena: common.Address{19: 1}}, common.Address{19: 2}, s.number(d, "seats", 2), 100,
		uint64(s.number(d, "deposit", 100)))
	s.matches, s.names, s.memory = map[string]*match{}, map[common.Hash]string{}, disputes.Memory{}
	s.c = disputes.Case{
		Domain: s.board.domain, Terms: s.board.terms, Seat: s.number(d, "me", 0), Rules: s.board.find, Chain: &disputes.View{},
		Evidence: disputes.Evidence{Matches: map[common.Hash]disputes.Match{}},
		Policy:   disputes.Policy{Margin: 10},
		Pending:  map[string]bool{}, Failed: map[string]bool{},
	}
}

func (s *script) match(d *datadriven.TestData, name string) {
	of := "0;1;2"[:2*len(s.board.keys)-1]
	if d.HasArg("of") {
		d.ScanArgs(s.T, "of", &of)
	}
	var seats []uint8
	var stakes []uint64
	for _, w := range strings.Split(of, ";") {
		seats, stakes = append(seats, uint8(s.parse(w))), append(stakes, uint64(s.number(d, "stake", 20)))
	}
	var expire uint8
	if d.HasArg("expire") {
		expire = toy.Skip
	}
	m := s.board.match(2<<8+uint64(len(s.matches)), seats, toy.Params(uint8(s.number(d, "first", 0)), toy.Fine, expire), stakes...)
	s.matches[name], s.names[m.id] = m, name
	s.change(m, func(e *disputes.Match) { e.Terms = m.terms })
}

func (s *script) play(m *match, moves []string) {
	for _, w := range moves {
		salt := byte(len(s.matches)) // so that the moves of a fork differ
		switch who, wins := strings.CutPrefix(w, "win:"); {
		case w == "expire":
			m.expire()
		case w == "chance":
			m.play(toy.Pass(games.Chance, salt))
		case strings.HasPrefix(w, "both:"):
			m.play(toy.PassIfSigned(uint8(s.parse(w[5:])), 3))
		case wins:
			m.play(toy.Win(uint8(s.parse(who)), salt))
		default:
			m.play(toy.Pass(uint8(s.parse(w)), salt))
		}
	}
}

func (s *script) ledger(words []string, closing bool) *protocol.SignedLedger {
	var locked []*match
	for _, name := range words[2:] {
		locked = append(locked, s.matches[name])
	}
	l := s.board.ledger(s.parse(words[0]), closing, s.list(words[1]), locked...)
	for _, m := range locked {
		s.change(m, func(e *disputes.Match) {
			if e.Ledger == nil {
				e.Ledger = l
			}
		})
	}
	return l
}

func (s *script) change(m *match, f func(*disputes.Match)) {
	e := s.c.Matches[m.id]
	f(&e)
	s.c.Matches[m.id] = e
}

func (s *script) support(d *datadriven.TestData, m *match, span string) *protocol.Support {
	from, to, _ := strings.Cut(span, "-")
	var others []mark
	if d.HasArg("all") {
		others = m.all(s.number(d, "all", 0))
	}
	if d.HasArg("by") {
		var list string
		d.ScanArgs(s.T, "by", &list)
		for _, w := range strings.Split(list, ";") {
			seat, at, _ := strings.Cut(w, "@")
			others = append(others, mark{int(s.parse(at)), uint8(s.parse(seat))})
		}
	}
	return m.support(int(s.parse(from)), int(s.parse(to)), others)
}

func (s *script) proof(d *datadriven.TestData, words []string) {
	a, b, at, seat := s.matches[words[0]], s.matches[words[1]], int(s.parse(words[2])), uint8(s.number(d, "by", 1))
	e := &protocol.Equivocation{MatchID: a.id, Turn: a.line[at].turn, Seat: seat}
	for i, m := range []*match{a, b} {
		e.States[i], e.Signatures[i] = protocol.StateHash(m.line[at].state), m.signature(at, seat)
	}
	s.change(a, func(ev *disputes.Match) { ev.Proofs = append(ev.Proofs, *e) })
}

func (s *script) forget(m *match, what []string) {
	s.change(m, func(e *disputes.Match) {
		switch {
		case slices.Contains(what, "lock"):
			e.Ledger = nil
		default:
			e.Support, e.Also, e.Agreement, e.Proofs = nil, nil, nil, nil
		}
	})
	if slices.Contains(what, "all") || slices.Contains(what, "booked") {
		delete(s.c.Matches, m.id)
	}
	if slices.Contains(what, "booked") {
		s.c.Past = func(id common.Hash) (protocol.MatchTerms, error) {
			if id != m.id {
				return protocol.MatchTerms{}, errors.New("another match")
			}
			return m.terms, nil
		}
	}
}

func (s *script) wish(d *datadriven.TestData) {
	s.c.Wishes = disputes.Wishes{
		Exit: d.HasArg("exit"), Leave: d.HasArg("leave"), Asked: d.HasArg("asked"), Close: d.HasArg("close"),
		Demand: map[common.Hash]bool{},
	}
	s.c.Restored = d.HasArg("restored")
	if d.HasArg("demand") {
		var name string
		d.ScanArgs(s.T, "demand", &name)
		s.c.Demand[s.matches[name].id] = true
	}
}

func positional(d *datadriven.TestData) []string {
	var words []string
	for _, a := range d.CmdArgs {
		if len(a.Vals) == 0 {
			words = append(words, a.Key)
		}
	}
	return words
}

func (s *script) number(d *datadriven.TestData, name string, otherwise int) int {
	if d.HasArg(name) {
		d.ScanArgs(s.T, name, &otherwise)
	}
	return otherwise
}

func (s *script) parse(w string) uint64 {
	v, err := strconv.ParseUint(w, 10, 64)
	if err != nil {
		s.Fatal(err)
	}
	return v
}

func (s *script) list(w string) []uint64 {
	var out []uint64
	for _, v := range strings.Split(w, "/") {
		out = append(out, s.parse(v))
	}
	return out
}
