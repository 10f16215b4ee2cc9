package tower

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/games/gametest/toy"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/message"
	"github.com/ante-games/ante/store"
	"github.com/ante-games/ante/store/storetest"
	"github.com/ethereum/go-ethereum/common"
)

// TestAttack_TowerFlood_Log: strangers, or a seat, who send nonsense without end write a bounded
// log, and get a bounded number of answers. A seat that comes among them is served.
func TestAttack_TowerFlood_Log(t *testing.T) {
	const flood = 20_000
	s := besiege(t, nil)
	junk := message.Envelope(s.id, message.TowerEvidence{Ledger: s.ledger})
	elsewhere := message.Envelope(common.Hash{1}, message.TowerEvidence{Ledger: s.ledger})
	rush := func(name string, from func(i int) common.Address, most int) {
		before := s.log.size()
		s.post.taken()
		for i := range flood {
			handler{s.Tower}.Receive(from(i), junk)
			handler{s.Tower}.Receive(from(i), elsewhere)
		}
		if n := len(s.post.taken()); n > most {
			t.Errorf("%s: %d answers, at most %d", name, n, most)
		}
		if n := s.log.size() - before; n > most*1000 {
			t.Errorf("%s: %d bytes of log", name, n)
		}
	}
	rush("one stranger", func(int) common.Address { return common.Address{1} }, 8)
	rush("strangers", func(i int) common.Address { return common.Address{2, byte(i), byte(i >> 8)} }, 64)
	s.entrust()
	rush("a seat", func(int) common.Address { return s.owners[1].Address() }, s.config.Limits.Burst)
	s.now = s.now.Add(time.Second) // the accounts that used nothing are forgotten
	if r := s.give(0, message.TowerEvidence{Ledger: s.ledger, Matches: []protocol.MatchTerms{s.match}}); r.Refusal != "" {
		t.Errorf("the other seat: %q", r.Refusal)
	}
}

// TestAttack_TowerFlood_Bytes: evidence that would take more room than a seat, or all seats, may
// have is refused, and changes nothing.
func TestAttack_TowerFlood_Bytes(t *testing.T) {
	for name, change := range map[string]func(*Config){
		"a seat":    func(c *Config) { c.Limits.Bytes = 1000 },
		"all seats": func(c *Config) { c.Limits.Disk = 1000 },
	} {
		t.Run(name, func(t *testing.T) {
			s := besiege(t, change)
			s.entrust()
			before := s.Counts()
			e := s.evidenceOf()
			e.Support, e.Agreement = s.support(0, 1), s.agreement(3)
			if r := s.give(1, e); !strings.Contains(r.Refusal, ErrFull.Error()) {
				t.Errorf("refused with %q", r.Refusal)
			}
			if s.Counts() != before {
				t.Errorf("held: %+v, before %+v", s.Counts(), before)
			}
			if held, _, err := s.stored(matchKey(s.id, 1, s.matchID)); err != nil || held != nil {
				t.Errorf("stored: %+v, %v", held, err)
			}
		})
	}
}

// TestAttack_TowerFlood_Work: a seat that gives the same evidence without end has it checked as
// often as its budget allows.
func TestAttack_TowerFlood_Work(t *testing.T) {
	s := besiege(t, func(c *Config) { c.Limits.Every, c.Limits.Burst = time.Nanosecond, 1<<30 })
	s.entrust()
	e := s.evidenceOf()
	e.Support = s.support(0, 1)
	served := 0
	for range signatureLimit.Friend.Burst {
		s.post.taken()
		handler{s.Tower}.Receive(s.owners[1].Address(), message.Envelope(s.id, e))
		for _, m := range s.post.taken() {
			if r, ok := m.(message.TowerReceipt); ok && r.Refusal == "" {
				served++
			}
		}
	}
	if most := signatureLimit.Friend.Burst / work(&e); served == 0 || served > most {
		t.Errorf("%d pieces checked, at most %d", served, most)
	}
}

// counted counts the moves that are replayed.
type counted struct {
	toy.Rules
	n *int
}

func (c counted) Play(ctx *games.Context, state, move []byte) ([]byte, error) {
	*c.n++
	return c.Rules.Play(ctx, state, move)
}

// TestAttack_IllegalMove_Tower: a seat gives evidence with an illegal move again and again, which
// costs it nothing. A move counts for as many signatures as it may cost when the rules run from
// bytecode.
func TestAttack_IllegalMove_Tower(t *testing.T) {
	n := 0
	s := besiege(t, func(c *Config) {
		c.Limits.Every, c.Limits.Burst = time.Nanosecond, 1<<30
		game := toy.Game()
		game.Rules = counted{n: &n}
		c.Games = games.Catalog{game}
	})
	s.entrust()
	e := s.evidenceOf()
	e.Support = s.support(0, 1)
	e.Support.Moves = [][]byte{{99}}
	for range signatureLimit.Friend.Burst {
		handler{s.Tower}.Receive(s.owners[1].Address(), message.Envelope(s.id, e))
	}
	if most := signatureLimit.Friend.Burst / protocol.MoveWork; n == 0 || n > most {
		t.Errorf("%d moves replayed, at most %d", n, most)
	}
}

// TestAttack_TowerFlood_Replay: seats of a contested channel give ever newer ledgers, which cost
// them three signatures each. What they gave before is not read and planned with for each of them.
func TestAttack_TowerFlood_Replay(t *testing.T) {
	s := besiege(t, nil)
	s.entrust()
	s.contest(s.first())
	s.mine(1)
	const ledgers = 100
	before := s.disk.count(storetest.Scan)
	for i := range uint64(ledgers) {
		l := message.TowerEvidence{Ledger: s.signed(3 + i), Matches: []protocol.MatchTerms{s.match}}
		if r := s.give(1, l); r.Refusal != "" || r.Version != 3+i {
			t.Fatalf("%+v", r)
		}
	}
	// one for each ledger finds the channel, and a look takes two
	if n, most := s.disk.count(storetest.Scan)-before-ledgers, 2*mostLooks+10; n < 2*mostLooks || n > most {
		t.Errorf("%d scans for looks, at most %d", n, most)
	}
}

// TestAttack_DiskFull_Tower: while the tower's disk is full, a seat is told so, and nothing of the
// tower's own paths.
func TestAttack_DiskFull_Tower(t *testing.T) {
	s := besiege(t, nil)
	s.disk.fail(fmt.Errorf("%w: free 16 MiB under /home/operator", store.ErrFull), storetest.Commit)
	r := s.give(1, message.TowerEvidence{Ledger: s.ledger, Matches: []protocol.MatchTerms{s.match}})
	if !strings.Contains(r.Refusal, ErrFull.Error()) || strings.Contains(r.Refusal, "/home") {
		t.Errorf("with a full disk: %q", r.Refusal)
	}
	s.disk.fail(fmt.Errorf("read /home/operator/x: bad"), storetest.Scan)
	r = s.give(1, message.TowerEvidence{Ledger: s.ledger, Matches: []protocol.MatchTerms{s.match}})
	if r.Refusal != errTrouble.Error() {
		t.Errorf("with a broken disk: %q", r.Refusal)
	}
	s.disk.fail(nil, storetest.Commit)
	s.entrust()
}
