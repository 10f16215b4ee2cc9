package contracts_test

import (
	"bytes"
	"slices"
	"testing"

	"github.com/ante-games/ante/contracts/bindings"
	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/games/box9"
	"github.com/ante-games/ante/protocol"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/holiman/uint256"
)

// notice is a call of note, taken apart.
type notice struct {
	domain, match common.Hash
	signers       []common.Address
	turn          uint64
	state, bets   []byte
	signature     []byte
}

func (n *notice) data() []byte {
	return bindings.NewBox9().PackNote(n.domain, n.match, n.signers, n.turn, n.state, n.bets, n.signature)
}

// notice takes the call apart that has a closing noted, the last position of a line.
func (b *boxes) notice(m *match) *notice {
	c, last := m.context(0, 0), m.at(-1)
	sig := m.sign(m.last(), box9.House)
	return &notice{c.Domain, c.MatchID, c.Signers, uint64(last.turn), last.state, slices.Clone(last.move), sig[:]}
}

// noted returns what the contract has under the key that an event tells.
func (b *boxes) noted(log *types.Log) (*bindings.Box9Noted, common.Hash) {
	b.Helper()
	abi := bindings.NewBox9()
	ev, err := abi.UnpackNotedEvent(log)
	b.ok(err)
	out, err := b.chain.Call(b.sender, b.match.terms.Rules, abi.PackNoted(ev.Key))
	b.ok(err)
	word, err := abi.UnpackNoted(out)
	b.ok(err)
	if slot := b.chain.Storage(b.match.terms.Rules, ev.Key); slot != word {
		b.Errorf("the slot has %x, the contract says %x", slot, word)
	}
	return ev, word
}

// The first closing that is noted before the block stands; the same again does nothing, another is
// refused, and so is any from the block on.
func TestAttack_LateBet_Note(t *testing.T) {
	b := boxTable(t, 3, 1)
	block := b.name()
	b.closed(map[uint8]box9.Mask{1: 0b11, 3: 0b100})
	other := b.other(map[uint8]box9.Mask{1: 0b11})
	start := b.checkpoint()
	for offset, want := range map[int]string{-1: "", 0: "TooLate", 1: "TooLate"} {
		start()
		b.until(block, offset)
		if want != "" {
			b.refusedNote("from the block on", want, b.noting(b.match))
			continue
		}
		logs := b.send(b.noting(b.match)).Logs
		if len(logs) != 1 {
			t.Fatalf("%d logs", len(logs))
		}
		ev, word := b.noted(logs[0])
		bets := uint256.NewInt(0b11<<16 | 0b100<<48)
		if word != bets.Bytes32() || ev.Bets.Cmp(bets.ToBig()) != 0 || ev.MatchId != b.match.id || ev.Round.Uint64() != 0 || ev.Number.Uint64() != block {
			t.Errorf("noted %x, %+v", word, ev)
		}
		if c := b.upkeep(1, 0b0111); c == nil || c.Slot != ev.Key || !bytes.Equal(c.Data, b.noting(b.match)) {
			t.Errorf("the player's side calls %+v, want slot %x", c, ev.Key)
		}
		if again := b.send(b.noting(b.match)).Logs; len(again) != 0 {
			t.Errorf("noted again: %+v", again)
		}
		b.refusedNote("another", "OthersNoted", b.noting(other))
	}
}

// What is no closing that the house signed, or has other bets than its players signed, notes
// nothing.
func TestAttack_ForeignMove_Note(t *testing.T) {
	b := boxTable(t, 3, 2)
	b.name()
	b.closed(map[uint8]box9.Mask{1: 0b11, 3: 0b100})
	others := b.other(map[uint8]box9.Mask{1: 0b11}).at(-1)
	// the bets of a state whose house signature is good
	betting := b.fork(1)
	sign := func(state []byte) []byte {
		m := b.fork(b.last()-1).illegal(nil, state, games.Chance)
		sig := m.sign(m.last(), box9.House)
		return sig[:]
	}
	word := len(b.at(-1).state) - 32
	for name, c := range map[string]struct {
		want   string
		change func(n *notice)
	}{
		"nobody's signature":    {"BadNote", func(n *notice) { n.signature = make([]byte, 65) }},
		"no signature":          {"BadNote", func(n *notice) { n.signature = nil }},
		"more than a signature": {"BadNote", func(n *notice) { n.signature = append(n.signature, 0) }},
		"a player's":            {"BadNote", func(n *notice) { s := b.match.sign(b.last(), 1); n.signature = s[:] }},
		"the malleable twin":    {"BadNote", func(n *notice) { n.signature = twin(n.signature) }},
		"another turn":          {"BadNote", func(n *notice) { n.turn++ }},
		"another match":         {"BadNote", func(n *notice) { n.match[0]++ }},
		"another Arena":         {"BadNote", func(n *notice) { n.domain[0]++ }},
		"a seat fewer":          {"BadNote", func(n *notice) { n.signers = n.signers[:3] }},
		"a seat more":           {"BadNote", func(n *notice) { n.signers = append(n.signers, common.Address{1}) }},
		"nobody's seat":         {"BadNote", func(n *notice) { n.signers = append([]common.Address{{}}, n.signers[1:]...) }},
		"seats exchanged":       {"IllegalMove", func(n *notice) { n.signers = slices.Clone(n.signers); slices.Reverse(n.signers[1:]) }},
		"another state":         {"BadNote", func(n *notice) { n.state = slices.Clone(n.state); n.state[12]++ }},
		"another round":         {"BadNote", func(n *notice) { n.state = slices.Clone(n.state); n.state[2]++ }},
		"bets that are open": {"BadNote", func(n *notice) {
			// the last of its words, an amount, is that of the bets
			n.state = slices.Concat(betting.at(-1).state[:word-32], n.state[word:])
			n.signature = sign(n.state)
		}},
		"rubbish":                      {"BadState", func(n *notice) { n.state = nil }},
		"bets that the state has not":  {"BadNote", func(n *notice) { n.bets = others.move }},
		"bets of a state without them": {"BadNote", func(n *notice) { n.state = others.state; n.signature = sign(n.state) }},
		"no bets":                      {"BadNote", func(n *notice) { n.bets = nil }},
		"no bets, and a state of none": {"BadNote", func(n *notice) {
			n.state, n.bets = slices.Clone(n.state), nil
			clear(n.state[word:])
			n.signature = sign(n.state)
		}},
		"a bet twice":           {"IllegalMove", func(n *notice) { n.bets = append(n.bets[:68:68], n.bets[:68]...) }},
		"bets in another order": {"IllegalMove", func(n *notice) { n.bets = append(n.bets[68:136:136], n.bets[:68]...) }},
		"a bet for another round": {"IllegalMove", func(n *notice) {
			sig := b.signer(1).sign(box9.BetDigest(b.context(0, 0), 1, 0b11))
			copy(n.bets[3:], sig[:])
		}},
		"a bet cut off":           {"IllegalMove", func(n *notice) { n.bets = n.bets[:135] }},
		"other boxes":             {"IllegalMove", func(n *notice) { n.bets[2] ^= 0b100 }},
		"no boxes":                {"IllegalMove", func(n *notice) { n.bets[2] = 0 }},
		"a bet's malleable twin":  {"IllegalMove", func(n *notice) { copy(n.bets[3:], twin(n.bets[3:68])) }},
		"a bet of the house":      {"IllegalMove", func(n *notice) { n.bets[0] = 0 }},
		"a bet of nobody's seat":  {"IllegalMove", func(n *notice) { n.bets[68] = 4 }},
		"a bet of another's seat": {"IllegalMove", func(n *notice) { n.bets[68] = 2 }},
	} {
		n := b.notice(b.match)
		c.change(n)
		b.refusedNote(name, c.want, n.data())
	}
	b.note(b.match)
}

// twin is the malleable twin of a signature.
func twin(sig []byte) []byte {
	out := slices.Clone(sig)
	order := uint256.MustFromHex("0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141")
	s := new(uint256.Int).SetBytes(sig[32:64])
	high := s.Sub(order, s).Bytes32()
	copy(out[32:], high[:])
	out[64] ^= 27 ^ 28
	return out
}

// A stranger can note what it likes under its own keys, in a match, at an Arena or for a block of
// its own: no draw of the table asks for that.
func TestAttack_ReplayChannel_Note(t *testing.T) {
	b := boxTable(t, 2, 2)
	block := b.name()
	b.closed(map[uint8]box9.Mask{alice: 0b11})
	type table struct {
		*games.Context
		at   protocol.Domain
		s    box9.State
		keys []key
	}
	for name, change := range map[string]func(n *table){
		"as the house":     func(n *table) { n.keys[box9.House] = n.keys[alice] },
		"in another seat":  func(n *table) { n.keys[carol] = newKey("mallory") },
		"in another match": func(n *table) { n.MatchID[0]++ },
		"at another Arena": func(n *table) { n.at.Arena[0]++ },
		"on another chain": func(n *table) { n.at.ChainID++ },
		"of another block": func(n *table) { n.s.Block += 10 },
		"of another round": func(n *table) { n.s.Round++ },
		"at a larger table": func(n *table) {
			n.keys = append(n.keys, newKey("mallory"))
			n.s.Pocket, n.s.Credit, n.s.Rolled = make([]uint256.Int, 4), make([]uint256.Int, 4), make([]uint256.Int, 4)
		},
	} {
		s, err := box9.Codec().DecodeState(b.at(-1).state)
		b.ok(err)
		n := table{b.context(0, 0), b.domain, s, []key{b.signer(box9.House), b.signer(alice), b.signer(carol)}}
		change(&n)
		n.Domain, n.Signers = n.at.Separator(), nil
		for _, k := range n.keys {
			n.Signers = append(n.Signers, k.address)
		}
		state := box9.Codec().EncodeState(n.s)
		sig := n.keys[box9.House].sign(protocol.Position{MatchID: n.MatchID, Turn: 2, State: protocol.StateHash(state)}.Digest(n.at))
		bets := box9.Codec().EncodeMove(box9.Close{{Seat: alice, Mask: 0b11, Signature: n.keys[alice].sign(box9.BetDigest(n.Context, n.s.Round, 0b11))}})
		if logs := b.send((&notice{n.Domain, n.MatchID, n.Signers, 2, state, bets, sig[:]}).data()).Logs; len(logs) != 1 {
			t.Errorf("%s: %d logs", name, len(logs))
		}
	}
	b.until(block, 1)
	if b.drawn(b.match, 0b011) != nil {
		t.Error("what a stranger noted counts")
	}
	b.must(b.advance(b.support(1, 2, b.everyone(1)), b.demand(2, alice)))
	void := b.fork(2).expired()
	b.keep(block)
	b.until(b.record().Deadline, 0)
	b.must(b.expire(2))
	if b.record().State != hash(void.at(-1).state) {
		t.Error("what a stranger noted is drawn")
	}
}

// A noted bet that its seat can't pay is a pass, in each line; the others are drawn.
func TestAttack_ForeignMove_Unaffordable(t *testing.T) {
	b := boxTableOf(t, 2, box9.Params{Rounds: 1, Margin: 6, Coins: 10, Coin: half / 30}) // a box is a third of a stake
	block := b.name()
	b.closed(map[uint8]box9.Mask{alice: 0b111})
	s, err := box9.Codec().DecodeState(b.at(-1).state)
	b.ok(err)
	// no rules lead there
	n := b.notice(b.match)
	s.Bets[carol] = 0b1111
	n.state = box9.Codec().EncodeState(s)
	m := b.fork(1).illegal(nil, n.state, games.Chance)
	sig := m.sign(2, box9.House)
	n.signature = sig[:]
	bet := box9.Bet{Seat: carol, Mask: 0b1111, Signature: b.signer(carol).sign(box9.BetDigest(b.context(0, 0), 0, 0b1111))}
	n.bets = append(n.bets, box9.Codec().EncodeMove(box9.Close{bet})...)
	b.send(n.data())
	b.until(block, 1)
	paid := b.fate(block, map[string]*match{"the closing": b.match, "a pass": b.pass()})
	for name, got := range paid {
		if got[carol].Uint64() != b.stakes[carol] || got[alice].Uint64() == b.stakes[alice] {
			t.Errorf("%s: pays %v", name, got)
		}
	}
	if !b.same(paid) {
		t.Error("carol has a choice")
	}
}

// A player's side says about what a note takes when all bet.
func TestNoteGas(t *testing.T) {
	for _, players := range []int{1, 2, 5, 15} {
		b := boxTable(t, players, 1)
		block := b.name()
		b.bets()
		b.until(block, -1)
		said := b.upkeep(alice, 1).Gas
		if used := b.send(b.noting(b.match)).GasUsed; used > said*101/100 || used < said*95/100 {
			t.Errorf("%d players: %d gas, said to be %d", players, used, said)
		}
	}
}
