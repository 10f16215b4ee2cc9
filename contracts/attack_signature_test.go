package contracts_test

import (
	"math/big"
	"testing"

	"github.com/ante-games/ante/chain/codec"
	"github.com/ante-games/ante/games/gametest/toy"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/onchain"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/holiman/uint256"
)

// highS returns the other signature that the curve has for the same digest and key.
func highS(s protocol.Signature) protocol.Signature {
	high := new(big.Int).Sub(crypto.S256().Params().N, new(big.Int).SetBytes(s[32:64]))
	high.FillBytes(s[32:64])
	s[64] = 27 + 28 - s[64]
	return s
}

func TestAttack_HighS(t *testing.T) {
	tb := newTable(t, 2)
	open := tb.opening()
	bad := highS(protocol.Signature(open.Signatures[1]))
	if bad.Verify(tb.id, tb.seats[1].player.address) == nil {
		t.Error("Go takes a high s")
	}
	open.Signatures[1] = bad[:]
	tb.refused(codec.ErrBadSignature, open)
	tb.open()
	l := tb.ledger(2, []uint64{stake, stake})
	l.Signatures[0] = highS(l.Signatures[0])
	tb.refused(codec.ErrBadSignature, tb.contest(l, 0))
	l = tb.ledger(2, []uint64{stake, stake})
	c := tb.contest(l, 0)
	bad = highS(protocol.Signature(c.Signature))
	c.Signature = bad[:]
	tb.refused(codec.ErrBadSignature, c)
	tb.must(tb.contest(l, 0))
}

// elsewhere opens the same channel, with the same keys, at another Arena or on another chain, and
// returns what the seats sign there.
func elsewhere(tb *table, d protocol.Domain) (id common.Hash, ledger protocol.SignedLedger) {
	id = tb.terms.ID(d)
	ledger.Ledger = protocol.Ledger{ChannelID: id, Version: 2, Balances: amounts(0, 2*stake)}
	for _, s := range tb.seats {
		ledger.Signatures = append(ledger.Signatures, s.signer.sign(ledger.Digest(d)))
	}
	return id, ledger
}

// replay checks that nothing signed under another domain is taken here.
func replay(t *testing.T, d protocol.Domain) {
	t.Helper()
	tb := newTable(t, 2)
	id, ledger := elsewhere(tb, d)
	open := onchain.Open{Terms: tb.terms}
	for _, s := range tb.seats {
		sig := s.player.sign(id)
		open.Signatures = append(open.Signatures, sig[:])
	}
	tb.refused(codec.ErrBadSignature, open)
	tb.open()
	ledger.ChannelID = tb.id // which calldata doesn't carry
	tb.refused(codec.ErrBadSignature, tb.contest(ledger, 0))
	m := tb.match(2<<8, toy.Params(0), stake/2, stake/2)
	tb.ledger(2, []uint64{stake / 2, stake / 2}, m)
	s := m.support(0, 0)
	for i := range tb.seats {
		p := protocol.Position{MatchID: m.id, State: hash(m.at(0).state)}
		s.Signatures = append(s.Signatures, protocol.SeatSignature{Seat: uint8(i), Signature: m.signer(uint8(i)).sign(p.Digest(d))})
	}
	tb.refused(codec.ErrBadSignature, m.advance(s))
}

func TestAttack_ReplayChain(t *testing.T) {
	tb := newTable(t, 2)
	replay(t, protocol.Domain{ChainID: chainID + 1, Arena: tb.arena})
}

// When the chain splits, what was signed before counts on the side that keeps the id only: on the
// other one too the Arena and the channel are there, and neither takes it.
func TestAttack_ReplayChain_Split(t *testing.T) {
	tb, m := newMatch(t, 2)
	rewind := tb.checkpoint()
	taken := []onchain.Action{tb.contest(*tb.newest, 0), m.advance(m.support(0, 0, m.everyone(0)))}
	for _, a := range taken {
		rewind()
		tb.must(a)
	}
	rewind()
	tb.chain.Split(chainID + 1)
	for _, a := range taken {
		if _, err := tb.send(a); err == nil {
			t.Errorf("%T is taken on both sides", a)
		}
	}
	tb.domain.ChainID++
	tb.codec = codec.New(tb.domain)
	tb.setTerms(eth)
	tb.open()
	tb.must(tb.contest(tb.ledger(2, []uint64{stake, stake}), 0))
}

func TestAttack_ReplayArena(t *testing.T) {
	replay(t, protocol.Domain{ChainID: chainID, Arena: common.Address{1}})
}

// What two seats signed in one channel is worth nothing in their next one.
func TestAttack_ReplayChannel(t *testing.T) {
	tb, m := newMatch(t, 2)
	m.play(toy.Win(1))
	old, oldID := *tb.newest, tb.id
	oldSupport := m.support(0, 1, m.everyone(0), m.everyone(1))
	tb.setTerms(eth, func(t *protocol.Terms) { t.Salt[0] = 9 })
	if tb.id == oldID {
		t.Fatal("the same channel")
	}
	tb.open()
	tb.refused(codec.ErrAction, tb.contest(old, 0)) // it names its channel
	renamed := old
	renamed.ChannelID = tb.id
	tb.refused(codec.ErrBadSignature, tb.contest(renamed, 0))
	terms := m.terms
	terms.ChannelID = tb.id
	again := tb.matchOf(toy.Rules{}, terms)
	tb.ledger(2, []uint64{stake / 2, stake / 2}, again)
	tb.refused(codec.ErrBadSignature, again.advance(oldSupport))
}

// A signature of one kind is worth nothing as another: every kind is tried in every place.
func TestAttack_CrossType(t *testing.T) {
	tb, m := newMatch(t, 2)
	m.play(toy.Pass(1))
	id, locked := tb.id, *tb.newest
	a := m.agreement(1, stake/2, stake/2)
	binding := protocol.PeerBinding{PeerID: []byte("peer"), Challenge: m.id, Expiry: 1}
	digests := map[string]common.Hash{
		"terms":       id,
		"match terms": m.id,
		"ledger":      locked.Digest(tb.domain),
		"position":    protocol.Position{MatchID: m.id, Turn: 1, State: hash(m.at(1).state)}.Digest(tb.domain),
		"agreement":   a.Digest(tb.domain),
		"contest":     protocol.Contest{ChannelID: id, Version: 2}.Digest(tb.domain),
		"demand":      protocol.Demand{MatchID: m.id, Turn: 1}.Digest(tb.domain),
		"binding":     binding.Digest(tb.domain),
		// All that is alike in two kinds is alike.
		"contest of a match":     protocol.Contest{ChannelID: m.id, Version: 1}.Digest(tb.domain),
		"demand of a channel":    protocol.Demand{MatchID: id, Turn: 2}.Digest(tb.domain),
		"position of an outcome": protocol.Position{MatchID: m.id, Turn: 1, State: hash(words(a.Payouts))}.Digest(tb.domain),
	}
	alice, bob := tb.seats[0].signer, tb.seats[1].signer
	places := map[string]func(digest common.Hash) onchain.Action{
		"ledger": func(d common.Hash) onchain.Action {
			l := locked
			l.Signatures = []protocol.Signature{alice.sign(d), bob.sign(d)}
			return tb.contest(l, 0)
		},
		"contest": func(d common.Hash) onchain.Action {
			c, sig := tb.contest(locked, 0), alice.sign(d)
			c.Signature = sig[:]
			return c
		},
		"position": func(d common.Hash) onchain.Action {
			s := m.support(1, 1, m.everyone(1))
			s.Signatures[0].Signature, s.Signatures[1].Signature = alice.sign(d), bob.sign(d)
			return m.advance(s)
		},
		"demand": func(d common.Hash) onchain.Action {
			sig := alice.sign(d)
			return m.advance(m.support(1, 1, m.everyone(1)), &sig)
		},
		"agreement": func(d common.Hash) onchain.Action {
			b := a
			b.Signatures = []protocol.Signature{alice.sign(d), bob.sign(d)}
			return m.agree(b)
		},
	}
	m.tb.must(m.advance(m.support(0, 0, m.everyone(0))))
	rewind := tb.checkpoint()
	for place, action := range places {
		want := codec.ErrBadSignature
		if place == "demand" {
			want = codec.ErrBadDemand
		}
		for kind, digest := range digests {
			rewind()
			if kind == place {
				tb.must(action(digest))
			} else {
				tb.refused(want, action(digest))
			}
		}
	}
}

// words returns amounts as EIP-712 hashes them.
func words(amounts []uint256.Int) (all []byte) {
	for i := range amounts {
		word := amounts[i].Bytes32()
		all = append(all, word[:]...)
	}
	return all
}
