package node

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/ante-games/ante/protocol/message"
	"github.com/ante-games/ante/store"
	"github.com/ante-games/ante/store/storetest"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// TestHistoryIsReadOnce: a house's chain loop asks for each group of a round what was played, and
// does not read ten thousand results again for it, but all that was written since.
func TestHistoryIsReadOnce(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	n := l.node(nil)
	inner, scans, lost := n.config.Store.(*telling), 0, false
	inner.Store = &storetest.Faulty{
		Store: inner.Store,
		Before: func(op storetest.Op) error {
			if op == storetest.Scan {
				scans++
			}
			return nil
		},
		After: func(op storetest.Op) error {
			if lost && op == storetest.Commit {
				return store.ErrFailed
			}
			return nil
		},
	}
	r := pairsBy(t, n, n.Account())
	for i := byte(1); i <= 20; i++ {
		res := Result{Match: common.Hash{i}, Channel: common.Hash{99}, Payouts: stakes(1, 1)}
		l.put(n, n.results.key(res.Match), res)
		r.Groups = append(r.Groups, RoundGroup{State: GroupPlaying, Channel: common.Hash{i}, Since: n.now()})
	}
	l.putRound(n, &r)
	l.must(n.tendRounds(t.Context()))
	if scans > 2 {
		t.Errorf("the store was read through %d times for 20 groups", scans)
	}

	read := func(why string, want ...common.Hash) {
		t.Helper()
		list, err := n.Results()
		l.must(err)
		if len(list) != len(want) {
			t.Fatalf("%s: %d results", why, len(list))
		}
		for i := range list {
			if list[i].Match != want[i] {
				t.Errorf("%s: result %d is of match %s", why, i, list[i].Match)
			}
		}
	}
	changes := map[string][]byte{}
	for i := byte(3); i <= 20; i++ {
		changes[n.results.key(common.Hash{i})] = nil
	}
	l.must(n.config.Store.Commit(changes))
	read("after most are deleted", common.Hash{1}, common.Hash{2})
	later := Result{Match: common.Hash{1}, Channel: common.Hash{99}, Payouts: stakes(1, 1), Began: 5}
	l.must(n.results.save(later.Match, &later))
	read("after one is written again", common.Hash{2}, common.Hash{1})
	lost = true
	later.Match = common.Hash{7}
	if err := n.results.save(later.Match, &later); !errors.Is(err, store.ErrFailed) {
		t.Fatal(err)
	}
	read("after a commit of which nobody knows", common.Hash{2}, common.Hash{1}, common.Hash{7})
	if list, err := n.Results(); err != nil || !list[2].Payouts[0].Eq(uint256.NewInt(1)) {
		t.Errorf("%v, %v", list[2].Payouts, err)
	}
}

// TestOneDamagedResult: one result can't be read. The others are shown, with an alarm, and a house
// does not count with them as if they were all, until that one is written again.
func TestOneDamagedResult(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	n := l.node(func(c *Config) { c.Scoreboard, c.Policy.PublishWins = common.Address{1}, 1 })
	r := pairsBy(t, n, n.Account())
	l.putRound(n, &r)
	results := make([]Result, 3)
	for i := range results {
		results[i] = Result{Match: common.Hash{byte(i + 1)}, Channel: common.Hash{99}, Payouts: stakes(1, 1), Began: int64(i)}
		l.put(n, n.results.key(results[i].Match), &results[i])
	}
	reads := func(whole bool, want ...Result) {
		t.Helper()
		list, err := n.Results()
		if err != nil || !slices.EqualFunc(list, want, func(a, b Result) bool { return a.Match == b.Match }) {
			t.Errorf("shown are %v, %v", list, err)
		}
		_, err = n.earned(&r)
		if over := n.forgetPast(keptResults, keptChannels); whole != (err == nil) || !whole && !errors.Is(err, errUnreadable) || over != nil {
			t.Errorf("earned: %v; forgotten: %v", err, over)
		}
		if n.rounds.playedIn(common.Hash{98}) == whole {
			t.Error("whether a match was played in a channel is not known")
		}
	}
	l.spoil(n, n.results.key(results[0].Match))
	reads(false, results[1:]...)
	l.spoil(n, n.results.key(results[1].Match))
	reads(false, results[2])
	if list := n.Standing(); len(list) != 1 || !strings.Contains(list[0].Text, results[0].Match.Hex()) {
		t.Errorf("alarms: %v", list)
	}
	l.must(n.config.Store.Commit(map[string][]byte{winKey(&results[0]): []byte(unsent)}))
	l.must(n.tendWins(t.Context()))
	l.put(n, n.results.key(results[0].Match), &results[0])
	reads(false, results[0], results[2])
	l.must(n.config.Store.Commit(map[string][]byte{n.results.key(results[1].Match): nil}))
	reads(true, results[0], results[2])
}

// TestOneDamagedRecord: one record of a kind can't be read. The others go on, with an alarm, and a
// node starts; what is counted or forgotten by all of them is not.
func TestOneDamagedRecord(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	n := l.node(nil)
	for _, prefix := range []string{invitePrefix, offerPrefix, roundPrefix, nicknamePrefix, contactPrefix, tallyPrefix} {
		l.spoil(n, prefix+common.Hash{}.Hex())
	}
	i := l.invite(n, 1, func(i *Invite) { i.Expiry = 1 })
	o := l.offer(n, 1, 0, []common.Address{n.Account(), {8}}, func(o *Offer) { o.State = OfferOpen })
	r := pairsBy(t, n, n.Account())
	l.putRound(n, &r)
	n.head.clock, n.head.sure = o.Terms.OpenBy, o.Terms.OpenBy
	l.must(n.names.load())
	l.must(n.learnAll(t.Context()))
	l.must(n.tendInvites(t.Context()))
	l.must(n.tendOffers(t.Context(), n.now()))
	if o, err := n.offer(o.ID); err != nil || o.State != OfferLapsed || l.state(n, i.ID) != InviteEnded {
		t.Errorf("the offer is %s, the invite %s, %v", o.State, l.state(n, i.ID), err)
	}
	if list, err := n.Rounds(); err != nil || len(list) != 1 {
		t.Errorf("shown are %v, %v", list, err)
	}
	if list, err := n.OwnScore(); err != nil {
		t.Errorf("scores are %v, %v", list, err)
	}
	if list := n.Standing(); len(list) != 6 {
		t.Errorf("alarms: %v", list)
	}
	_, err := n.earned(&r)
	_, needed := n.neededChannels()
	l.must(n.config.Store.Commit(map[string][]byte{roundPrefix + common.Hash{}.Hex(): nil}))
	n.rounds.records.wrote(map[string][]byte{roundPrefix + common.Hash{}.Hex(): nil})
	_, waited := n.neededChannels()
	_, again := n.rounds.roundOffer(&r, &RoundGroup{})
	_, joined := n.offerOf(&Invite{})
	_, second := n.newOffer(1, message.OpenOffer{Replaces: common.Hash{1}})
	for of, err := range map[string]error{"earned": err, "needed": needed, "needed by invites": waited, "tallied": n.forgetResults(nil, nil),
		"offered for a round": again, "offered for an invite": joined, "offered for a channel": second} {
		if !errors.Is(err, errUnreadable) {
			t.Errorf("%s: %v", of, err)
		}
	}
}
