package tower

import (
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ante-games/ante/chain"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/holiman/uint256"
)

// TestAttack_StoppedChain: the chain makes no more blocks while something may be due in an Arena
// that counts seconds. A tower says so in its log and its metrics until the chain goes on.
func TestAttack_StoppedChain(t *testing.T) {
	var now atomic.Int64
	s := besiegeAt(t, chain.Seconds, func(c *Config) {
		c.Chain.MaxAge, c.Chain.Now = time.Hour, func() time.Time { return time.Unix(now.Load(), 0) }
	})
	at := int64(s.Head().Clock)
	now.Store(at + 7200)
	if err := s.Err(); err != nil {
		t.Errorf("nothing is due: %v", err)
	}
	s.dispute(s.id)
	now.Store(at + 3600)
	s.heed(&s.stands, s.stopped(), "the chain goes on")
	if err := s.Err(); err != nil {
		t.Errorf("the newest block is an hour old: %v", err)
	}
	now.Store(at + 3601)
	before := s.log.size()
	s.heed(&s.stands, s.stopped(), "the chain goes on")
	logged := s.log.size()
	if n := logged - before; n == 0 || n > 500 {
		t.Errorf("%d bytes logged", n)
	}
	s.dispute(common.Hash{9}) // another channel
	s.heed(&s.stands, s.stopped(), "the chain goes on")
	if s.log.size() != logged {
		t.Error("the same is logged again as the number of channels changes")
	}
	if err := s.Err(); err == nil || !strings.Contains(err.Error(), "stands still") {
		t.Errorf("it is older than an hour: %v", err)
	}
	s.mu.Lock()
	newest := s.newest
	s.mu.Unlock()
	// before any block was read, and after the first
	for number, stands := range map[uint64]bool{0: false, 1: true} {
		s.mu.Lock()
		if s.newest.Number = number; number == 0 {
			s.newest = chain.Block{}
		}
		s.mu.Unlock()
		if err := s.stopped(); (err != nil) != stands {
			t.Errorf("block %d is the newest: %v", number, err)
		}
		s.mu.Lock()
		s.newest = newest
		s.mu.Unlock()
	}
	now.Store(at)
	s.heed(&s.stands, s.stopped(), "the chain goes on")
	if err := s.Err(); err != nil || s.stands != nil {
		t.Errorf("the chain goes on: %v", err)
	}
}

// TestAttack_EmptyWallet: a tower whose account can't pay for a dispute says so, in its log and its
// metrics, from its start until somebody sends it ETH.
func TestAttack_EmptyWallet(t *testing.T) {
	poor, err := crypto.GenerateKey()
	if err != nil {
		t.Fatal(err)
	}
	s := besiege(t, func(c *Config) { c.GasPayer = chain.KeySigner(poor) })
	s.must(s.Wait(t.Context(), func() (bool, error) {
		err := s.Err()
		return err != nil && strings.Contains(err.Error(), crypto.PubkeyToAddress(poor.PublicKey).Hex()), nil
	}))
	logged := s.log.size()
	s.lookAtGas(t.Context())
	if s.log.size() != logged {
		t.Error("the same is logged again")
	}
	s.send(0, crypto.PubkeyToAddress(poor.PublicKey), nil, uint256.NewInt(deposit))
	s.lookAtGas(t.Context())
	if err := s.Err(); err != nil {
		t.Errorf("it has enough now: %v", err)
	}
}

// TestAttack_FeeSpike_Limit: a tower that may bid less than gas costs says so: its account has
// enough, and yet it could answer nothing.
func TestAttack_FeeSpike_Limit(t *testing.T) {
	s := besiege(t, func(c *Config) { c.Fees = chain.Fees{Max: 1, UrgentMax: 1} })
	s.must(s.Wait(t.Context(), func() (bool, error) {
		err := s.Err()
		return err != nil && strings.Contains(err.Error(), "fees.urgent"), nil
	}))
}
