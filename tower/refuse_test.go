package tower

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/ante-games/ante/driver"
	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/message"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// locking is a ledger with some locks, signed by both seats.
func (s *siege) locking(id common.Hash, version uint64, closing bool, locks ...protocol.Lock) protocol.SignedLedger {
	l := s.signed(version).Ledger
	l.ChannelID, l.Locks, l.Closing = id, locks, closing
	if len(locks) == 0 {
		l.Balances = s.terms.Deposits
	}
	return protocol.SignedLedger{Ledger: l, Signatures: []protocol.Signature{s.sign(s.seats[0], l.Digest(s.domain)), s.sign(s.seats[1], l.Digest(s.domain))}}
}

// TestEvidenceThatDoesNotHold: evidence of another channel or match, with other stakes, or that
// stands on a ledger that isn't held, is refused with the reason, and nothing of it is kept.
func TestEvidenceThatDoesNotHold(t *testing.T) {
	s := besiege(t, nil)
	elsewhere := common.Hash{7}
	away, unlocked, few := s.match, s.match, *uint256.NewInt(1)
	away.ChannelID, unlocked.Nonce = elsewhere, 3<<8
	other := func(m protocol.MatchTerms, stakes []uint256.Int) message.TowerEvidence {
		return message.TowerEvidence{
			Ledger: s.locking(s.id, 3, false, protocol.Lock{MatchID: m.ID(s.domain), Stakes: stakes}), Matches: []protocol.MatchTerms{m},
		}
	}
	e := s.evidenceOf()
	e.Agreement = s.agreement(5)
	misnamed, forged, disproved := e, e, s.evidenceOf()
	misnamed.Matches = []protocol.MatchTerms{unlocked}
	forged.Ledger.Signatures = []protocol.Signature{s.ledger.Signatures[1], s.ledger.Signatures[0]}
	disproved.Support = s.support(0, 1)
	disproved.Proofs = []protocol.Equivocation{{
		MatchID: s.matchID, Seat: 1, States: [2]common.Hash{{1}, {2}}, Signatures: [2]protocol.Signature{s.ledger.Signatures[0], s.ledger.Signatures[1]},
	}}
	endless := disproved
	endless.Proofs = []protocol.Equivocation{{MatchID: s.matchID, Turn: math.MaxUint64, States: [2]common.Hash{{1}, {2}}}}
	for i, state := range endless.Proofs[0].States {
		endless.Proofs[0].Signatures[i] = s.sign(s.seats[0], protocol.Position{MatchID: s.matchID, Turn: math.MaxUint64, State: state}.Digest(s.domain))
	}
	refused := func(name string, e message.TowerEvidence, why string) {
		t.Helper()
		s.now = s.now.Add(time.Minute) // refusals are answered again
		if r := s.give(1, e); !strings.Contains(r.Refusal, why) {
			t.Errorf("%s: %q, want %q", name, r.Refusal, why)
		}
	}
	refused("before any ledger", e, "give that ledger first")
	refused("another channel's ledger", message.TowerEvidence{Ledger: s.locking(elsewhere, 3, false)}, "another channel")
	refused("a match that isn't locked", message.TowerEvidence{Ledger: s.ledger, Matches: []protocol.MatchTerms{unlocked}}, "doesn't lock")
	refused("a match of another channel", other(away, s.match.Stakes), "doesn't lock")
	refused("other stakes", other(s.match, []uint256.Int{few, few}), "doesn't lock")
	if s.Seats() != 0 {
		t.Errorf("%d seats are held", s.Seats())
	}
	s.entrust()
	refused("another match than is named", misnamed, "another match")
	refused("a ledger that nobody signed", forged, "ledger 2")
	refused("a proof that doesn't hold", disproved, "a proof against seat 1")
	refused("a proof of a turn that there can't be", endless, "a proof against seat 0")
	if r := s.give(1, e); r.Refusal != "" {
		t.Fatal(r.Refusal)
	}
	forged.Agreement = s.agreement(9)
	refused("later, a ledger that nobody signed", forged, "ledger 2")
	if r := s.give(1, message.TowerEvidence{Ledger: s.locking(s.id, 3, false)}); r.Refusal != "" || len(r.Matches) != 0 {
		t.Fatalf("%+v", r)
	}
	refused("a match that the newest ledger doesn't lock", e, "give that ledger first")
}

// TestRoomIsCounted: evidence that is just as large as may be is taken, and one byte less room
// refuses it; one seat more than may be is refused.
func TestRoomIsCounted(t *testing.T) {
	s := besiege(t, nil)
	s.entrust()
	h, err := s.holding(s.id, 1)
	s.must(err)
	e := message.TowerEvidence{Ledger: s.ledger, Matches: []protocol.MatchTerms{s.match}}
	for _, c := range []struct {
		limits Limits
		why    string
	}{{Limits{Bytes: h.Bytes, Seats: 1}, ""}, {Limits{Bytes: h.Bytes - 1}, "bytes of evidence, at most"}} {
		small := besiege(t, func(config *Config) { config.Limits = c.limits })
		e := e
		e.Ledger, e.Matches = small.ledger, []protocol.MatchTerms{small.match}
		if r := small.give(1, e); (c.why == "") != (r.Refusal == "") || !strings.Contains(r.Refusal, c.why) {
			t.Errorf("with %+v: %q", c.limits, r.Refusal)
		}
		if c.limits.Seats == 1 {
			if r := small.give(0, e); !strings.Contains(r.Refusal, "more seats than 1") {
				t.Errorf("a second seat: %q", r.Refusal)
			}
		}
	}
}

// TestBestOfAllSeats: what is answered with is the newest of what any seat gave, whichever gave it,
// and so is what is shown.
func TestBestOfAllSeats(t *testing.T) {
	for newer := range 2 {
		s := besiege(t, nil)
		older := 1 - newer
		lock := protocol.Lock{MatchID: s.matchID, Stakes: s.match.Stakes}
		for seat, version := range map[int]uint64{newer: 5, older: 4} {
			e := message.TowerEvidence{Ledger: s.locking(s.id, version, version == 5, lock), Matches: []protocol.MatchTerms{s.match}}
			if version == 5 {
				e.Ledger, e.Matches = s.locking(s.id, version, true), nil
			}
			if r := s.give(seat, e); r.Refusal != "" {
				t.Fatal(r.Refusal)
			}
		}
		out, err := s.evidence(s.id, new(dispute))
		s.must(err)
		if out.Ledger == nil || out.Ledger.Version != 5 || out.Closing != out.Ledger || out.Matches[s.matchID].Ledger.Version != 4 {
			t.Errorf("newest of seat %d: %+v", newer, out)
		}
		s.post.taken()
		handler{s.Tower}.Receive(s.owners[older].Address(), message.Envelope(s.id, message.TowerAsk{Show: true}))
		sent := s.post.taken()
		if e, ok := sent[0].(message.TowerEvidence); !ok || e.Ledger.Version != 5 {
			t.Errorf("newest of seat %d, shown: %T %+v", newer, sent[0], sent[0])
		}
	}
}

// TestAgreementsOfAllSeats: of two seats' agreements to end a match the newer counts, and both
// seats' support is told. A newer ledger that still locks the match drops nothing.
func TestAgreementsOfAllSeats(t *testing.T) {
	for newer := range 2 {
		s := besiege(t, nil)
		for seat := range 2 {
			if r := s.give(seat, message.TowerEvidence{Ledger: s.ledger, Matches: []protocol.MatchTerms{s.match}}); r.Refusal != "" {
				t.Fatal(r.Refusal)
			}
			e := s.evidenceOf()
			e.Support, e.Agreement = s.support(0, 1), s.agreement(protocol.Turn(5))
			if seat == newer {
				e.Agreement = s.agreement(9)
			}
			if r := s.give(seat, e); r.Refusal != "" {
				t.Fatal(r.Refusal)
			}
		}
		if r := s.give(0, message.TowerEvidence{Ledger: s.signed(3), Matches: []protocol.MatchTerms{s.match}}); len(r.Matches) != 1 {
			t.Errorf("a match that is still locked is dropped: %+v", r)
		}
		out, err := s.evidence(s.id, new(dispute))
		s.must(err)
		if m := out.Matches[s.matchID]; m.Agreement == nil || m.Agreement.Turn != 9 || m.Support == nil || len(m.Also) != 1 {
			t.Errorf("newer of seat %d: %+v", newer, m)
		}
	}
}

// TestNoLedgerToShow: where nobody gave a ledger, none is shown.
func TestNoLedgerToShow(t *testing.T) {
	s := besiege(t, nil)
	handler{s.Tower}.Receive(s.owners[0].Address(), message.Envelope(s.id, message.TowerAsk{Show: true}))
	for _, m := range s.post.taken() {
		if _, shown := m.(message.TowerEvidence); shown {
			t.Errorf("%+v", m)
		}
	}
}

// TestNoChannelIsNamed: a message that names no channel is not answered.
func TestNoChannelIsNamed(t *testing.T) {
	s := besiege(t, nil)
	handler{s.Tower}.Receive(common.Address{1}, new(antev1.Envelope))
	if sent := s.post.taken(); len(sent) != 0 {
		t.Errorf("%+v", sent)
	}
}

// TestSilentSeatsAreForgotten: what a seat gave is kept until it expires, and then dropped,
// whatever another seat of the channel gave later.
func TestSilentSeatsAreForgotten(t *testing.T) {
	s := besiege(t, nil)
	e := message.TowerEvidence{Ledger: s.ledger, Matches: []protocol.MatchTerms{s.match}}
	s.give(0, e)
	s.mine(5)
	s.give(1, e)
	first, err := s.holding(s.id, 0)
	s.must(err)
	second, err := s.holding(s.id, 1)
	s.must(err)
	for _, c := range []struct {
		at   uint64
		held int
	}{{first.Expiry - 1, 2}, {first.Expiry, 1}, {second.Expiry - 1, 1}, {second.Expiry, 0}} {
		s.mu.Lock()
		s.swept = 0
		s.mu.Unlock()
		s.must(s.sweep(c.at))
		if s.Seats() != c.held {
			t.Errorf("at %d: %d seats are held, want %d", c.at, s.Seats(), c.held)
		}
	}
	if second.Expiry <= first.Expiry {
		t.Errorf("expiries %d and %d", first.Expiry, second.Expiry)
	}
}

// TestTroubleIsLoggedOnce: the log has each trouble once, and that it is over.
func TestTroubleIsLoggedOnce(t *testing.T) {
	s := besiege(t, nil)
	s.Tower.stop() // so that nothing else logs
	s.Tower.done.Wait()
	for i, c := range []struct {
		err  error
		logs bool
	}{{nil, false}, {errors.New("a"), true}, {errors.New("a"), false}, {errors.New("b"), true}, {nil, true}, {nil, false}} {
		before := s.log.size()
		s.fail(c.err)
		if logged := s.log.size() > before; logged != c.logs || !errors.Is(s.Err(), c.err) {
			t.Errorf("%d: logged %t", i, logged)
		}
	}
	for i, logs := range []bool{true, false} {
		before := s.log.size()
		handler{s.Tower}.Copied(common.Address{1})
		if logged := s.log.size() > before; logged != logs {
			t.Errorf("copied %d times: logged %t", i+1, logged)
		}
	}
}

// TestDisputesAreDue: a dispute is looked at when something happened, or when its time has come.
func TestDisputesAreDue(t *testing.T) {
	w := &Tower{disputes: map[common.Hash]*dispute{{1}: {stirred: true}, {2}: {next: 9}, {3}: {next: 10}, {4}: {next: 11}, {5}: {}, {6}: {next: 1}}}
	due := map[common.Hash]bool{}
	list, _ := w.due(10)
	for _, id := range list {
		due[id] = true
	}
	if want := map[common.Hash]bool{{1}: true, {2}: true, {3}: true, {6}: true}; fmt.Sprint(due) != fmt.Sprint(want) {
		t.Errorf("due: %v", due)
	}
	if n := w.Counts().Disputes; n != 6 {
		t.Errorf("%d disputes are told", n)
	}
}

// TestNoCourt: where nothing is due, a transaction that failed and a look change nothing; a channel
// that the chain doesn't know gets no watchers.
func TestNoCourt(t *testing.T) {
	s := besiege(t, nil)
	s.failed(common.Hash{1}, nil)
	s.must(s.sit(t.Context(), common.Hash{1}, 1))
	c := new(dispute)
	s.must(s.summon(common.Hash{1}, c))
	if len(c.watchers) != 0 {
		t.Errorf("%d watchers", len(c.watchers))
	}
}

// TestSeatedAreBounded: a bounded number of accounts is remembered to have shown a seat.
func TestSeatedAreBounded(t *testing.T) {
	w := &Tower{seated: map[common.Address]int{}, appointments: driver.NewAppointments(nil, nil)}
	for i := range maxSeated + 2 {
		w.seat(common.Address{}, common.Address{byte(i), byte(i >> 8), byte(i >> 16), 1})
	}
	if len(w.seated) != maxSeated {
		t.Errorf("%d are remembered, want %d", len(w.seated), maxSeated)
	}
	w.seat(common.Address{1, 0, 0, 1}, common.Address{})
	if len(w.seated) != maxSeated-1 {
		t.Error("one without a seat is remembered")
	}
}

// TestDefaults: what a configuration leaves out has a default, and a price of gas that is set
// counts.
func TestDefaults(t *testing.T) {
	s := besiege(t, func(c *Config) { c.Policy.Poll, c.Policy.GasPrice = 0, *uint256.NewInt(7) })
	if s.config.Policy.Poll != DefaultPoll {
		t.Errorf("asked every %s", s.config.Policy.Poll)
	}
	if p := s.drive.GasPrice(); p.Uint64() != 7 {
		t.Errorf("gas costs %s", p.Dec())
	}
	if l := Budgets()[0]; l.Friend.Burst != 256 {
		t.Errorf("a seat's messages: %+v", l.Friend)
	}
	broken := errors.New("broken")
	if err := s.Wait(t.Context(), func() (bool, error) { return false, broken }); !errors.Is(err, broken) {
		t.Errorf("waiting: %v", err)
	}
}
