package tower

import (
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ante-games/ante/chain"
	"github.com/ante-games/ante/protocol/message"
	"github.com/ante-games/ante/store"
	"github.com/ethereum/go-ethereum/common"
)

// tally counts what is read of what the chain said, and of the evidence.
type tally struct {
	store.Store
	logs, proofs atomic.Int64
}

func (c *tally) Get(key string) ([]byte, error) {
	c.add(key)
	return c.Store.Get(key)
}

func (c *tally) Scan(prefix, from string, visit func(string, []byte) error) error {
	return c.Store.Scan(prefix, from, func(key string, value []byte) error {
		c.add(key)
		return visit(key, value)
	})
}

func (c *tally) add(key string) {
	switch {
	case strings.HasPrefix(key, logPrefix):
		c.logs.Add(1)
	case strings.HasPrefix(key, proofPrefix):
		c.proofs.Add(1)
	}
}

// TestAttack_TowerFlood_Shown: a seat asks without end to be shown what is held for it, which costs
// it nothing. What is read for that is paid from its budget first, and no more is read than that.
func TestAttack_TowerFlood_Shown(t *testing.T) {
	var read tally
	s := besiege(t, func(c *Config) {
		read.Store, c.Store = c.Store, &read
		c.Limits.Every, c.Limits.Burst = time.Nanosecond, 1<<30
	})
	s.entrust()
	read.proofs.Store(0)
	for range 3 * shownLimit.Friend.Burst {
		handler{s.Tower}.Receive(s.owners[1].Address(), message.Envelope(s.id, message.TowerAsk{Show: true}))
	}
	if n, most := read.proofs.Load(), int64(shownLimit.Friend.Burst); n < most/2 || n > most {
		t.Errorf("%d pieces are read, at most %d", n, most)
	}
}

// TestAttack_TowerFlood_Length: whoever has the Arena say much of a channel makes none of its later
// events, and nobody's message, dearer to the tower; with evidence for the channel or without.
func TestAttack_TowerFlood_Length(t *testing.T) {
	var read tally
	s := besiege(t, func(c *Config) { read.Store, c.Store = c.Store, &read })
	s.contest(s.first())
	s.mine(3)
	said := s.events(chain.Seen)
	contest := said[len(said)-1]
	value, err := s.config.Store.Get(logKey(s.id, &contest))
	s.must(err)

	length := uint(1)
	lengthen := func(to uint) {
		changes := map[string][]byte{}
		for ; length < to; length++ {
			e := contest
			e.Log.Index += length
			changes[logKey(s.id, &e)] = value
		}
		s.must(s.config.Store.Commit(changes))
	}
	costs := func() map[string]int64 {
		all := map[string]int64{}
		count := func(what string, do func()) {
			before := read.logs.Load()
			do()
			all[what] = read.logs.Load() - before
		}
		e := contest
		e.Log.Index += length
		length++
		count("an event", func() { s.must(s.happened(&e)) })
		count("looking at it", func() { s.must(s.sit(t.Context(), s.id, s.Tower.now())) })
		e.Stage = chain.Final
		count("its finality", func() { s.must(s.happened(&e)) })
		ask := message.Envelope(s.id, message.TowerAsk{})
		piece := s.evidenceOf()
		piece.Support = s.support(0, 1)
		count("a stranger's message", func() { handler{s.Tower}.Receive(common.Address{7, byte(length)}, ask) })
		count("a seat's message", func() { handler{s.Tower}.Receive(s.owners[1].Address(), ask) })
		count("a seat's evidence", func() { handler{s.Tower}.Receive(s.owners[1].Address(), message.Envelope(s.id, piece)) })
		return all
	}
	for _, evidence := range []bool{false, true} {
		if evidence {
			s.entrust()
		}
		lengthen(length + 10)
		few := costs()
		lengthen(length + 1000)
		for what, n := range costs() {
			if n > few[what] || n == 0 && what != "looking at it" {
				t.Errorf("with evidence: %v: %s reads %d logs, %d when the channel's story was short", evidence, what, n, few[what])
			}
		}
	}
}
