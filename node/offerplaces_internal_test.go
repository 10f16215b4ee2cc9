package node

import (
	"testing"

	"github.com/ante-games/ante/protocol"
	"github.com/ethereum/go-ethereum/common"
)

// TestAttack_OfferFlood_Friends: strangers who fill the list of offers that wait take no place of
// accounts with open channels, nor, for long, of other strangers: the oldest offer of whoever has
// most of them yields. Nobody has more than its own places.
func TestAttack_OfferFlood_Friends(t *testing.T) {
	friend := func(a common.Address) bool { return a[0] == 0xff }
	sybil := func(i int) common.Address { return common.Address{1, byte(i), byte(i >> 8)} }
	var list []Offer
	offer := func(by common.Address) *Offer {
		o := Offer{Seat: 1, State: OfferOpen, Time: int64(len(list)), Terms: protocol.Terms{Players: []common.Address{by, {}}}}
		list = append(list, o)
		return &list[len(list)-1]
	}
	honest := offer(common.Address{7})
	for i := range offerLimit.Total.Burst - 1 {
		offer(sybil(i / offerLimit.Account.Burst))
	}
	if _, err := placeFor(list, sybil(0), "", friend); err == nil {
		t.Error("one stranger has more than its places")
	}
	yields, err := placeFor(list, sybil(999), "", friend)
	if err != nil || yields == nil || yields.Terms.Players[0] != sybil(0) || yields.Time != honest.Time+1 {
		t.Errorf("%+v yields, %v", yields, err)
	}
	for range offerLimit.Friend.Burst {
		if yields, err := placeFor(list, common.Address{0xff}, "", friend); err != nil || yields != nil {
			t.Fatalf("a friend: %+v yields, %v", yields, err)
		}
		offer(common.Address{0xff})
	}
	if _, err := placeFor(list, common.Address{0xff}, "", friend); err == nil {
		t.Error("one friend has more than its places")
	}
	list = list[:1]
	list[0].State = OfferDeclined
	for i := range offerLimit.Account.Burst {
		offer(common.Address{8})
		list[i].Seat = 0 // this node's own count for nobody
	}
	if _, err := placeFor(list, common.Address{8}, "", friend); err != nil {
		t.Error(err)
	}
}

// TestAttack_OfferFlood_Groups: strangers in a few places of the network offer a channel each,
// until all places are taken. Theirs yield to the next, and not the older one of who is elsewhere.
func TestAttack_OfferFlood_Groups(t *testing.T) {
	t.Parallel()
	list := make([]Offer, offerLimit.Total.Burst)
	for i := range list {
		list[i] = Offer{Seat: 1, State: OfferOpen, Time: int64(i), Group: string([]byte{byte(i % 4)}), Terms: protocol.Terms{Players: []common.Address{{1, byte(i)}, {}}}}
	}
	list[0].Group = "elsewhere"
	yields, err := placeFor(list, common.Address{2}, "new", func(common.Address) bool { return false })
	if err != nil || yields != &list[1] {
		t.Errorf("%+v yields, %v", yields, err)
	}
}

// TestOffersOfEvenGroups: where every group has one place, who has none takes the oldest, and who
// has one gives up its own. Accounts whose group nobody noted are no crowd.
func TestOffersOfEvenGroups(t *testing.T) {
	t.Parallel()
	list := make([]Offer, offerLimit.Total.Burst)
	for i := range list {
		list[i] = Offer{Seat: 1, State: OfferOpen, Time: int64(i), Terms: protocol.Terms{Players: []common.Address{{1, byte(i)}, {}}}}
		if i < len(list)/2 {
			list[i].Group = string([]byte{byte(i)})
		}
	}
	for group, want := range map[string]int{"new": 0, "\x05": 5} {
		yields, err := placeFor(list, common.Address{2}, group, func(common.Address) bool { return false })
		if err != nil || yields != &list[want] {
			t.Errorf("to %q yields %+v, %v", group, yields, err)
		}
	}
}

// TestAcceptedAfterAnHour: an offer of a stranger's that nobody has answered for an hour is
// declined, but not one that was accepted since the offers were listed.
func TestAcceptedAfterAnHour(t *testing.T) {
	t.Parallel()
	for _, accepted := range []bool{false, true} {
		l := newLab(t)
		n := l.node(nil)
		o := l.offer(n, 1, 1, []common.Address{{8}, n.Account()}, func(o *Offer) { o.Time = l.now.Unix() - waitsFor - 1 })
		list := []Offer{*o}
		if accepted {
			o.State, o.Signatures = OfferAccepted, [][]byte{nil, {2}}
			l.putOffer(n, o)
		}
		l.must(n.yieldOld(list))
		now, err := n.offer(o.ID)
		l.must(err)
		if now.TakenBack() || (now.State == OfferDeclined) == accepted {
			t.Errorf("accepted %t: it is %s, %s", accepted, now.State, now.Reason)
		}
	}
}
