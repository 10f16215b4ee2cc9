package games_test

import (
	"errors"
	"testing"

	"github.com/ante-games/ante/games"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// hashed is a rule set that starts, moves and expires with the hash of block 7, and may be signed
// before block 9.
type hashed struct{}

func (hashed) hash(c *games.Context) ([]byte, error) {
	if c.Facts == nil {
		return nil, games.ErrIllegal
	}
	h, known := c.Facts.BlockHash(7)
	if !known {
		return nil, games.ErrIllegal
	}
	return h[:], nil
}

func (r hashed) Start(c *games.Context) ([]byte, error)             { return r.hash(c) }
func (r hashed) Play(c *games.Context, _, _ []byte) ([]byte, error) { return r.hash(c) }
func (r hashed) Expire(c *games.Context, _ []byte) ([]byte, error)  { return r.hash(c) }
func (hashed) Mover([]byte) (uint8, error)                          { return 3, nil }
func (hashed) Outcome(_ []byte, s []uint256.Int) (games.Outcome, error) {
	return games.Outcome{Payouts: s}, nil
}
func (r hashed) SignBefore(c *games.Context, _ []byte) (uint64, error) {
	_, err := r.hash(c)
	return 9, err
}

type fact map[uint64]common.Hash

func (fact) Head() uint64 { return 10 }
func (fact) Sure() uint64 { return 10 }
func (f fact) BlockHash(n uint64) (common.Hash, bool) {
	h, known := f[n]
	return h, known
}

func (f fact) Noted(common.Hash, uint64) (common.Hash, bool) { return common.Hash{}, true }

func TestWithFacts(t *testing.T) {
	f := fact{}
	c := &games.Context{}
	r := games.WithFacts(hashed{}, f)
	if _, err := r.Play(c, nil, nil); !errors.Is(err, games.ErrIllegal) {
		t.Errorf("a hash that nobody knows: %v", err)
	}
	f[7] = common.Hash{1}
	for name, call := range map[string]func() ([]byte, error){
		"start":  func() ([]byte, error) { return r.Start(c) },
		"play":   func() ([]byte, error) { return r.Play(c, nil, nil) },
		"expire": func() ([]byte, error) { return r.Expire(c, nil) },
	} {
		if b, err := call(); err != nil || b[0] != 1 {
			t.Errorf("%s: %x, %v", name, b, err)
		}
	}
	if before, err := games.SignBefore(r, c, nil); before != 9 || err != nil {
		t.Errorf("signed before %d, %v", before, err)
	}
	if c.Facts != nil {
		t.Error("the caller's context was changed")
	}
	if before, err := games.SignBefore(games.Bytes[int, int, int](nil), c, nil); before != 0 || err != nil {
		t.Errorf("rules that don't care: signed before %d, %v", before, err)
	}
}
