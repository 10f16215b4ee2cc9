package node

import (
	"strings"
	"testing"

	"github.com/ante-games/ante/games/splitsteal"
	"github.com/ante-games/ante/protocol/matchmaking"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// TestWhatAHouseHasEarned: in rounds of one game and asset a house has earned what it won, without
// what it lost to players whom it had not named, and without what is at stake for such.
func TestWhatAHouseHasEarned(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	n := l.node(nil)
	like := pairsBy(t, n, n.Account())
	pair := []matchmaking.Registration{bets(common.Address{1}, 400), bets(common.Address{2}, 400)}
	stakes, err := like.Stakes(&RoundGroup{Players: pair})
	l.must(err)
	subsidy := int64(stakes[0].Uint64())
	var want int64
	number := byte(0)
	// group has a round with one group, of which came so much more than the subsidy.
	group := func(name string, change func(*Round), ended bool, gain, counts int64) {
		t.Helper()
		number++
		r := like
		r.ID = common.Hash{number}
		r.Groups = []RoundGroup{{Players: pair, State: GroupPlaying, Channel: common.Hash{number}}}
		change(&r)
		l.putRound(n, &r)
		if ended {
			gets := *uint256.NewInt(uint64(subsidy + gain))
			l.put(n, resultPrefix+r.ID.Hex(), Result{Channel: common.Hash{number}, Payouts: []uint256.Int{gets, {}, {}}, Began: int64(number)})
		}
		want += counts
		if got, err := n.earned(&like); err != nil || got.Uint64() != uint64(max(0, want)) {
			t.Errorf("%s: %v, %v; want %d", name, got, err, max(0, want))
		}
	}
	same := func(*Round) {}
	named := func(r *Round) { r.Groups[0].Named = true }
	in := func(s GroupState) func(*Round) {
		return func(r *Round) {
			r.Groups[0].State = s
			if s != GroupPlaying {
				r.Groups[0].Channel = common.Hash{}
			}
		}
	}
	group("nothing but a loss", same, true, -10, -10)
	group("a gain", same, true, 5000, 5000)
	group("a loss to those whom it had named", named, true, -20, 0)
	group("a gain from those whom it had named", named, true, 40, 40)
	group("a loss", same, true, -30, -30)
	group("neither", same, true, 0, 0)
	group("at stake", same, false, 0, -subsidy)
	group("offered", in(GroupOffered), false, 0, -subsidy)
	group("drawn", in(GroupDrawn), false, 0, 0)
	group("dropped", in(GroupDropped), false, 0, 0)
	group("named", named, false, 0, 0)
	group("in another asset", func(r *Round) { r.Terms.Asset = common.Address{1} }, true, 7, 0)
	group("of another game", func(r *Round) { r.Game, r.Terms = "box9", tableBy(t, n, n.Account()).Terms }, true, 7, 0)
	group("by another house", func(r *Round) { r.Terms.House = common.Address{7} }, true, 7, 0)
}

// TestAHouseForgets: of its own rounds that are over a house keeps the newest, and what the others
// have brought. Those that go on stay, however many there are.
func TestAHouseForgets(t *testing.T) {
	t.Parallel()
	const surplus = 3
	l := newLab(t)
	n := l.node(nil)
	n.drive.Arena = Join(t, nil).drive.Arena
	like := pairsBy(t, n, n.Account())
	pair := []matchmaking.Registration{bets(common.Address{1}, 400), bets(common.Address{2}, 400)}
	stakes, err := like.Stakes(&RoundGroup{Players: pair})
	l.must(err)
	put := func(number int, change func(*Round)) {
		r := like
		r.ID = common.Hash{1, ^byte(number), ^byte(number >> 8)} // the oldest comes last in the store
		r.Terms.Closes, r.Draw = uint64(number), common.Hash{1}
		r.Groups = []RoundGroup{{Players: pair, State: GroupDone, Channel: r.ID}}
		change(&r)
		l.putRound(n, &r)
		l.put(n, resultPrefix+r.ID.Hex(), Result{Channel: r.ID, Began: int64(number), Payouts: []uint256.Int{*new(uint256.Int).AddUint64(&stakes[0], uint64(1+number)), {}, {}}})
	}
	put(1000, func(r *Round) { r.Terms.House = common.Address{7} })
	for i := range keptRounds + surplus {
		put(i, func(*Round) {})
	}
	for i := range surplus {
		put(keptRounds+surplus+i, func(r *Round) { r.Terms.Closes, r.Groups[0].State = 0, GroupClosing })
	}
	before, err := n.earned(&like)
	l.must(err)
	for range 2 {
		n.head.block.Number++
		_, err = n.OpenRound(RoundRequest{Game: splitsteal.Name, Most: *uint256.NewInt(9), Window: 20, Closes: 2000, Shuffle: 2001})
		l.must(err)
	}
	list, err := n.Rounds()
	l.must(err)
	mine := 0
	for i := range list {
		if r := &list[i]; r.Terms.House == n.Account() && r.finished(n.Account()) {
			if mine++; r.Terms.Closes < surplus {
				t.Errorf("the round of block %d is kept, and newer ones aren't", r.Terms.Closes)
			}
		}
	}
	if mine != keptRounds || len(list) != 1+keptRounds+surplus+2 {
		t.Errorf("%d rounds are kept, of them %d of its own that are over", len(list), mine)
	}
	if after, err := n.earned(&like); err != nil || !after.Eq(before) || before.IsZero() {
		t.Errorf("earned %v, and when some are forgotten %v, %v", before, after, err)
	}
	l.must(n.config.Store.Scan(takingsPrefix, "", func(key string, _ []byte) error {
		if !strings.HasPrefix(key, takingsPrefix+splitsteal.Name) {
			t.Errorf("there is %s", key)
		}
		return nil
	}))
}
