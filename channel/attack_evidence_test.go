package channel_test

import (
	"errors"
	"fmt"
	"math/big"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/ante-games/ante/channel"
	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/protocoltest"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/holiman/uint256"
)

// evidence builds supports of a match of all seats of a table.
type evidence struct {
	*table
	terms protocol.MatchTerms
	judge *protocol.Judge
	start []byte
}

func newEvidence(t testing.TB, seats int) *evidence {
	tb := newTable(t, seats)
	_, terms := tb.lockLedger(tb.seats[0].m.Ledger().Ledger, uint64(seats), 100)
	return tb.evidenceOf(terms)
}

func (tb *table) evidenceOf(terms protocol.MatchTerms) *evidence {
	tb.t.Helper()
	e := &evidence{table: tb, terms: terms, judge: tb.judge(terms)}
	var err error
	if e.start, err = e.judge.Start(); err != nil {
		tb.t.Fatal(err)
	}
	return e
}

// support makes evidence from a base that the given seats signed, and moves each signed by the
// given seats.
func (e *evidence) support(turn protocol.Turn, base []byte, signers []int, moves ...signedMove) *protocol.Support {
	s := &protocol.Support{Turn: turn, Base: base}
	add := func(at int, state []byte, signers []int) {
		for _, seat := range signers {
			s.Signatures = append(s.Signatures, protocol.SeatSignature{At: uint16(at), Seat: uint8(seat),
				Signature: e.signPosition(seat, e.judge.MatchID(), turn+protocol.Turn(at), state)})
		}
	}
	add(0, base, signers)
	for i, m := range moves {
		base = play(e.t, base, m.move...)
		s.Moves = append(s.Moves, m.move)
		add(i+1, base, m.signers)
	}
	return s
}

type signedMove struct {
	move    []byte
	signers []int
}

func by(move byte, signers ...int) signedMove { return signedMove{[]byte{move}, signers} }

func TestReplayRanks(t *testing.T) {
	e := newEvidence(t, 3)
	for name, x := range map[string]struct {
		s      *protocol.Support
		agreed protocol.Mark
		turn   protocol.Turn
		mover  uint8
		signed uint16
	}{
		"base signed by all":       {e.support(0, e.start, []int{0, 1, 2}), 1, 0, 0, 0b111},
		"mover ahead":              {e.support(0, e.start, []int{0, 1, 2}, by(Pass, 0)), 1, 1, 1, 0b001},
		"two ahead":                {e.support(0, e.start, []int{0, 1, 2}, by(Pass, 0, 1, 2), by(Keep, 1)), 2, 2, 1, 0b010},
		"later signatures suffice": {e.support(0, e.start, nil, by(Pass, 0), by(Pass, 1), by(Pass, 2)), 2, 3, 0, 0b100},
		"chance needs nobody":      {e.support(0, e.start, []int{1, 2}, by(Fate, 0), by(Pass)), 1, 2, 2, 0},
		"unsigned start":           {e.support(0, e.start, []int{0, 2}), 0, 0, 0, 0b101},
	} {
		r, err := e.judge.Replay(x.s, nil, 0)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if r.Rank() != (protocol.Rank{Agreed: x.agreed, Turn: protocol.MarkOf(x.turn)}) || r.Mover != x.mover || r.Signed != x.signed {
			t.Errorf("%s: rank %v, mover %d, signed %b", name, r.Rank(), r.Mover, r.Signed)
		}
	}
}

// What a support leads through comes with it, so that nobody replays it again.
func TestReplayTellsTheWay(t *testing.T) {
	e := newEvidence(t, 2)
	moves := []byte{Pass, Keep, Pass, Win}
	r, err := e.judge.Replay(e.support(0, e.start, []int{0, 1}, by(moves[0], 0), by(moves[1], 1), by(moves[2], 1), by(moves[3], 0)), nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	states := [][]byte{e.start}
	for _, m := range moves {
		states = append(states, play(t, states[len(states)-1], m))
	}
	if movers := []uint8{0, 1, 1, 0, games.Nobody}; !reflect.DeepEqual(r.States, states) || !slices.Equal(r.Movers, movers) || r.OnRecord {
		t.Errorf("states %x, movers %v, on record %v", r.States, r.Movers, r.OnRecord)
	}
}

func TestReplayOutcome(t *testing.T) {
	e := newEvidence(t, 2)
	r, err := e.judge.Replay(e.support(0, e.start, []int{0, 1}, by(Lie, 0)), nil, 0)
	if err != nil || !r.Over() || r.SignedByAll() || r.Outcome.Guilty != 1 || r.Outcome.Payouts[1].Uint64() != 200 {
		t.Fatalf("%+v, %v", r, err)
	}
	r, err = e.judge.Replay(e.support(0, e.start, []int{0, 1}, by(Draw, 0, 1)), nil, 0)
	if err != nil || !r.SignedByAll() || r.Outcome.Guilty != 0 {
		t.Fatalf("%+v, %v", r, err)
	}
}

func TestReplayOnRecord(t *testing.T) {
	e := newEvidence(t, 3)
	state := play(t, e.start, Pass)
	record := &protocol.Record{Status: protocol.MatchLive, Turn: 2, State: protocol.StateHash(state), Mover: 1,
		Marks: []protocol.Mark{2, 1, 1}, Since: 50, Block: 7}
	s := e.support(1, state, nil, by(Pass, 1))
	for _, x := range []struct {
		now    uint64
		agreed protocol.Mark
	}{{149, 1}, {150, 2}} { // a record that stood for a window of 100 counts as signed by all
		r, err := e.judge.Replay(s, record, x.now)
		if err != nil || r.Rank().Agreed != x.agreed {
			t.Errorf("at %d: rank %v, %v", x.now, r.Rank(), err)
		}
	}
	if _, err := e.judge.Replay(s, nil, 150); !errors.Is(err, protocol.ErrSupport) {
		t.Errorf("without the record: %v", err)
	}
	record.Status = protocol.MatchUnsigned
	if _, err := e.judge.Replay(s, record, 150); !errors.Is(err, protocol.ErrSupport) {
		t.Errorf("on an unsigned record: %v", err)
	}
	record.Status, record.State = protocol.MatchLive, common.Hash{}
	if _, err := e.judge.Replay(s, record, 150); !errors.Is(err, protocol.ErrSupport) {
		t.Errorf("on another record: %v", err)
	}
}

// Evidence that the Arena refuses: every way to put it together wrongly.
func TestAttack_ForeignMove(t *testing.T) {
	e := newEvidence(t, 2)
	good := func() *protocol.Support {
		return e.support(0, e.start, []int{0, 1}, by(Pass, 0), by(Pass, 1))
	}
	if _, err := e.judge.Replay(good(), nil, 0); err != nil {
		t.Fatal(err)
	}
	for name, spoil := range map[string]func(s *protocol.Support){
		"a move its mover didn't sign":  func(s *protocol.Support) { s.Signatures = slices.Delete(s.Signatures, 2, 3) },
		"another's signature of a move": func(s *protocol.Support) { s.Signatures[2].Seat = 1 },
		"a skipped turn":                func(s *protocol.Support) { s.Turn = 1 },
		"a missing move":                func(s *protocol.Support) { s.Moves = s.Moves[1:] },
		"another move":                  func(s *protocol.Support) { s.Moves[0] = []byte{Keep} },
		"an illegal move":               func(s *protocol.Support) { s.Moves[1] = []byte{77} },
		"another base":                  func(s *protocol.Support) { s.Base = play(t, s.Base, Keep) },
		"a base too long":               func(s *protocol.Support) { s.Base = make([]byte, games.MaxState+1) },
		"a move too long":               func(s *protocol.Support) { s.Moves[1] = make([]byte, games.MaxMove+1) },
		"a signature of nothing":        func(s *protocol.Support) { s.Signatures[3].At = 3 },
		"a seat that isn't there":       func(s *protocol.Support) { s.Signatures[3].Seat = 2 },
		"signatures out of order":       func(s *protocol.Support) { slices.Reverse(s.Signatures) },
		"another epoch":                 func(s *protocol.Support) { s.Turn += 1 << 32 },
		"a move after the end": func(s *protocol.Support) {
			*s = *e.support(0, e.start, []int{0, 1}, by(Win, 0))
			s.Moves = append(s.Moves, []byte{0})
		},
		"a zero signature":               func(s *protocol.Support) { s.Signatures[0].Signature = protocol.Signature{} },
		"a turn whose count would wrap":  func(s *protocol.Support) { s.Turn = 1<<32 - 1 },
		"a base that one seat knows of":  func(s *protocol.Support) { *s = *e.support(3, e.start, []int{0}) },
		"an unsigned start with moves":   func(s *protocol.Support) { s.Signatures = s.Signatures[2:3]; s.Moves = s.Moves[:1] },
		"an unsigned turn 0 made up":     func(s *protocol.Support) { *s = protocol.Support{Base: play(t, e.start, Keep)} },
		"an expired branch":              func(s *protocol.Support) { *s = *e.support(1<<32+1, e.start, []int{0, 1}) },
		"signatures of another position": func(s *protocol.Support) { s.Signatures[0].At, s.Signatures[1].At = 1, 1 },
	} {
		s := good()
		spoil(s)
		if _, err := e.judge.Replay(s, nil, 0); !errors.Is(err, protocol.ErrSupport) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A branch from before an expiry is no support any more, though every seat signed it.
func TestAttack_ExpiredBranch(t *testing.T) {
	e := newEvidence(t, 2)
	state := play(t, e.start, Keep)
	record := &protocol.Record{Status: protocol.MatchLive, Turn: protocol.MarkOf(1 << 32), State: protocol.StateHash(state),
		Marks: []protocol.Mark{1<<32 + 1, 1<<32 + 1}}
	if _, err := e.judge.Replay(e.support(0, e.start, []int{0, 1}, by(Pass, 0, 1)), record, 0); !errors.Is(err, protocol.ErrSupport) {
		t.Errorf("a branch of the old epoch: %v", err)
	}
	r, err := e.judge.Replay(e.support(1<<32, state, nil, by(Pass, 0)), record, 0)
	if err != nil || r.Rank().Agreed != record.Turn {
		t.Errorf("a move after the expiry: rank %v, %v", r.Rank(), err)
	}
}

// A signature with high s, another v, zeros or overflows is refused, though lax verifiers take some
// of them.
func TestAttack_HighS(t *testing.T) {
	key := protocoltest.Key("high s")
	digest := crypto.Keccak256Hash([]byte("position"))
	sig, err := key.Sign(digest)
	if err != nil {
		t.Fatal(err)
	}
	if err := sig.Verify(digest, key.Address()); err != nil {
		t.Fatal(err)
	}
	n := crypto.S256().Params().N
	for name, spoil := range map[string]func(s *protocol.Signature){
		"high s": func(s *protocol.Signature) {
			new(big.Int).Sub(n, new(big.Int).SetBytes(s[32:64])).FillBytes(s[32:64])
			s[64] ^= 7 // 27 <-> 28
		},
		"v 0":        func(s *protocol.Signature) { s[64] -= 27 },
		"v 35":       func(s *protocol.Signature) { s[64] += 8 },
		"other v":    func(s *protocol.Signature) { s[64] ^= 7 },
		"r 0":        func(s *protocol.Signature) { copy(s[:32], make([]byte, 32)) },
		"s 0":        func(s *protocol.Signature) { copy(s[32:64], make([]byte, 32)) },
		"r is order": func(s *protocol.Signature) { n.FillBytes(s[:32]) },
		"zero":       func(s *protocol.Signature) { *s = protocol.Signature{} },
	} {
		bad := sig
		spoil(&bad)
		if err := bad.Verify(digest, key.Address()); !errors.Is(err, protocol.ErrSignature) {
			t.Errorf("%s: %v", name, err)
		}
		if err := bad.Verify(digest, common.Address{}); !errors.Is(err, protocol.ErrSignature) {
			t.Errorf("%s for the zero signer: %v", name, err)
		}
	}
}

// No digest of one kind, channel, Arena or chain is that of another, though all fields are alike.
func TestAttack_CrossType(t *testing.T) {
	seen := map[common.Hash]string{}
	for _, d := range []protocol.Domain{{ChainID: 1}, {ChainID: 2}, {ChainID: 1, Arena: common.Address{1}}} {
		for _, id := range []common.Hash{{}, {1}} {
			one := []uint256.Int{*uint256.NewInt(1)}
			terms := protocol.Terms{Players: []common.Address{{}}, Signers: []common.Address{{}}, Deposits: one, Salt: id}
			match := protocol.MatchTerms{ChannelID: id, Stakes: one}
			ledger := protocol.Ledger{ChannelID: id, Balances: one}
			agreement := protocol.Agreement{MatchID: id, Payouts: one}
			binding := protocol.PeerBinding{Challenge: id}
			for kind, digest := range map[string]common.Hash{
				"terms": terms.ID(d), "match": match.ID(d), "ledger": ledger.Digest(d),
				"position":  protocol.Position{MatchID: id}.Digest(d),
				"agreement": agreement.Digest(d), "contest": protocol.Contest{ChannelID: id}.Digest(d),
				"demand": protocol.Demand{MatchID: id}.Digest(d), "binding": binding.Digest(d),
			} {
				name := fmt.Sprintf("%s of %x under %v", kind, id[:1], d)
				if other, ok := seen[digest]; ok {
					t.Errorf("%s has the digest of %s", name, other)
				}
				seen[digest] = name
			}
		}
	}
	if len(seen) != 3*2*8 {
		t.Errorf("%d digests", len(seen))
	}
}

func TestAttack_DuplicateSeat(t *testing.T) {
	good := newTable(t, 3).terms
	for name, spoil := range map[string]func(x *protocol.Terms){
		"player twice": func(x *protocol.Terms) { x.Players[2] = x.Players[0] },
		"signer twice": func(x *protocol.Terms) { x.Signers[2] = x.Signers[0] },
		"zero signer":  func(x *protocol.Terms) { x.Signers[1] = common.Address{} },
		"zero player":  func(x *protocol.Terms) { x.Players[1] = common.Address{} },
		"no signer":    func(x *protocol.Terms) { x.Signers = x.Signers[:2] },
		"one seat": func(x *protocol.Terms) {
			x.Players, x.Signers, x.Deposits = x.Players[:1], x.Signers[:1], x.Deposits[:1]
		},
		"no window": func(x *protocol.Terms) { x.Window = 0 },
	} {
		bad := good
		bad.Players, bad.Signers = slices.Clone(good.Players), slices.Clone(good.Signers)
		spoil(&bad)
		if err := bad.Check(); !errors.Is(err, protocol.ErrTerms) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A session key never shows itself.
func TestAttack_LoggedSecret(t *testing.T) {
	key := protocoltest.Key("secret")
	hex := fmt.Sprintf("%x", key.Bytes())
	dec := new(big.Int).SetBytes(key.Bytes()).String()
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%x", "%d", "%q"} {
		for _, what := range []any{key, struct{ K *protocol.Key }{key}, channel.Config{Signer: key}} {
			if s := fmt.Sprintf(verb, what); strings.Contains(strings.ToLower(s), hex) || strings.Contains(s, dec) {
				t.Errorf("%s shows the key: %s", verb, s)
			}
		}
	}
}
