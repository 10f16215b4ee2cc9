package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/ante-games/ante/games"
)

// scenario is something that mallory does. What she can do at a game, the game's show lists.
type scenario struct {
	name string
	play func(*stage, variant) error
}

var scenarios = []scenario{
	{"honest", honest}, {"liar", liar}, {"silent", silent}, {"stale", stale}, {"equivocator", equivocator}, {"crash", crash},
}

func scenarioNames() string {
	list := make([]string, len(scenarios))
	for i := range scenarios {
		list[i] = scenarios[i].name
	}
	return strings.Join(list, ", ")
}

// task is one run: a game, a scenario, a variant of it.
type task struct {
	game     games.Game
	show     show
	scenario scenario
	variant  variant
}

// tasks lists the runs of the games and scenarios of those names, or of all.
func tasks(catalog games.Catalog, game, name string) ([]task, error) {
	if game != "all" {
		g, err := catalog.Find(game)
		if err != nil {
			return nil, err
		}
		catalog = games.Catalog{g}
	}
	chosen := scenarios
	if name != "all" {
		chosen = nil
		for _, s := range scenarios {
			if s.name == name {
				chosen = append(chosen, s)
			}
		}
		if chosen == nil {
			return nil, fmt.Errorf("unknown scenario %q: there are %s and all", name, scenarioNames())
		}
	}
	var list []task
	for _, g := range catalog {
		for _, s := range chosen {
			for _, v := range shows[g.Name].variants[s.name] {
				list = append(list, task{g, shows[g.Name], s, v})
			}
		}
	}
	if list == nil {
		return nil, fmt.Errorf("%s is not shown with the scenario %q: there are %s and all", game, name, scenarioNames())
	}
	return list, nil
}

func honest(s *stage, _ variant) error {
	if err := s.seat(nil); err != nil {
		return err
	}
	r, err := s.match()
	if err != nil {
		return err
	}
	s.record(r)
	s.say("the match ends by its score, and all sign the ledger that books it")
	if err := s.leave(); err != nil {
		return err
	}
	if r.Guilty != 0 {
		return errors.New("an honest player was convicted")
	}
	if err := s.only(s.opening("close")...); err != nil {
		return err
	}
	return s.aliceHas(r)
}

// maxMatches bounds how often a match is played anew until chance has given mallory the part that
// the scenario wants.
const maxMatches = 40

var errChance = fmt.Errorf("mallory never came to do what she wants to, in %d matches", maxMatches)
