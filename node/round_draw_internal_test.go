package node

import (
	"fmt"
	"strings"
	"testing"

	"github.com/ante-games/ante/chain"
	"github.com/ante-games/ante/protocol"
	"github.com/ethereum/go-ethereum/common"
)

// TestTheDraw: when the block that shuffles is known for good a round is drawn by its hash, and its
// players are told what that makes of them.
func TestTheDraw(t *testing.T) {
	t.Parallel()
	const final = 5 + 11
	for name, c := range map[string]struct {
		house   byte
		players []byte
		known   bool // the block
		trouble string
		drawn   bool
		says    string
		then    string // what is wrong, then
	}{
		"a player":               {house: 7, players: []byte{1, 2}, known: true, drawn: true, says: "you play with"},
		"a player, too early":    {house: 7, players: []byte{1, 2}},
		"the odd one out":        {house: 7, players: []byte{1}, known: true, drawn: true, says: "nothing of yours was locked", then: "the odd one out"},
		"who takes no part":      {house: 7, players: []byte{1, 2}, known: true, trouble: "late", drawn: true, says: "you don't play: late", then: "late"},
		"the house":              {house: 1, players: []byte{2, 3}, known: true, drawn: true, says: "1 groups are drawn"},
		"the house that is late": {house: 1, players: []byte{2, 3}, known: true, trouble: "away", then: "away"},
	} {
		l := newLab(t)
		n := l.node(nil)
		g := l.guest(n, 2)
		r := pairsBy(t, n, playerKey(t, c.house).Address())
		r.Terms.Closes, r.Terms.Shuffle, r.Terms.Study, r.Trouble = 4, 5, 19, c.trouble
		r.ID = r.Terms.ID(n.domain)
		for _, p := range c.players {
			r.Entries = append(r.Entries, signedBets(t, n, r.ID, p))
		}
		r.Signature, r.Seal = sign(t, c.house, r.ID), sign(t, c.house, r.ID)
		l.putRound(n, &r)
		n.head.block.Number = final
		if c.known {
			l.put(n, fmt.Sprintf("fact/block/%016x", r.Terms.Shuffle), common.Hash{5})
		}
		var err error
		n.drive.Facts, err = chain.NewFacts(nil, n.config.Store, 0)
		l.must(err)
		l.must(n.drawRound(&r))
		now, err := n.Round(r.ID)
		l.must(err)
		if now.drawn() != c.drawn || now.Trouble != c.then || now.drawn() != r.drawn() || c.drawn && len(now.Groups) != len(c.players)/2 {
			t.Errorf("%s: %s, %q, %d groups", name, now.State(), now.Trouble, len(now.Groups))
		}
		texts := l.events(n, RoundNews)
		if c.says == "you play with" && !strings.HasSuffix(texts[0], "; 8 blocks are left to study what for") {
			t.Errorf("%s: %q", name, texts)
		}
		if c.drawn && (len(texts) != 1 || !strings.Contains(texts[0], c.says)) || !c.drawn && len(texts) > 0 {
			t.Errorf("%s: %q", name, texts)
		}
		if told := len(g.told()); (told == 1) != (c.drawn && c.house == 1) {
			t.Errorf("%s: a player is told %d times", name, told)
		}
	}
}

// TestOffersThatWaitedForTheDraw: once a round is drawn, its open offers are judged, and no others.
func TestOffersThatWaitedForTheDraw(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	n := l.node(nil)
	house := common.Address{7}
	r, other := pairsBy(t, n, house), pairsBy(t, n, house)
	own := bets(n.Account(), 5)
	r.Own, r.Seal, r.Draw = &own, sign(t, 7, r.ID), common.Hash{1}
	other.ID, other.Own = common.Hash{9}, &own
	l.putRound(n, &r)
	l.putRound(n, &other)
	for i, c := range []struct {
		round common.Hash
		by    common.Address
		state OfferState
	}{{r.ID, house, OfferOpen}, {r.ID, house, OfferAccepted}, {r.ID, common.Address{8}, OfferOpen}, {other.ID, house, OfferOpen}} {
		l.putOffer(n, &Offer{ID: common.Hash{byte(i)}, Seat: 1, State: c.state, Memo: roundMemo(c.round), Signatures: make([][]byte, 3), Terms: protocol.Terms{
			Players: []common.Address{c.by, n.Account(), {9}}, Signers: make([]common.Address, 3),
		}})
	}
	n.head.block.Number = 110 + 2*20 + 1 // when a house that has sealed nothing would be given up
	l.must(n.tendPlayer(t.Context(), &r))
	if now, err := n.Round(r.ID); err != nil || now.Trouble != "" {
		t.Errorf("it takes no part: %q, %v", now.Trouble, err)
	}
	for i, want := range []OfferState{OfferDeclined, OfferAccepted, OfferOpen, OfferOpen} {
		if o, err := n.offer(common.Hash{byte(i)}); err != nil || o.State != want {
			t.Errorf("offer %d: %s, %v", i, o.State, err)
		}
	}
}
