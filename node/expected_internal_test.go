package node

import (
	"testing"

	"github.com/ante-games/ante/protocol"
	"github.com/ethereum/go-ethereum/common"
)

// TestWhichMatchIsExpected: a proposed match is the one that an invite of this player's calls for
// if it alone is proposed, by the one with whom it was agreed on, in a channel of the two, and is
// newer than that; and only where it can be read what became of the matches before.
func TestWhichMatchIsExpected(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		players int
		change  func(*Proposal)
		spoilt  bool
		want    bool
	}{
		"it": {2, func(*Proposal) {}, false, true}, "of before": {2, func(p *Proposal) { p.Matches[0].Nonce-- }, false, false},
		"by this player": {2, func(p *Proposal) { p.From = 0 }, false, false}, "among three": {3, func(*Proposal) {}, false, false},
		"with another":        {2, func(p *Proposal) { p.Matches = append(p.Matches, p.Matches[0]) }, false, false},
		"elsewhere":           {2, func(p *Proposal) { p.Channel = common.Hash{9} }, false, false},
		"not all is readable": {2, func(*Proposal) {}, true, false},
	} {
		l := newLab(t)
		alice, bob := l.node(nil), l.node(nil)
		nodes := []*Node{alice, bob, l.node(nil)}[:c.players]
		id := l.channel(common.Address{}, []uint64{100, 100, 100}[:c.players], nodes...)
		i := l.agreedOn(alice, bob, 1, id)
		i.Mine = true
		l.must(alice.saveInvite(i))
		p := &Proposal{Channel: id, Version: 2, From: 1, Matches: []protocol.MatchTerms{
			{ChannelID: id, Nonce: i.After + 1, Rules: i.Rules, Params: i.Params, Seats: []uint8{0, 1}, Stakes: stakes(5, 5)},
		}}
		c.change(p)
		if c.spoilt {
			l.spoil(alice, resultPrefix+common.Hash{0xff}.Hex())
		}
		if got := alice.expectsMatch(p); got != c.want {
			t.Errorf("%s: expected %t", name, got)
		}
	}
}

// TestAttack_InviteTwice_Expected: once the match that an invite calls for is locked, another like
// it is not expected, though nobody has noted yet that the invite is played.
func TestAttack_InviteTwice_Expected(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	alice, bob := l.node(nil), l.node(nil)
	id := l.channel(common.Address{}, []uint64{100, 100}, alice, bob)
	i := l.agreedOn(alice, bob, 1, id)
	i.Mine = true
	l.must(alice.saveInvite(i))
	l.match(alice, id, 5, 0, 1)
	m := alice.Matches()[0].Terms
	m.Nonce++
	if alice.expectsMatch(&Proposal{Channel: id, Version: 3, From: 1, Matches: []protocol.MatchTerms{m}}) {
		t.Error("a second match is expected")
	}
	if state := l.state(alice, i.ID); state != InvitePlayed {
		t.Errorf("the invite is %s", state)
	}
}
