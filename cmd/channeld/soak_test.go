package main

import (
	"context"
	"flag"
	"sync"
	"testing"
	"time"

	"github.com/ante-games/ante/chain/devnet"
	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/games/mastermind"
	"github.com/ante-games/ante/node/dev"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

var (
	soakKills = flag.Int("soak.kills", 2, "how many daemons TestSoak kills before it ends")
	soakEvery = flag.Duration("soak.every", 5*time.Second, "how long TestSoak lets them play between two kills")
)

// TestSoak has two pairs of real daemons play match after match, one pair against a house, while a
// tower holds the evidence of all and one process after the other is killed with SIGKILL. In the
// end every player has what the results say, to the wei. A soak of ten minutes or more also fails
// when a process keeps growing.
func TestSoak(t *testing.T) {
	w, err := dev.Start(t.Context(), devnet.Config{BlockTime: time.Second}, games.Catalog{mastermind.Game()})
	if err != nil {
		t.Fatal(err)
	}
	s := newSoak(t, w)
	s.play()
	difference := s.settle()
	t.Logf("soak: %d matches, %d channels, %d kills, difference %s wei", s.matches(), s.alice.channels+s.carol.channels, *soakKills, difference.Dec())
	s.usage.report(t)
	if err := w.Close(); err != nil {
		t.Error(err)
	}
}

// soak is the processes of TestSoak.
type soak struct {
	*testing.T
	world                    *dev.World
	tower                    *soakDaemon
	alice, bob, carol, house *soakPlayer
	usage                    usage
	lag                      map[*soakPlayer]*lag
}

// housePolicy lets the house play matches as short as the players'.
const housePolicy = `{"channels": 8, "exposure": "100eth", "deposit": "10eth", "games": {"mastermind": {"stake": "0.1eth", "params": {
	"pegs": {"least": 1, "most": 5}, "colours": {"least": 2, "most": 8}, "rounds": {"least": 2, "most": 4}, "guesses": {"least": 2, "most": 12}}}}}`

func newSoak(t *testing.T, w *dev.World) *soak {
	s := &soak{T: t, world: w, lag: map[*soakPlayer]*lag{}, usage: usage{}}
	metrics := address(t)
	s.tower = s.daemon("tower", 1, "tower", "--tower.metrics", metrics)
	s.tower.metricsAt = metrics
	s.tower.start()
	watched := []string{"run", "--peers.towers", s.tower.at()}
	s.alice, s.bob = s.player("alice", 2, watched...), s.player("bob", 3, append(watched, "--play.accept", "true")...)
	policy := s.file("policy.json", housePolicy)
	s.carol, s.house = s.player("carol", 4, watched...), s.player("house", 5, append(watched, "--play.house", policy)...)
	s.alice.opponent, s.carol.opponent = s.bob, s.house
	for _, p := range s.players() {
		p.start()
		s.lag[p] = new(lag)
	}
	return s
}

func (s *soak) players() []*soakPlayer { return []*soakPlayer{s.alice, s.bob, s.carol, s.house} }

func (s *soak) daemons() []*soakDaemon {
	all := []*soakDaemon{s.tower}
	for _, p := range s.players() {
		all = append(all, p.soakDaemon)
	}
	return all
}

// play lets everybody play while one after the other is killed, and until every match is over and
// all have withdrawn.
func (s *soak) play() {
	ctx, stop := context.WithTimeout(s.Context(), time.Duration(*soakKills)**soakEvery+10*time.Minute)
	defer stop()
	leaving := make(chan struct{})
	var players, watchers sync.WaitGroup
	for _, p := range s.players() {
		players.Go(func() { p.live(ctx, leaving) })
	}
	watching, blind := context.WithCancel(ctx)
	watchers.Go(func() { s.watch(watching) })
	all := s.daemons()
	for i := range *soakKills {
		select {
		case <-time.After(*soakEvery):
		case <-ctx.Done():
		}
		victim := all[i%len(all)]
		s.Logf("%s dies", victim.name)
		victim.kill()
		victim.start()
	}
	close(leaving)
	players.Wait()
	blind()
	watchers.Wait()
	if ctx.Err() != nil && s.Context().Err() == nil {
		s.Fatal("they come to no end")
	}
}

// matches counts what was played, as alice and carol know it.
func (s *soak) matches() int { return len(s.alice.results) + len(s.carol.results) }

// settle checks that everybody has what the matches say, less the gas, and returns by how many wei
// all together are off.
func (s *soak) settle() (difference uint256.Int) {
	fees := s.fees()
	for _, p := range s.players() {
		want := new(uint256.Int).Sub(p.began, fees[p.account])
		for id, r := range p.results {
			if other, ok := p.opponentResult(s, id); ok && other != r.mirrored() {
				s.Errorf("%s and its opponent disagree about match %s: %v, %v", p.name, id, r, other)
			}
			want.Sub(want, r.staked()).Add(want, r.paid())
		}
		if got := s.wallet(p.account); !got.Eq(want) {
			s.Errorf("%s has %s wei after %d matches, want %s", p.name, got.Dec(), len(p.results), want.Dec())
			off := new(uint256.Int).Sub(got, want)
			difference.Add(&difference, off.Abs(off))
		}
	}
	if held := s.wallet(s.world.Arena); !held.IsZero() {
		s.Errorf("the Arena holds %s wei in the end", held.Dec())
	}
	if s.matches() == 0 {
		s.Error("nothing was played")
	}
	return difference
}

// wallet returns what an account holds in the newest block, in wei.
func (s *soak) wallet(of common.Address) *uint256.Int {
	held, err := s.world.Chain.Client().BalanceAt(s.Context(), of, nil)
	if err != nil {
		s.Fatal(err)
	}
	return uint256.MustFromBig(held)
}

// fees returns what each account paid for gas since the world began, in wei.
func (s *soak) fees() map[common.Address]*uint256.Int {
	client := s.world.Chain.Client()
	head, err := client.BlockNumber(s.Context())
	if err != nil {
		s.Fatal(err)
	}
	paid := map[common.Address]*uint256.Int{}
	for _, p := range s.players() {
		paid[p.account] = new(uint256.Int)
	}
	for n := s.world.From; n <= head; n++ {
		for from, fee := range s.feesOf(n) {
			if total, ok := paid[from]; ok {
				total.Add(total, fee)
			}
		}
	}
	return paid
}
