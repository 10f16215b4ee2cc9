package node_test

import (
	"crypto/sha256"
	"maps"
	"strings"
	"testing"
	"time"

	"github.com/ante-games/ante/node"
	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/message"
	"github.com/ante-games/ante/store"
	"github.com/ante-games/ante/tower"
	"github.com/ante-games/ante/transport/p2p"
	"github.com/ethereum/go-ethereum/common"
)

// mouth is a peer of an account that says whatever a test has it say, and tells what it hears.
type mouth struct {
	*p2p.Host
	heard chan *antev1.Envelope
}

func (*mouth) Connected(common.Address)           {}
func (*mouth) Disconnected(common.Address, error) {}
func (m *mouth) Receive(_ common.Address, env *antev1.Envelope) {
	m.heard <- env
}

// speak joins the network in the name of a player, whose node must not run.
func speak(t *testing.T, p *player, d protocol.Domain) *mouth {
	t.Helper()
	seed := sha256.Sum256(p.config.Player.Address().Bytes())
	identity, err := p2p.IdentityFromSeed(seed[:])
	must(t, err)
	m := &mouth{heard: make(chan *antev1.Envelope, 1024)}
	m.Host, err = p2p.New(p2p.Config{Identity: identity, Signer: p.config.Player, Domain: d, Handler: m})
	must(t, err)
	t.Cleanup(func() { must(t, m.Host.Close()) })
	return m
}

// reach connects to a tower.
func (m *mouth) reach(t *testing.T, tb *table, w *testTower) {
	t.Helper()
	must(t, m.Keep(w.Account(), w.Network().Addresses()...))
	must(t, m.Connect(tb.ctx, w.Account()))
}

// say sends a message to a tower and returns what it answers first.
func (m *mouth) say(t *testing.T, tb *table, w *testTower, id common.Hash, msg message.Message) message.TowerReceipt {
	t.Helper()
	must(t, m.Send(w.Account(), message.Envelope(id, msg)))
	select {
	case env := <-m.heard:
		_, answer, err := message.FromEnvelope(env)
		must(t, err)
		r, ok := answer.(message.TowerReceipt)
		if !ok {
			t.Fatalf("answered with %T", answer)
		}
		return r
	case <-tb.ctx.Done():
		t.Fatal(tb.ctx.Err())
	}
	return message.TowerReceipt{}
}

// held is everything that a tower holds for seats.
func held(t *testing.T, w *testTower) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, prefix := range []string{"holding/", "proof/"} {
		must(t, w.memory.Scan(prefix, "", func(key string, value []byte) error {
			all[key] = string(value)
			return nil
		}))
	}
	return all
}

// besieged is a table of two with a running match at turn 1, whose second player's node is replaced
// by a mouth.
func besieged(t *testing.T, change func(*tower.Config)) (tb *table, w *testTower, m *mouth, v node.Table, l protocol.SignedLedger) {
	t.Helper()
	w = build(t, change)
	tb = sit(t, 2, nil)
	alice, mallory := tb.players[0], tb.players[1]
	id := tb.match(t, "toy", "")
	tb.play(t, alice, id, "pass 1")
	tb.wait(t, mallory, func() bool { m, err := mallory.Match(id); return err == nil && m.MayMove && int(m.Mover) == m.Seat })
	var err error
	v, err = mallory.Match(id)
	must(t, err)
	c, err := mallory.Channel(tb.channel)
	must(t, err)
	domain := mallory.Domain()
	must(t, mallory.Close())
	w.until(t, tb, func() bool { return w.Head().Block >= world(t).Chain.Head() })
	m = speak(t, mallory, domain)
	m.reach(t, tb, w)
	return tb, w, m, v, c.Ledger
}

// TestAttack_ForgedEvidence: what a seat gives that does not hold, or that is not newer, changes
// nothing. What holds is taken, and only that of the seat itself.
func TestAttack_ForgedEvidence(t *testing.T) {
	t.Parallel()
	tb, w, m, v, l := besieged(t, nil)
	good := message.TowerEvidence{Ledger: l, Matches: []protocol.MatchTerms{v.Terms}}
	position := message.TowerEvidence{Ledger: l, Matches: good.Matches, MatchID: v.ID, Support: v.Support}
	if r := m.say(t, tb, w, tb.channel, position); !strings.Contains(r.Refusal, "give that ledger first") {
		t.Errorf("a position before its ledger: %q", r.Refusal)
	}
	if r := m.say(t, tb, w, tb.channel, good); r.Refusal != "" || r.Version != l.Version {
		t.Fatalf("the newest ledger: %+v", r)
	}
	if r := m.say(t, tb, w, tb.channel, position); r.Refusal != "" || r.Match(v.ID).Turn != protocol.MarkOf(1) {
		t.Fatalf("the newest position: %+v", r)
	}
	ledger := func(change func(*message.TowerEvidence)) message.TowerEvidence {
		e := good
		e.Ledger.Signatures = append([]protocol.Signature(nil), good.Ledger.Signatures...)
		e.Ledger.Version++
		change(&e)
		return e
	}
	support := func(change func(*message.TowerEvidence, *protocol.Support)) message.TowerEvidence {
		e, s := position, *position.Support
		s.Moves = append([][]byte(nil), s.Moves...)
		s.Signatures = append([]protocol.SeatSignature(nil), s.Signatures...)
		e.Support = &s
		change(&e, &s)
		return e
	}
	state, said := protocol.StateHash(v.State), [2]protocol.Signature{l.Signatures[0], l.Signatures[0]}
	for _, s := range v.Support.Signatures {
		if s.Seat == 0 { // its newest comes last
			said[0] = s.Signature
		}
	}
	proof := func(turn protocol.Turn, a, b common.Hash) message.TowerEvidence {
		return support(func(e *message.TowerEvidence, _ *protocol.Support) {
			e.Proofs = []protocol.Equivocation{{Turn: turn, States: [2]common.Hash{a, b}, Signatures: said}}
		})
	}
	before := held(t, w)
	for name, e := range map[string]message.TowerEvidence{
		"another version":  ledger(func(*message.TowerEvidence) {}),
		"unsigned":         ledger(func(e *message.TowerEvidence) { e.Ledger.Signatures = nil }),
		"the first":        ledger(func(e *message.TowerEvidence) { e.Ledger.Version = 1 << 40 }),
		"another channel":  ledger(func(e *message.TowerEvidence) { e.Ledger.ChannelID = common.Hash{1} }),
		"terms not locked": ledger(func(e *message.TowerEvidence) { e.Matches = []protocol.MatchTerms{{ChannelID: tb.channel}} }),
		"another match": support(func(e *message.TowerEvidence, s *protocol.Support) {
			e.MatchID = common.Hash{1}
		}),
		"a move nobody signed": support(func(_ *message.TowerEvidence, s *protocol.Support) { s.Moves = append(s.Moves, []byte{0, 0}) }),
		"an illegal move":      support(func(_ *message.TowerEvidence, s *protocol.Support) { s.Moves = append(s.Moves, []byte{9, 9}) }),
		"a turn of no epoch":   support(func(_ *message.TowerEvidence, s *protocol.Support) { s.Turn |= 1 << 40 }),
		"another base":         support(func(_ *message.TowerEvidence, s *protocol.Support) { s.Base = []byte{1} }),
		"an agreement that not all signed": support(func(e *message.TowerEvidence, _ *protocol.Support) {
			e.Support, e.Agreement = nil, &protocol.SignedAgreement{Agreement: protocol.Agreement{MatchID: v.ID, Turn: 9, Payouts: v.Terms.Stakes},
				Signatures: l.Signatures}
		}),
		"a proof of one position": proof(1, state, state),
		"a proof of another turn": proof(2, state, common.Hash{1}),
		"a proof that is forged":  proof(1, state, common.Hash{1}),
		"a proof against nobody": support(func(e *message.TowerEvidence, _ *protocol.Support) {
			e.Proofs = []protocol.Equivocation{{Turn: 1, Seat: 2, States: [2]common.Hash{{1}, {2}}, Signatures: said}}
		}),
		"a store mark of somebody else": func() message.TowerEvidence {
			e := good
			e.Mark = message.StoreMark{Generation: 7, Signature: l.Signatures[0]}
			return e
		}(),
	} {
		if r := m.say(t, tb, w, tb.channel, e); r.Refusal == "" {
			t.Errorf("%s: taken: %+v", name, r)
		}
	}
	if !maps.Equal(before, held(t, w)) {
		t.Error("what was refused changed what is held")
	}
	if r := m.say(t, tb, w, common.Hash{1}, good); !strings.Contains(r.Refusal, "no such channel") {
		t.Errorf("a channel that was never opened: %q", r.Refusal)
	}
	if len(held(t, w)) != 3 { // a holding, a ledger, a match: of mallory's seat only
		t.Errorf("held: %d pieces", len(held(t, w)))
	}
}

// TestAttack_TowerFlood: strangers get nothing in, and a seat that says too much is answered that
// it does. Others are served.
func TestAttack_TowerFlood(t *testing.T) {
	t.Parallel()
	const burst = 16
	stopped := time.Now()
	tb, w, m, v, l := besieged(t, func(c *tower.Config) {
		c.Limits.Burst, c.Limits.Seats = burst, 2
		c.Now = func() time.Time { return stopped }
	})
	eve := join(t, nil)
	domain := eve.Domain()
	must(t, eve.Close())
	stranger := speak(t, eve, domain)
	stranger.reach(t, tb, w)
	good := message.TowerEvidence{Ledger: l, Matches: []protocol.MatchTerms{v.Terms}}
	if r := stranger.say(t, tb, w, tb.channel, good); !strings.Contains(r.Refusal, "only a seat") {
		t.Errorf("a stranger's evidence: %q", r.Refusal)
	}
	for range 10 * burst {
		must(t, stranger.Send(w.Account(), message.Envelope(tb.channel, good)))
	}
	if len(held(t, w)) != 0 {
		t.Fatal("a stranger's evidence is held")
	}
	refused := 0
	for range 2 * burst {
		if r := m.say(t, tb, w, tb.channel, good); strings.Contains(r.Refusal, "not so fast") {
			refused++
		}
	}
	if refused != burst {
		t.Errorf("%d of %d messages refused, want %d", refused, 2*burst, burst)
	}
	alice := tb.players[0]
	alice.trust(t, w)
	tb.entrusted(t, alice, l.Version)
	if w.Seats() != 2 {
		t.Errorf("%d seats", w.Seats())
	}
}

// TestAttack_LyingTower: a tower that lies about what it holds, or about what this node once
// signed, makes it believe nothing; nor does somebody who is no tower of its.
func TestAttack_LyingTower(t *testing.T) {
	t.Parallel()
	tb := sit(t, 2, nil)
	alice := tb.players[0]
	id := tb.match(t, "toy", "")
	tb.play(t, alice, id, "pass 1")
	liar := join(t, nil)
	key := liar.config.Player
	must(t, liar.Close())
	m := speak(t, liar, alice.Domain())
	sign := func(h message.Holding, seat int) message.TowerReceipt {
		sig, err := key.Sign(h.Digest(alice.Domain(), tb.channel, seat))
		must(t, err)
		return message.TowerReceipt{Holding: h, Signature: sig}
	}
	lie := func(msg message.Message) {
		must(t, m.Send(alice.Account(), message.Envelope(tb.channel, msg)))
	}
	must(t, m.Keep(alice.Account(), alice.Network().Addresses()...))
	must(t, m.Connect(tb.ctx, alice.Account()))
	lie(sign(message.Holding{Version: 99}, 0)) // not yet trusted
	must(t, alice.AddTower(key.Address()))
	c, err := alice.Channel(tb.channel)
	must(t, err)
	forged := c.Ledger
	forged.Version = 99
	own := message.Holding{Version: 99, Mark: message.StoreMark{Generation: 1 << 40, Signature: c.Ledger.Signatures[0]}}
	stranger := sign(message.Holding{Version: 98}, 0)
	stranger.Signature = c.Ledger.Signatures[1]
	lie(message.TowerEvidence{Ledger: forged})    // that nobody signed
	lie(sign(own, 0))                             // a store mark that alice did not sign
	last := sign(message.Holding{Version: 50}, 0) // is believed to be what it says, no more
	lie(last)
	e := tb.confirmed(t, alice, func(e *node.Entrusted) bool { return e.Version == 50 })
	lie(stranger)                              // not signed by the tower
	lie(sign(message.Holding{Version: 97}, 1)) // for another seat
	must(t, m.Send(alice.Account(), message.Envelope(common.Hash{}, message.ListInvites{Query: 7})))
	for env := range m.heard {
		// messages of one peer are handled in order: so all of that was
		if env.GetInvitePage() != nil {
			break
		}
	}
	e = tb.confirmed(t, alice, func(*node.Entrusted) bool { return true })
	if e.Signature != last.Signature {
		t.Errorf("receipt: %+v", e.TowerReceipt)
	}
	if c, err = alice.Channel(tb.channel); err != nil || c.Restored || c.Ledger.Version >= 50 {
		t.Errorf("restored %v, ledger %d: %v", c.Restored, c.Ledger.Version, err)
	}
	if g, err := store.Restored(alice.memory); err != nil || g != 0 {
		t.Errorf("the store counts as restored in %d: %v", g, err)
	}
	tb.play(t, tb.players[1], id, "win 0") // play was never disturbed
	_, err = alice.Finished(tb.ctx, tb.channel, 1)
	must(t, err)
}
