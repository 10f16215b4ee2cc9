package channel_test

import (
	"testing"

	"github.com/ante-games/ante/channel"
	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/games/commit"
	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/message"
	"github.com/ante-games/ante/protocol/onchain"
	"github.com/ante-games/ante/protocol/protocoltest"
	"github.com/ethereum/go-ethereum/common"
)

// letGo releases the matches of a table of two by a ledger of version 3, while seat 0 has signed
// one of version 4: what it knows of them is kept, as that may still lock them.
func (tb *table) letGo() {
	tb.t.Helper()
	tb.must(0, tb.proposal(10))
	tb.queue = nil
	tb.shows(0, protocol.Ledger{ChannelID: tb.id, Version: 3, Balances: tb.terms.Deposits})
	tb.queue = nil
}

// decided is the Arena's last word on a match: everybody gets their stakes back.
func (tb *table) decided(id common.Hash) onchain.Recorded {
	return onchain.Recorded{ChannelID: tb.id, MatchID: id,
		Record: protocol.Record{Status: protocol.MatchFinal, Turn: 1, Payouts: tb.view(0, id).Terms.Stakes}}
}

// What a user may not do is refused with the reason, nothing is signed, and where no move is
// possible the machine says so before.
func TestMovesThatAreRefused(t *testing.T) {
	for name, c := range map[string]struct {
		seats   int
		prepare func(*table, common.Hash)
		seat    int
		change  func(*channel.MakeMove)
		want    error
		may     bool
	}{
		"of no match":   {2, nil, 0, func(m *channel.MakeMove) { m.MatchID[0]++ }, channel.ErrNoMatch, true},
		"of a position": {2, nil, 0, func(m *channel.MakeMove) { m.Turn++ }, channel.ErrStale, true},
		"illegal":       {2, nil, 0, func(m *channel.MakeMove) { m.Move = []byte{99} }, games.ErrIllegal, true},
		"secret": {2, nil, 0, func(m *channel.MakeMove) { m.Secret = commit.Load(make([]byte, channel.MaxSecret+1)) },
			games.ErrIllegal, true},
		"not ours": {2, nil, 1, nil, channel.ErrNotYourTurn, false},
		"restored": {2, func(tb *table, _ common.Hash) { tb.must(0, channel.StoreRestored{}) }, 0, nil, channel.ErrRestored, false},
		"released": {2, func(tb *table, _ common.Hash) { tb.letGo() }, 0, nil, channel.ErrNoMatch, false},
		"closed": {2, func(tb *table, _ common.Hash) {
			tb.must(0, channel.ChainSeen{Event: onchain.Closed{ChannelID: tb.id, Version: 9}, Final: true})
		}, 0, nil, channel.ErrNoMatch, false},
		"over": {2, func(tb *table, id common.Hash) { tb.mustMove(0, id, Win) }, 0, nil, channel.ErrOver, false},
		"decided": {2, func(tb *table, id common.Hash) { tb.must(0, channel.ChainSeen{Event: tb.decided(id), Final: true}) }, 0, nil,
			channel.ErrOver, false},
		"signed": {2, func(tb *table, id common.Hash) { tb.mark(0, id, protocol.MarkOf(1)) }, 0, nil, channel.ErrSigned, false},
	} {
		t.Run(name, func(t *testing.T) {
			tb := openTable(t, c.seats)
			id := tb.match(0)
			if c.prepare != nil {
				c.prepare(tb, id)
			}
			v := tb.view(c.seat, id)
			if v.MayMove != c.may {
				t.Errorf("may move %v, want %v", v.MayMove, c.may)
			}
			in := channel.MakeMove{MatchID: id, Turn: v.Turn, Move: []byte{Pass}}
			if c.change != nil {
				c.change(&in)
			}
			tb.refuses(c.seat, in, c.want)
		})
	}
}

// mark raises what a seat's records say that it has signed of a match, as if of a position that is
// gone.
func (tb *table) mark(i int, id common.Hash, mark protocol.Mark) {
	tb.t.Helper()
	lost := protocol.StateHash([]byte("lost"))
	tb.reload(i, change(tb.t, tb.records(i), "match/"+common.Bytes2Hex(id[:]), &antev1.MatchRecord{}, func(r *antev1.MatchRecord) {
		r.Mark, r.MarkState = uint64(mark), lost[:]
	}))
}

// A secret may be as long as that.
func TestLongestSecret(t *testing.T) {
	tb := openTable(t, 2)
	id := tb.match(0)
	tb.must(0, channel.MakeMove{MatchID: id, Move: []byte{Pass}, Secret: commit.Load(make([]byte, channel.MaxSecret))})
	if got := tb.seats[0].m.Secret(id); len(got.Expose()) != channel.MaxSecret {
		t.Errorf("%d bytes are kept", len(got.Expose()))
	}
}

// A seat that doesn't play in a match moves in it neither by its own user's word nor by that of
// another, and blames nobody for telling it.
func TestMovesBySpectators(t *testing.T) {
	tb := openTable(t, 3)
	id := tb.locked(0, tb.proposal(100, 0, 1))
	tb.refuses(2, channel.MakeMove{MatchID: id, Move: []byte{Pass}}, channel.ErrNoMatch)
	tb.heal()
	tb.mustMove(0, id, Pass)
	moved := only[message.Move](tb.answers(0))[0]
	tb.refuses(2, channel.Received{From: 0, Message: moved}, nil)
	if err := tb.says(0, 1, moved); err != nil {
		t.Fatal(err)
	}
	// what is known already, by somebody else
	tb.refuses(1, channel.Received{From: 2, Message: moved}, channel.ErrPeer)
	next := play(t, tb.view(1, id).State, Pass)
	tb.refuses(0, channel.Received{From: 2, Message: message.Move{MatchID: id, Turn: 2, Move: []byte{Pass},
		State: protocol.StateHash(next), Signature: tb.signPosition(2, id, 2, next)}}, channel.ErrPeer)
}

// A position that stood on-chain for a window counts as signed by all: a seat that signs it now
// says nothing that is kept or answered.
func TestMovesToWhatStood(t *testing.T) {
	tb := openTable(t, 3)
	id := tb.match(0)
	tb.mustMove(0, id, Pass)
	tb.silent(2)
	tb.seen(1, tb.posted(1, id, 10))
	tb.must(1, channel.ClockAt{Now: 10 + tb.terms.Window})
	v := tb.view(1, id)
	if !v.Agreed || v.Signed != 0b11 {
		t.Fatalf("agreed %v, signed %b", v.Agreed, v.Signed)
	}
	tb.heard("of a seat that had not signed", 2, 1, message.Move{MatchID: id, Turn: 1, Move: []byte{Pass},
		State: protocol.StateHash(v.State), Signature: tb.signPosition(2, id, 1, v.State)}, nil)
}

// When a match is no longer locked, or the Arena's word on it is final, a peer's move comes too
// late: it is neither kept nor countersigned.
func TestMovesThatComeTooLate(t *testing.T) {
	for name, end := range map[string]func(*table, common.Hash){
		"released": func(tb *table, _ common.Hash) { tb.letGo() },
		"decided":  func(tb *table, id common.Hash) { tb.must(0, channel.ChainSeen{Event: tb.decided(id), Final: true}) },
	} {
		t.Run(name, func(t *testing.T) {
			tb := openTable(t, 2)
			id := tb.match(0)
			tb.mustMove(0, id, Pass)
			tb.deliverAll()
			next := play(t, tb.view(0, id).State, Keep)
			end(tb, id)
			tb.refuses(0, channel.Received{From: 1, Message: message.Move{MatchID: id, Turn: 2, Move: []byte{Keep},
				State: protocol.StateHash(next), Signature: tb.signPosition(1, id, 2, next)}}, nil)
		})
	}
}

// The first word that comes with a move is of turn 0 of that match, and signed: otherwise the move
// isn't looked at.
func TestFirstWords(t *testing.T) {
	for name, change := range map[string]func(*table, *message.Countersign){
		"another match": func(_ *table, c *message.Countersign) { c.MatchID[0]++ },
		"another turn":  func(_ *table, c *message.Countersign) { c.Turn = 1 },
		"forged":        func(tb *table, c *message.Countersign) { c.Signature = tb.sign(1, common.Hash{1}) },
	} {
		t.Run(name, func(t *testing.T) {
			tb := openTable(t, 2)
			id := tb.locked(0, tb.proposal(100))
			tb.mustMove(0, id, Pass)
			move := only[message.Move](tb.answers(0))[0]
			first := *move.First
			move.First = &first
			change(tb, &first)
			tb.refuses(1, channel.Received{From: 0, Message: move}, channel.ErrPeer)
		})
	}
}

// When the key can't sign just then, a move is not made: neither the turn 0 that goes with the
// first one nor the move itself is half done.
func TestMovesWithoutTheKey(t *testing.T) {
	for after := range 2 {
		tb := openTable(t, 2)
		id := tb.locked(0, tb.proposal(100))
		tb.loseSigner(0, after)
		move := channel.MakeMove{MatchID: id, Move: []byte{Pass}}
		tb.refuses(0, move, errNoSigner)
		tb.must(0, move)
	}
}

// What a peer says of a turn that we know already proves nothing against it unless it signed it.
func TestMovesOfKnownTurns(t *testing.T) {
	tb := openTable(t, 2)
	id := tb.match(0)
	start := tb.view(0, id).State
	tb.mustMove(0, id, Pass)
	tb.deliverAll()
	forged, err := protocoltest.Key("nobody").Sign(protocol.Position{MatchID: id, Turn: 1, State: protocol.StateHash(play(t, start, Keep))}.Digest(tb.domain))
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		move message.Move
		want error
	}{
		"turn 0":   {message.Move{Turn: 0, Move: []byte{Pass}, State: protocol.StateHash(start), Signature: tb.signPosition(0, id, 0, start)}, nil},
		"unsigned": {message.Move{Turn: 1, Move: []byte{Keep}, State: protocol.StateHash(play(t, start, Keep)), Signature: forged}, protocol.ErrSignature},
	} {
		t.Run(name, func(t *testing.T) {
			c.move.MatchID = id
			tb.refuses(1, channel.Received{From: 0, Message: c.move}, c.want)
		})
	}
}

// terse are toy rules that take no notice of what follows the first byte of a move.
type terse struct{ toyRules }

func (r terse) Play(c *games.Context, state, move []byte) ([]byte, error) {
	return r.toyRules.Play(c, state, move[:min(len(move), 1)])
}

// A move that a seat spells otherwise, to the position that it signed, is no news: it isn't
// answered either.
func TestMovesSpelledOtherwise(t *testing.T) {
	tb := openTable(t, 2)
	tb.rules(terse{})
	id := tb.match(0)
	tb.mustMove(0, id, Pass)
	move := only[message.Move](tb.answers(0))[0]
	if err := tb.says(0, 1, move); err != nil {
		t.Fatal(err)
	}
	tb.must(1, channel.Idle{}) // so that seat 1 has signed it, too
	move.Move = append(move.Move, 7)
	tb.refuses(1, channel.Received{From: 0, Message: move}, nil)
}

// Two seats make the chain's move at once: each takes the other's signature of it.
func TestChanceMovedByBoth(t *testing.T) {
	tb := openTable(t, 2)
	id := tb.match(0)
	tb.mustMove(0, id, Fate)
	tb.deliverAll()
	tb.mustMove(0, id, Pass)
	tb.mustMove(1, id, Pass)
	moves := [][]message.Move{only[message.Move](tb.answers(0)), only[message.Move](tb.answers(1))}
	for i := range moves {
		if err := tb.says(i, 1-i, moves[i][0]); err != nil {
			t.Fatal(err)
		}
	}
	for i := range moves {
		if v := tb.view(i, id); v.Turn != 2 || v.Signed != 0b11 || !v.Agreed {
			t.Errorf("seat %d: turn %s signed by %b", i, v.Turn, v.Signed)
		}
	}
}

// fading are toy rules that no longer find what a move was checked against: a block hash that is
// too old, say.
type fading struct {
	toyRules
	gone *bool
}

func (f fading) Play(c *games.Context, state, move []byte) ([]byte, error) {
	if *f.gone {
		return nil, games.ErrIllegal
	}
	return f.toyRules.Play(c, state, move)
}

// A move that comes twice is passed over, and its sender not blamed, though it could not be checked
// any more.
func TestMovesTwice(t *testing.T) {
	tb := openTable(t, 2)
	gone := false
	tb.rules(fading{gone: &gone})
	id := tb.match(0)
	tb.mustMove(0, id, Pass)
	move := only[message.Move](tb.answers(0))[0]
	if err := tb.says(0, 1, move); err != nil {
		t.Fatal(err)
	}
	gone = true
	tb.refuses(1, channel.Received{From: 0, Message: move}, nil)
}

// A match has ended when nobody moves on, whatever payouts its rules name before.
func TestEndedWhenNobodyMoves(t *testing.T) {
	tb := openTable(t, 2)
	tb.rules(generous{})
	id := tb.match(0)
	for _, c := range []struct {
		move  byte
		ended int
	}{{Keep, 0}, {Win, 1}} {
		tb.mustMove(0, id, c.move)
		if got := len(happened[channel.MatchEnded](tb.seats[0])); got != c.ended {
			t.Errorf("after move %d the match ended %d times", c.move, got)
		}
	}
}

// The rules are told since which block a position is recorded, once that is final.
func TestRecordedBlock(t *testing.T) {
	tb := openTable(t, 2)
	id := tb.match(0)
	tb.mustMove(0, id, Pass)
	tb.deliverAll()
	e := tb.posted(0, id, 10)
	for i, want := range []uint64{0, 10} {
		tb.must(0, channel.ChainSeen{Event: e, Final: i == 1})
		if got := tb.view(0, id).Recorded; got != want {
			t.Errorf("final %v: recorded in block %d, want %d", i == 1, got, want)
		}
	}
}
