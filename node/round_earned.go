package node

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/holiman/uint256"
)

// takings is what rounds won and cost a house, in wei or token units.
type takings struct{ In, Out uint256.Int }

// takingsPrefix is where those of the rounds that are forgotten lie, by game and asset.
const takingsPrefix = "takings/"

func takingsKey(r *Round) string { return takingsPrefix + r.Game + "/" + r.Terms.Asset.Hex() }

// count adds what a round has brought: the gains of all its matches, the losses to groups that the
// house has not named, and the subsidies of such groups that are still at stake.
func (t *takings) count(r *Round, results []Result) error {
	for i := range r.Groups {
		g := &r.Groups[i]
		stakes, err := r.Stakes(g)
		if err != nil {
			return err
		}
		at := slices.IndexFunc(results, func(res Result) bool { return res.Channel == g.Channel })
		switch {
		case at >= 0 && results[at].Payouts[0].Gt(&stakes[0]):
			t.In.Add(&t.In, new(uint256.Int).Sub(&results[at].Payouts[0], &stakes[0]))
		case at >= 0 && !g.Named:
			t.Out.Add(&t.Out, new(uint256.Int).Sub(&stakes[0], &results[at].Payouts[0]))
		case !g.Named && (g.State == GroupOffered || g.State == GroupPlaying):
			t.Out.Add(&t.Out, &stakes[0])
		}
	}
	return nil
}

// earned is what the rounds of this house like this one have won so far beyond what they cost.
func (n *rounds) earned(like *Round) (*uint256.Int, error) {
	n.records.Lock()
	defer n.records.Unlock()
	t, err := n.forgotten(like)
	if err != nil {
		return nil, err
	}
	list, err := n.allRounds()
	if err != nil {
		return nil, err
	}
	results, err := n.channels.allResults()
	if err != nil {
		return nil, err
	}
	for i := range list {
		if r := &list[i]; r.Terms.House == n.Account() && takingsKey(r) == takingsKey(like) {
			if err := t.count(r, results); err != nil {
				return nil, err
			}
		}
	}
	if t.In.Lt(&t.Out) {
		return new(uint256.Int), nil
	}
	return new(uint256.Int).Sub(&t.In, &t.Out), nil
}

// forgotten returns the takings of the rounds like this one that are forgotten.
func (n *rounds) forgotten(like *Round) (*takings, error) {
	t := new(takings)
	return t, load(n.config.Store, takingsKey(like), t)
}

// forgetOwn has what is to be written forget the oldest rounds of this house that are over, beyond
// keptRounds, and keep the sum of their takings.
func (n *rounds) forgetOwn(changes map[string][]byte) error {
	over, err := n.Rounds()
	if err != nil {
		return err
	}
	over = slices.DeleteFunc(over, func(r Round) bool { return r.Terms.House != n.Account() || r.rules == nil || !r.finished(n.Account()) })
	over = over[:max(0, len(over)-keptRounds)]
	if len(over) == 0 {
		return nil
	}
	results, err := n.channels.allResults()
	if err != nil {
		return err
	}
	sums := map[string]*takings{}
	for i := range over {
		r := &over[i]
		key := takingsKey(r)
		if sums[key] == nil {
			if sums[key], err = n.forgotten(r); err != nil {
				return err
			}
		}
		if err := sums[key].count(r, results); err != nil {
			return err
		}
		changes[n.records.key(r.ID)] = nil
	}
	for key, sum := range sums {
		if changes[key], err = json.Marshal(sum); err != nil {
			return fmt.Errorf("encode %s: %w", key, err)
		}
	}
	return nil
}
