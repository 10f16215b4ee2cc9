package node

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/ante-games/ante/store"
	"github.com/ethereum/go-ethereum/common"
)

// What is over for good is kept for people to look at, within bounds.
const (
	// keptResults is how many results of matches are kept that nothing needs any more.
	keptResults = 10_000
	// keptChannels is how many channels that are paid out are kept besides those of results that
	// are.
	keptChannels = 1000
	// forgetEvery is how many matches and channels may end before the surplus goes.
	forgetEvery = 1000
)

// archive keeps what is over.
type archive struct {
	*core
	channels *channels
	scores   *scores
	meeting  *meeting
	rounds   *rounds
	scored   chan struct{} // holds a token when wins may be published
}

func newArchive(c *core, channels *channels, scores *scores, meeting *meeting, rounds *rounds) *archive {
	return &archive{c, channels, scores, meeting, rounds, make(chan struct{}, 1)}
}

const tallyPrefix = "tally/" // by rules: the score of the matches whose results are forgotten

// tendEnded looks after what is over at new blocks, apart from everything else: the score board is
// asked about each win, which may take long.
func (n *archive) tendEnded(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-n.scored:
			n.fault("publishing results", n.scores.tendWins(ctx))
			n.fault("forgetting what is long over", n.tendPast())
		}
	}
}

// tendPast forgets what is over and beyond the bounds, at the start and at intervals.
func (n *archive) tendPast() error {
	over := n.channels.over.Load()
	if over < forgetEvery {
		return nil
	}
	if err := n.forgetPast(keptResults, keptChannels); err != nil {
		return err
	}
	n.channels.over.Add(-over)
	return nil
}

// forgetPast forgets the oldest results of paid matches that nothing needs any more, beyond a
// number, and then the oldest channels that are paid out for good, beyond a number and those of the
// results left.
func (n *archive) forgetPast(results, channels int) error {
	needed, err := n.neededChannels()
	if err != nil {
		return err
	}
	list, err := n.forgetIdle(needed, results)
	if err != nil {
		return err
	}
	for i := range list[:max(0, len(list)-n.config.Policy.History)] {
		if err := n.forgetReplay(list[i].Match); err != nil {
			return err
		}
	}
	return n.forgetChannels(needed, channels)
}

// forgetIdle forgets the oldest results that nothing needs, beyond a number, adds the channels of
// the others to those that are needed, and returns all that there were. Nobody signs one meanwhile:
// it would come back, or its win would wait without it.
func (n *archive) forgetIdle(needed map[common.Hash]bool, results int) ([]Result, error) {
	n.channels.results.Lock()
	defer n.channels.results.Unlock()
	list, err := n.channels.Results()
	if err != nil {
		return nil, err
	}
	waiting := map[common.Hash]bool{}
	err = n.config.Store.Scan(winPrefix, "", func(key string, _ []byte) error {
		_, match, _ := strings.Cut(strings.TrimPrefix(key, winPrefix), "/")
		waiting[common.HexToHash(match)] = true
		return nil
	})
	if err != nil {
		return nil, err
	}
	idle := slices.DeleteFunc(slices.Clone(list), func(r Result) bool { return !r.Paid || needed[r.Channel] || waiting[r.Match] })
	idle = idle[:max(0, len(idle)-results)]
	gone := map[common.Hash]bool{}
	for i := range idle {
		gone[idle[i].Match] = true
	}
	for i := range list {
		if r := &list[i]; !gone[r.Match] {
			needed[r.Channel] = true
		}
	}
	for part := range slices.Chunk(idle, forgetEvery) {
		if err := n.forgetResults(part, gone); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// neededChannels returns the channels of rounds that are remembered, whose money is counted from
// their results, and of invites that wait for theirs.
func (n *archive) neededChannels() (map[common.Hash]bool, error) {
	needed := map[common.Hash]bool{}
	rounds, err := n.rounds.allRounds()
	if err != nil {
		return nil, err
	}
	for i := range rounds {
		for _, g := range rounds[i].Groups {
			needed[g.Channel] = true
		}
	}
	invites, err := n.meeting.records.all()
	for i := range invites {
		if invites[i].State == InviteJoined {
			needed[invites[i].Channel] = true
		}
	}
	return needed, err
}

// forgetReplay forgets how a match went.
func (n *archive) forgetReplay(id common.Hash) error {
	return store.Clear(n.config.Store, replayPrefix+id.Hex()+"/")
}

// forgetResults forgets results, and keeps the counts of wins, losses and draws.
func (n *archive) forgetResults(list []Result, gone map[common.Hash]bool) error {
	tallies, err := n.scores.tallies()
	if err != nil {
		return err
	}
	changes := map[string][]byte{}
	for i := range list {
		r := &list[i]
		if err := n.forgetReplay(r.Match); err != nil {
			return err
		}
		tally := tallies[r.Terms.Rules]
		tally.add(r.Won())
		tallies[r.Terms.Rules] = tally
		changes[n.channels.results.key(r.Match)] = nil
		if changes[tallyPrefix+r.Terms.Rules.Hex()], err = json.Marshal(tally); err != nil {
			return err
		}
	}
	err = n.config.Store.Scan(lackPrefix, "", func(key string, _ []byte) error {
		if gone[common.HexToHash(key[strings.LastIndexByte(key, '/')+1:])] {
			changes[key] = nil
		}
		return nil
	})
	if err != nil {
		return err
	}
	return n.config.Store.Commit(changes)
}

// forgetChannels forgets the oldest channels that are paid out for good and not needed, beyond a
// number, and where players of no others can be reached.
func (n *archive) forgetChannels(needed map[common.Hash]bool, keep int) error {
	var list []ending
	stay := map[common.Address]bool{}
	whole, err := n.endings(func(e ending) {
		if !needed[e.ID] {
			list = append(list, e)
			return
		}
		for _, player := range e.Terms.Players {
			stay[player] = true
		}
	})
	if err != nil {
		return err
	}
	slices.SortStableFunc(list, func(a, b ending) int { return cmp.Compare(a.Ended, b.Ended) })
	over := list[:max(0, len(list)-keep)]
	for _, e := range list[len(over):] {
		for _, player := range e.Terms.Players {
			stay[player] = true
		}
	}
	if whole { // else others may stay as well
		if err := n.forgetPeers(over, stay); err != nil {
			return err
		}
	}
	for _, e := range over {
		for _, prefix := range []string{channelPrefix, pastPrefix, endedPrefix} { // of the first, what was left then
			if err := store.Clear(n.config.Store, prefix+e.ID.Hex()); err != nil {
				return err
			}
		}
	}
	return nil
}
