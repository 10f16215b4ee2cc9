package node

import (
	"errors"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

func stakes(v ...uint64) []uint256.Int {
	list := make([]uint256.Int, len(v))
	for i := range v {
		list[i].SetUint64(v[i])
	}
	return list
}

// bids are what somebody and this node's player said in turn, somebody first, of whom each agrees
// to what the other said last if it is the same.
func bids(with common.Address, v ...uint64) (list []Bid) {
	b := Negotiation{With: with}
	for i, stake := range stakes(v...) {
		x, last := Bid{By: with, Number: b.theirs().Number + 1, Stake: stake}, b.mine()
		if i%2 == 1 {
			x.By, x.Number, last = common.Address{0xff}, b.mine().Number+1, b.theirs()
		}
		if last.Stake == stake {
			x.Agrees = last.Number
		}
		b.Bids = append(b.Bids, x)
	}
	return b.Bids
}

// TestWhoMayBid: either side may bid while the invite is open and the negotiation goes on, until it
// has agreed or bid too often; and a bid of the other side that came last waits for the user.
func TestWhoMayBid(t *testing.T) {
	bob := common.Address{1}
	replaced := append(bids(bob, 1, 1), Bid{By: bob, Number: 2, Stake: *uint256.NewInt(2)})
	var many []Bid
	for number := range uint32(maxBids) {
		many = append(many, Bid{By: common.Address{2}, Number: number + 1})
	}
	for i, c := range []struct {
		state    InviteState
		b        Negotiation
		may, has bool
	}{
		{InviteOpen, Negotiation{Bids: bids(bob, 1)}, true, true}, {InviteOpen, Negotiation{Bids: bids(bob, 1, 2)}, true, false},
		{InviteOpen, Negotiation{}, false, false}, {InviteOpen, Negotiation{Bids: bids(bob, 1, 1)}, false, false},
		{InviteOpen, Negotiation{Bids: replaced}, true, true}, {InviteOpen, Negotiation{Bids: bids(bob, 1, 2, 2)}, true, true},
		{InviteJoined, Negotiation{Bids: bids(bob, 1)}, false, false}, {InviteOpen, Negotiation{Bids: bids(bob, 1), Ended: "over"}, false, false},
		{InviteOpen, Negotiation{Bids: append(many[1:], bids(bob, 1)...)}, false, false}, {InviteOpen, Negotiation{Bids: append(many[:maxBids-1], bids(bob, 1)...)}, true, true},
	} {
		invite := Invite{State: c.state}
		c.b.With = bob
		if may, has := invite.MayBid(&c.b), invite.Waits(&c.b); may != c.may || has != c.has {
			t.Errorf("%d: may bid %t, waits %t", i, may, has)
		}
	}
}

// TestStakesThatAreTaken: a bid from the least to the most that was offered is taken, and nothing
// for nothing unless that was all.
func TestStakesThatAreTaken(t *testing.T) {
	for i, c := range []struct {
		least, most, stake uint64
		want               bool
	}{{5, 9, 5, true}, {5, 9, 9, true}, {5, 9, 4, false}, {5, 9, 10, false}, {0, 9, 0, false}, {0, 0, 0, true}, {0, 9, 1, true}} {
		var invite Invite
		invite.Least.SetUint64(c.least)
		invite.Most.SetUint64(c.most)
		if got := invite.takes(uint256.NewInt(c.stake)); got != c.want {
			t.Errorf("%d: takes %t", i, got)
		}
	}
}

// grouped is a network in which the first byte of an account is its group of network addresses.
type grouped struct{ Network }

func (grouped) Group(account common.Address) string { return string(account[:1]) }

// TestBidsThatAreRefused: a bid is taken of who may bid, for an invite that is open and has not
// expired, with a new number that is not too high.
func TestBidsThatAreRefused(t *testing.T) {
	const now = 1000
	n := newNode(t.Context(), Config{Now: func() time.Time { return time.Unix(now, 0) }})
	bob := common.Address{1}
	invite := func(change func(*Invite)) *Invite {
		i := &Invite{Mine: true, State: InviteOpen, Negotiations: []Negotiation{{With: bob, Bids: bids(bob, 1, 2, 3)}}}
		i.Expiry = now + 1
		if change != nil {
			change(i)
		}
		return i
	}
	for name, c := range map[string]struct {
		i      *Invite
		number uint32
		ok     bool
	}{
		"the next": {invite(nil), 3, true}, "one was lost": {invite(nil), 4, true}, "of one number": {invite(nil), 2, false}, "of no number": {invite(nil), 0, false},
		"joined":        {invite(func(i *Invite) { i.State = InviteJoined }), 3, false},
		"expired":       {invite(func(i *Invite) { i.Expiry = now }), 3, false},
		"ended":         {invite(func(i *Invite) { i.Negotiations[0].Ended = "over" }), 3, false},
		"not for him":   {invite(func(i *Invite) { i.Negotiations, i.Guests = nil, []common.Address{{2}} }), 1, false},
		"another's":     {invite(func(i *Invite) { i.Mine, i.Negotiations = false, nil }), 1, false},
		"first, of no":  {invite(func(i *Invite) { i.Negotiations = nil }), 0, false},
		"too many":      {invite(nil), maxNumber + 1, false},
		"the last":      {invite(nil), maxNumber, true},
		"others expire": {invite(func(i *Invite) { i.Mine, i.Expiry = false, now }), 3, true},
	} {
		if err := n.mayBid(c.i, c.i.negotiation(bob), &Bid{By: bob, Number: c.number}, ""); (err == nil) != c.ok || err != nil && !errors.Is(err, ErrUnknownInvite) {
			t.Errorf("%s: %v", name, err)
		}
	}
	crowded := invite(func(i *Invite) {
		i.Negotiations = nil
		for j := range byte(maxNegotiations) {
			i.Negotiations = append(i.Negotiations, Negotiation{With: common.Address{9 + j}, Group: string([]byte{9 + j})})
		}
	})
	if err := n.mayBid(crowded, nil, &Bid{By: bob, Number: 1, Stake: *uint256.NewInt(1)}, "\x01"); !errors.Is(err, ErrBusy) {
		t.Errorf("one negotiation too many: %v", err)
	}
}

// TestRemindersDouble: an offer is sent again after a pause that doubles up to a minute, waits for
// as long as who is busy says, which is told once, and is forgotten when it is answered.
func TestRemindersDouble(t *testing.T) {
	var r reminders
	id, at := common.Hash{1}, time.Unix(1000, 0)
	if r.putOff(id, at, time.Second) {
		t.Error("an offer that nobody waits for is put off")
	}
	r.add(id, at)
	r.add(id, at.Add(time.Hour)) // it is there already
	for pause := remindMin; ; {
		if list := r.next(at.Add(pause - 1)); len(list) != 0 {
			t.Fatalf("sent before %s have passed", pause)
		}
		if at = at.Add(pause); len(r.next(at)) != 1 {
			t.Fatalf("not sent after %s", pause)
		}
		if pause == remindMax {
			break
		}
		pause = min(2*pause, remindMax)
	}
	if !r.putOff(id, at, 10*time.Second) || r.putOff(id, at, 10*time.Second) {
		t.Error("that somebody is busy is told once")
	}
	if len(r.next(at.Add(10*time.Second-1))) != 0 || len(r.next(at.Add(10*time.Second))) != 1 {
		t.Error("it doesn't come back when it was told to")
	}
	r.putOff(id, at, time.Hour)
	if len(r.next(at.Add(remindMax))) != 1 {
		t.Error("it is put off for longer than a minute")
	}
	other := common.Hash{2}
	r.add(other, at)
	r.putOff(other, at, 10*time.Second)
	at = at.Add(10 * time.Second)
	if len(r.next(at)) != 1 || len(r.next(at.Add(20*time.Second-1))) != 0 {
		t.Error("after it was put off it comes back sooner than twice as late")
	}
	r.drop(id)
	r.drop(other)
	if len(r.next(at.Add(time.Hour))) != 0 {
		t.Error("it is sent after it was answered")
	}
}
