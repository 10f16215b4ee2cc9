package node_test

import (
	"errors"
	"testing"
	"time"

	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/games/splitsteal"
	"github.com/ante-games/ante/node"
	"github.com/ante-games/ante/node/dev"
	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/matchmaking"
	"github.com/ante-games/ante/protocol/message"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// nobody refers a player.
var nobody common.Address

// salon is a house and players who know only the house. Each player chooses as told.
func salon(t *testing.T, choices ...string) *table {
	t.Helper()
	return salonOf(t, func(n node.Network) node.Network { return n }, choices...)
}

// salonOf is a salon whose house has a network of its own kind.
func salonOf(t *testing.T, network func(node.Network) node.Network, choices ...string) *table {
	t.Helper()
	tb := emptyTable(t)
	for seat, choice := range append([]string{"-"}, choices...) {
		p := join(t, func(c *node.Config) {
			g := splitsteal.Game()
			g.Player = chooser{g.Player, choice}
			c.Games = games.Catalog{g}
			c.Rules = map[string]common.Address{g.Name: world(t).Rules[g.Name]}
			c.Policy.Bot = true
			c.Policy.Patience = 500 * time.Millisecond
			c.Policy.Accept, c.Policy.Approve = nil, nil // nothing but the rounds is agreed to
			if seat == 0 {
				dev.Wrap(c, network)
			}
		})
		p.fund(t)
		if len(tb.players) > 0 {
			must(t, dev.Connect(tb.ctx, p.Node, tb.players[0].Node))
		}
		tb.players = append(tb.players, p)
	}
	return tb
}

// accounts are those of the players but the house.
func (tb *table) accounts() (list []common.Address) {
	for _, p := range tb.players[1:] {
		list = append(list, p.Account())
	}
	return list
}

// openRound opens a round of the first player's, and lets all others know it.
func (tb *table) openRound(t *testing.T, named ...common.Address) common.Hash {
	t.Helper()
	head := world(t).Chain.Head()
	id, err := tb.players[0].OpenRound(node.RoundRequest{
		Game: splitsteal.Name, Named: named, Least: *uint256.NewInt(1e15), Most: *uint256.NewInt(5e17), Window: 20, Closes: head + 10, Shuffle: head + 15,
	})
	must(t, err)
	for _, p := range tb.players[1:] {
		must(t, p.AskRounds(tb.ctx, tb.players[0].Account()))
	}
	return id
}

// register has the players bet, and waits until everybody sees all bets.
func (tb *table) register(t *testing.T, id common.Hash, bets ...uint64) {
	t.Helper()
	for i, bet := range bets {
		must(t, tb.players[i+1].Register(tb.ctx, id, uint256.NewInt(bet), nobody))
	}
	for _, p := range tb.players {
		tb.wait(t, p, func() bool { r, err := p.Round(id); return err == nil && len(r.Entries) == len(bets) })
	}
}

// seal mines to the end of the registration, and waits until everybody has the sealed list: before
// the shuffling block.
func (tb *table) seal(t *testing.T, id common.Hash) {
	t.Helper()
	r, err := tb.players[0].Round(id)
	must(t, err)
	must(t, world(t).Chain.Mine(int(r.Terms.Closes-world(t).Chain.Head())))
	for _, p := range tb.players {
		tb.wait(t, p, func() bool { r, err := p.Round(id); return err == nil && r.State() == "sealed" })
	}
}

// pairs waits until all of a round's pairs are as far as that, for everybody whom they concern.
func (tb *table) pairs(t *testing.T, id common.Hash, state node.GroupState) {
	t.Helper()
	for _, p := range tb.players {
		tb.wait(t, p, func() bool {
			r, err := p.Round(id)
			must(t, err)
			for _, pair := range r.Groups {
				mine := p == tb.players[0] || pair.Players[0].Player == p.Account() || pair.Players[1].Player == p.Account()
				if mine && pair.State == node.GroupDone && state != node.GroupDone {
					t.Fatalf("a pair is %s, want %s", pair.State, state)
				}
				if mine && pair.State != state && (state != node.GroupDropped || r.Trouble == "") {
					return false
				}
			}
			return r.State() == "drawn"
		})
	}
}

// TestChecklist_SplitOrSteal_03_OddOneOut: five players register; two pairs play and are paid as
// the matrix says, each with whom the chain's block drew; nothing of the fifth is ever locked.
func TestChecklist_SplitOrSteal_03_OddOneOut(t *testing.T) {
	t.Parallel()
	tb := salon(t, "split", "steal", "split", "steal", "split")
	before := tb.banks(t)
	id := tb.openRound(t, tb.accounts()...)
	tb.register(t, id, 1e17, 2e17, 3e17, 4e17, 5e17)
	tb.seal(t, id)
	tb.mine(t)
	tb.pairs(t, id, node.GroupDone)
	r, err := tb.players[0].VerifyRound(tb.ctx, id)
	must(t, err)
	p, err := splitsteal.Codec().DecodeParams(r.Terms.Params)
	must(t, err)
	choice := map[common.Address]splitsteal.Choice{}
	for i, c := range []splitsteal.Choice{splitsteal.Split, splitsteal.Steal, splitsteal.Split, splitsteal.Steal, splitsteal.Split} {
		choice[tb.players[i+1].Account()] = c
	}
	left := 0
	for i, player := range tb.players[1:] {
		results, err := player.Results()
		must(t, err)
		for _, res := range results {
			again := node.Proposal{Channel: res.Channel, Matches: []protocol.MatchTerms{res.Terms}}
			if !player.RefusesRoundMatch(&again) {
				t.Errorf("player %d plays a second match in its channel", i)
			}
		}
		seen, err := player.VerifyRound(tb.ctx, id)
		must(t, err)
		if len(seen.Groups) != 2 || seen.Groups[0].Players[0] != r.Groups[0].Players[0] || seen.Groups[1].Players[1] != r.Groups[1].Players[1] {
			t.Errorf("player %d sees other pairs", i)
		}
		want := before[i+1]
		if pair := r.Group(player.Account()); pair == nil {
			left++
		} else {
			stakes, err := r.Stakes(pair)
			must(t, err)
			all, err := splitsteal.NewStakes(p, stakes)
			must(t, err)
			shares := all.Matrix(p, choice[pair.Players[0].Player], choice[pair.Players[1].Player])
			bet, gets := &pair.Players[0].Stake, &shares.X
			if pair.Players[1].Player == player.Account() {
				bet, gets = &pair.Players[1].Stake, &shares.Y
			}
			want = new(uint256.Int).Add(want, gets)
			want.Sub(want, bet)
		}
		if got := tb.free(t, player); !got.Eq(want) {
			t.Errorf("player %d has %s in the bank, want %s", i, got.Dec(), want.Dec())
		}
	}
	if left != 1 || len(r.Groups) != 2 {
		t.Errorf("%d players were left over", left)
	}
}

// TestChecklist_SplitOrSteal_01_BothSeeBothBets: from the registration on all see all bets; nobody
// can change one, or bet late.
func TestChecklist_SplitOrSteal_01_BothSeeBothBets(t *testing.T) {
	t.Parallel()
	tb := salon(t, "split", "steal")
	id := tb.openRound(t, tb.accounts()...)
	tb.register(t, id, 1e17, 2e17)
	for _, p := range tb.players {
		r, err := p.Round(id)
		must(t, err)
		bets := map[common.Address]uint64{}
		for _, e := range r.Entries {
			bets[e.Player] = e.Stake.Uint64()
		}
		if bets[tb.players[1].Account()] != 1e17 || bets[tb.players[2].Account()] != 2e17 {
			t.Errorf("%s sees %v", p.Account(), bets)
		}
	}
	if err := tb.players[1].Register(tb.ctx, id, uint256.NewInt(3e17), nobody); !errors.Is(err, node.ErrDeclined) {
		t.Errorf("a second bet: %v", err)
	}
	tb.seal(t, id)
	if err := tb.players[1].Register(tb.ctx, id, uint256.NewInt(1e17), nobody); !errors.Is(err, node.ErrDeclined) {
		t.Errorf("a late bet: %v", err)
	}
}

// TestAttack_Reorder_Notices: what a house told before somebody registered arrives after what it
// tells since.
func TestAttack_Reorder_Notices(t *testing.T) {
	t.Parallel()
	tb := salon(t, "split", "steal")
	id := tb.openRound(t, tb.accounts()...)
	tb.register(t, id, 1e17, 2e17)
	house, p := tb.players[0], tb.players[1]
	r, err := house.Round(id)
	must(t, err)
	late := message.RoundNotice{Round: r.Terms, Signature: r.Signature, Entries: r.Entries[:1], Refusal: "received"}
	must(t, house.Network().Send(p.Account(), message.Envelope(common.Hash{}, late)))
	tb.wait(t, p, func() bool {
		r, err = p.Round(id)
		return err == nil && r.Trouble == late.Refusal
	})
	if len(r.Entries) != 2 {
		t.Errorf("%d players are registered", len(r.Entries))
	}
}

// TestChecklist_SplitOrSteal_02_BetLimits: neither a player's own node nor the house's takes a bet
// outside the limits.
func TestChecklist_SplitOrSteal_02_BetLimits(t *testing.T) {
	t.Parallel()
	tb := salon(t, "split")
	house, p := tb.players[0], tb.players[1]
	id := tb.openRound(t)
	for _, bet := range []uint64{0, 1e15 - 1, 5e17 + 1} {
		if err := p.Register(tb.ctx, id, uint256.NewInt(bet), nobody); !errors.Is(err, protocol.ErrTerms) {
			t.Errorf("a bet of %d: %v", bet, err)
		}
		e := matchmaking.Registration{Player: p.Account(), Stake: *uint256.NewInt(bet)}
		var err error
		e.Signature, err = p.config.Player.Sign(e.Digest(p.Domain(), id))
		must(t, err)
		must(t, p.Network().Send(house.Account(), message.Envelope(common.Hash{}, message.RoundJoin{RoundID: id, Entry: e})))
	}
	if err := p.Register(tb.ctx, id, new(uint256.Int).Mul(ether, uint256.NewInt(9)), nobody); !errors.Is(err, node.ErrFunds) {
		t.Errorf("a bet that the bank doesn't hold: %v", err)
	}
	tb.register(t, id, 5e17) // comes after the forged ones
	r, err := house.Round(id)
	must(t, err)
	if len(r.Entries) != 1 || r.Entries[0].Stake.Uint64() != 5e17 {
		t.Errorf("the house took %v", r.Entries)
	}
}

// TestAttack_SybilPair: the house pays no subsidy in advance to accounts that it has not named;
// what earlier rounds have earned it pays to anybody, once.
func TestAttack_SybilPair(t *testing.T) {
	t.Parallel()
	tb := salon(t, "steal", "steal")
	before := tb.banks(t)
	id := tb.openRound(t)
	tb.register(t, id, 1e17, 1e17)
	tb.seal(t, id)
	tb.mine(t)
	tb.pairs(t, id, node.GroupDropped)
	for i, free := range tb.banks(t) {
		if !free.Eq(before[i]) {
			t.Errorf("seat %d had %s and has %s", i, before[i].Dec(), free.Dec())
		}
	}
}

// TestAttack_SybilPair_Earned: two stealers leave the house half of their bets, out of which it
// pays the next subsidy.
func TestAttack_SybilPair_Earned(t *testing.T) {
	t.Parallel()
	tb := salon(t, "steal", "steal")
	id := tb.openRound(t, tb.accounts()...)
	tb.register(t, id, 1e17, 1e17)
	tb.seal(t, id)
	stop := world(t).PassTime(tb.ctx, tb.players[0].Node, tb.players[1].Node, tb.players[2].Node)
	tb.pairs(t, id, node.GroupDone)
	stop()
	// 1e17 is earned: enough for 2·1e17/4+2·1e17/4, which two stealers double
	for _, bet := range []uint64{2e17, 1e17, 4e17} {
		id = tb.openRound(t)
		tb.register(t, id, bet, bet)
		tb.seal(t, id)
		stop := world(t).PassTime(tb.ctx, tb.players[0].Node, tb.players[1].Node, tb.players[2].Node)
		tb.pairs(t, id, node.GroupDone)
		stop()
	}
}

// unrefusing is a network that passes no refusals of a round on.
type unrefusing struct{ node.Network }

func (q unrefusing) Send(to common.Address, env *antev1.Envelope) error {
	if env.GetRoundNotice().GetRefusal() != "" {
		return nil
	}
	return q.Network.Send(to, env)
}

// TestAttack_ChosenPair: a house that opens a round's channel with others than the block drew, or
// for other sums, is refused.
func TestAttack_ChosenPair(t *testing.T) {
	t.Parallel()
	tb := salonOf(t, func(n node.Network) node.Network { return unrefusing{n} }, "split", "steal", "split", "steal")
	house := tb.players[0]
	id := tb.openRound(t) // it pays nobody's subsidy, so that it offers nothing by itself
	tb.register(t, id, 1e17, 2e17, 1e17, 2e17)
	tb.seal(t, id)
	tb.mine(t)
	for _, p := range tb.players {
		tb.wait(t, p, func() bool { r, err := p.Round(id); return err == nil && r.State() == "drawn" })
	}
	r, err := house.Round(id)
	must(t, err)
	right, other := r.Groups[0], r.Groups[1]
	fair, err := r.Stakes(&right)
	must(t, err)
	for _, c := range []struct {
		name     string
		peers    []common.Address
		deposits []uint256.Int
		ok       bool
	}{
		{"another opponent", []common.Address{right.Players[0].Player, other.Players[1].Player}, []uint256.Int{*ether, right.Players[0].Stake, other.Players[1].Stake}, false},
		{"seats swapped", []common.Address{right.Players[1].Player, right.Players[0].Player}, []uint256.Int{fair[0], fair[2], fair[1]}, false},
		{"no subsidy", []common.Address{right.Players[0].Player, right.Players[1].Player}, []uint256.Int{{}, fair[1], fair[2]}, false},
		{"a larger bet", []common.Address{right.Players[0].Player, right.Players[1].Player}, []uint256.Int{fair[0], *ether, fair[2]}, false},
		{"what was drawn", []common.Address{right.Players[0].Player, right.Players[1].Player}, fair, true},
		{"the same again", []common.Address{right.Players[0].Player, right.Players[1].Player}, fair, false},
	} {
		offer, err := house.Offer(tb.ctx, node.OpenRequest{Peers: c.peers, Deposits: c.deposits, Window: 20, Memo: "round " + id.Hex()})
		must(t, err)
		if _, err := house.Opened(tb.ctx, offer); (err == nil) != c.ok || err != nil && !errors.Is(err, node.ErrDeclined) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

// TestTimeToStudyTheMatrix: players do not open a channel that the house offers before the round's
// time for study is over. Then the match is played.
func TestTimeToStudyTheMatrix(t *testing.T) {
	t.Parallel()
	tb := salon(t, "split", "steal")
	house, head := tb.players[0], world(t).Chain.Head()
	id, err := house.OpenRound(node.RoundRequest{Game: splitsteal.Name, Named: tb.accounts(), Least: *uint256.NewInt(1e15), Most: *uint256.NewInt(5e17),
		Window: 200, Closes: head + 10, Shuffle: head + 15, Study: 30})
	must(t, err)
	for _, p := range tb.players[1:] {
		must(t, p.AskRounds(tb.ctx, house.Account()))
	}
	tb.register(t, id, 1e17, 2e17)
	tb.seal(t, id)
	mine := func(blocks uint64) {
		must(t, world(t).Chain.Mine(int(blocks-world(t).Chain.Head())))
		for _, p := range tb.players {
			tb.wait(t, p, func() bool { return p.Head().Block >= blocks })
		}
	}
	var r node.Round
	for block := head + 16; len(r.Groups) == 0 && block < head+44; block++ { // it is drawn at a block after the one that shuffles
		mine(block)
		var err error
		r, err = house.Round(id)
		must(t, err)
	}
	stakes, err := r.Stakes(&r.Groups[0])
	must(t, err)
	offer, err := house.Offer(tb.ctx, node.OpenRequest{Peers: []common.Address{r.Groups[0].Players[0].Player, r.Groups[0].Players[1].Player}, Deposits: stakes, Window: 200, Memo: "round " + id.Hex()})
	must(t, err)
	state := func(p *player) node.OfferState {
		offers, err := p.Offers()
		must(t, err)
		for _, o := range offers {
			if o.ID == offer {
				return o.State
			}
		}
		return ""
	}
	for _, p := range tb.players[1:] {
		tb.wait(t, p, func() bool { return state(p) != "" })
	}
	mine(head + 44)
	for _, p := range tb.players {
		if s := state(p); s != node.OfferOpen || len(p.Channels()) != 0 {
			t.Errorf("before its time the offer is %s", s)
		}
	}
	tb.mine(t)
	tb.pairs(t, id, node.GroupDone)
	if s := state(house); s != node.OfferOpened {
		t.Errorf("then the offer is %s", s)
	}
}

// TestAttack_LateSeal: a list that is sealed when the shuffling block may be known could have been
// chosen by it.
func TestAttack_LateSeal(t *testing.T) {
	t.Parallel()
	tb := salon(t, "split", "steal")
	house, p := tb.players[0], tb.players[1]
	id := tb.openRound(t, tb.accounts()...)
	tb.register(t, id, 1e17, 2e17)
	r, err := house.Round(id)
	must(t, err)
	must(t, house.Close())
	must(t, world(t).Chain.Mine(int(r.Terms.Shuffle-world(t).Chain.Head())))
	tb.wait(t, p, func() bool { return p.Head().Block >= r.Terms.Shuffle })
	house.restart(t)
	must(t, dev.Connect(tb.ctx, p.Node, house.Node))
	tb.wait(t, p, func() bool { now, err := p.Round(id); return err == nil && now.State() == "sealed" })
	if now, err := p.Round(id); err != nil || now.Trouble == "" {
		t.Fatalf("the list counts: %v", err)
	}
	tb.mine(t)
	head := world(t).Chain.Head()
	tb.wait(t, p, func() bool { return p.Head().Block >= head+10 })
	now, err := p.Round(id)
	must(t, err)
	if pair := now.Group(p.Account()); now.State() != "drawn" || pair == nil || pair.State != node.GroupDrawn || len(p.Channels()) != 0 {
		t.Errorf("the round is %s, the pair %+v", now.State(), pair)
	}
}
