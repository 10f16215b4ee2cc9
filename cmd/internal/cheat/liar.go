package cheat

import (
	"encoding/json"
	"slices"
	"sync"

	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/node"
	"github.com/ante-games/ante/node/dev"
	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"github.com/ethereum/go-ethereum/common"
)

// lies are what a lying opponent does, by game: what convicts it however the other plays.
var lies = map[string]string{
	"battleships":   "places a fleet that is none",
	"mastermind":    "commits to what is no code",
	"sums-and-cows": "commits to what is no list",
}

// Lie has a node lie in each match of a game that it knows a lie of and, once a move of its own has
// proved that, not agree to what follows from it: it is the chain that convicts it.
func Lie(c *node.Config) {
	g := &grudge{exposed: map[string]bool{}, done: map[string]bool{}}
	c.Games = slices.Clone(c.Games)
	for i, game := range c.Games {
		if at := slices.IndexFunc(game.Liars, func(l games.Liar) bool { return l.Name == lies[game.Name] }); at >= 0 {
			c.Games[i].Player = Overseer{Player: untiring{game.Player, game.Liars[at]}, Look: Exposure(game.Rules, g.expose)}
		}
	}
	dev.Wrap(c, func(net node.Network) node.Network { g.Network = net; return g })
}

// untiring is a player side that lies in whichever round is played.
type untiring struct {
	games.Player
	liar games.Liar
}

func (u untiring) Unwrap() games.Player { return u.Player }

func (u untiring) Auto(t games.Table) (*games.Decision, error) { return u.decide(t, games.Player.Auto) }

func (u untiring) Bot(t games.Table) (*games.Decision, error) { return u.decide(t, games.Player.Bot) }

// decide asks the liar of the round that the view shows, or of the first.
func (u untiring) decide(t games.Table, by func(games.Player, games.Table) (*games.Decision, error)) (*games.Decision, error) {
	v, err := u.View(t)
	if err != nil {
		return nil, err
	}
	var shown struct{ Round uint32 }
	if err := Read(v, &shown); err != nil {
		return nil, err
	}
	return by(u.liar.Player(max(shown.Round, 1)-1), t)
}

// Read reads fields of a view by their names in JSON.
func Read(v games.View, fields any) error {
	b, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return json.Unmarshal(b, fields)
}

// grudge is the network of a liar.
type grudge struct {
	node.Network
	mu      sync.Mutex
	exposed map[string]bool // matches with a lie that a move proves
	done    map[string]bool // channels in which such a move is made
}

func (g *grudge) expose(match common.Hash) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.exposed[string(match[:])] = true
}

// Send passes on what belongs to matches only, and no ledgers, to who knows of a lie.
func (g *grudge) Send(to common.Address, env *antev1.Envelope) error {
	g.mu.Lock()
	channel := string(env.GetChannelId())
	if move := env.GetMove(); move != nil && g.exposed[string(move.GetMatchId())] {
		g.done[channel] = true
	}
	sulks := g.done[channel]
	g.mu.Unlock()
	if plays := env.GetMove() != nil || env.GetCountersign() != nil || env.GetNote() != nil; sulks && !plays {
		return nil
	}
	return g.Network.Send(to, env)
}
