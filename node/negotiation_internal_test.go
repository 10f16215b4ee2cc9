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

// TestNegotiationsAgree: two bids in a row that are the same fix the stake; one bid fixes nothing.
func TestNegotiationsAgree(t *testing.T) {
	for i, c := range []struct {
		bids []uint64
		want bool
	}{{nil, false}, {[]uint64{5}, false}, {[]uint64{5, 5}, true}, {[]uint64{5, 6}, false}, {[]uint64{5, 6, 5}, false}, {[]uint64{5, 6, 6}, true}} {
		if b := (&Negotiation{Bids: stakes(c.bids...)}); b.agreed() != c.want {
			t.Errorf("%d: agreed %t", i, b.agreed())
		}
	}
}

// TestWhoseBid: the joining player bids first, then the two take turns, while the invite is open
// and the negotiation goes on.
func TestWhoseBid(t *testing.T) {
	for i, c := range []struct {
		i    Invite
		b    Negotiation
		want bool
	}{
		{Invite{Mine: true, State: InviteOpen}, Negotiation{Bids: stakes(1)}, true}, {Invite{Mine: true, State: InviteOpen}, Negotiation{Bids: stakes(1, 2)}, false},
		{Invite{State: InviteOpen}, Negotiation{}, true}, {Invite{State: InviteOpen}, Negotiation{Bids: stakes(1)}, false}, {Invite{State: InviteOpen}, Negotiation{Bids: stakes(1, 2)}, true},
		{Invite{Mine: true, State: InviteJoined}, Negotiation{Bids: stakes(1)}, false}, {Invite{Mine: true, State: InviteOpen}, Negotiation{Bids: stakes(1), Ended: "over"}, false},
	} {
		if got := c.i.Waits(&c.b); got != c.want {
			t.Errorf("%d: waits %t", i, got)
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

// TestBidsOutOfTurn: a bid is taken in its turn, of who may bid, for an invite that is open and has
// not expired, up to the last round.
func TestBidsOutOfTurn(t *testing.T) {
	const now = 1000
	n := newNode(t.Context(), Config{Now: func() time.Time { return time.Unix(now, 0) }})
	bob := common.Address{1}
	invite := func(change func(*Invite)) *Invite {
		i := &Invite{Mine: true, State: InviteOpen, Negotiations: []Negotiation{{With: bob, Bids: stakes(1, 2)}}}
		i.Expiry = now + 1
		if change != nil {
			change(i)
		}
		return i
	}
	rounds := func(i *Invite) { i.Negotiations[0].Bids = make([]uint256.Int, maxRounds) }
	for name, c := range map[string]struct {
		i     *Invite
		round uint32
		ok    bool
	}{
		"in turn": {invite(nil), 3, true}, "too early": {invite(nil), 4, false}, "again": {invite(nil), 2, false},
		"not its turn":  {invite(func(i *Invite) { i.Negotiations[0].Bids = stakes(1) }), 2, false},
		"joined":        {invite(func(i *Invite) { i.State = InviteJoined }), 3, false},
		"expired":       {invite(func(i *Invite) { i.Expiry = now }), 3, false},
		"ended":         {invite(func(i *Invite) { i.Negotiations[0].Ended = "over" }), 3, false},
		"not for him":   {invite(func(i *Invite) { i.Negotiations, i.Guests = nil, []common.Address{{2}} }), 1, false},
		"another's":     {invite(func(i *Invite) { i.Mine, i.Negotiations = false, nil }), 1, false},
		"first, late":   {invite(func(i *Invite) { i.Negotiations = nil }), 2, false},
		"too many":      {invite(rounds), maxRounds + 1, false},
		"the last":      {invite(func(i *Invite) { i.Negotiations[0].Bids = make([]uint256.Int, maxRounds-2) }), maxRounds - 1, true},
		"others expire": {invite(func(i *Invite) { i.Mine, i.Expiry, i.Negotiations[0].Bids = false, now, stakes(1) }), 2, true},
	} {
		if err := n.mayBid(c.i, c.i.negotiation(bob), bob, c.round); (err == nil) != c.ok || err != nil && !errors.Is(err, ErrUnknownInvite) {
			t.Errorf("%s: %v", name, err)
		}
	}
	crowded := invite(func(i *Invite) {
		i.Negotiations = nil
		for j := range byte(maxNegotiations) {
			i.Negotiations = append(i.Negotiations, Negotiation{With: common.Address{9, j}})
		}
	})
	if err := n.mayBid(crowded, nil, bob, 1); !errors.Is(err, ErrBusy) {
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
