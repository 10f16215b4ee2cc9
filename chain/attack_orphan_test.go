package chain

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"testing"

	"github.com/ante-games/ante/protocol/onchain"
	"github.com/ante-games/ante/store"
	"github.com/ante-games/ante/store/storetest"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
)

// tale is a chain of blocks from number 1 on: what the Arena says in each is a letter, or nothing
// for a dot. Tales share the blocks of their common beginning.
type tale string

func (b tale) hash(number uint64) common.Hash { return crypto.Keccak256Hash([]byte(b[:number])) }

func (b tale) block(number uint64) Block {
	block := Block{Number: number, Hash: b.hash(number), Time: 10 * number, BaseFee: 7}
	if number > 0 {
		block.Parent = b.hash(number - 1)
	}
	return block
}

func (b tale) logs(number uint64) []types.Log {
	if number == 0 || b[number-1] == '.' {
		return []types.Log{}
	}
	return []types.Log{{
		Topics: []common.Hash{{b[number-1]}}, Data: []byte{}, TxHash: common.Hash{b[number-1]},
		BlockNumber: number, BlockHash: b.hash(number),
	}}
}

// said returns what the Arena says in a tale, with the stage that it should have, by its place.
func (b tale) said(confirmations uint64) map[string]Stage {
	said := map[string]Stage{}
	for number := range uint64(len(b)) + 1 {
		for _, log := range b.logs(number) {
			stage := Seen
			if number+confirmations <= uint64(len(b))+1 {
				stage = Final
			}
			said[place(log)] = stage
		}
	}
	return said
}

// place names a log and where it is.
func place(log types.Log) string { return fmt.Sprintf("%c in %x", log.Topics[0][0], log.BlockHash[:4]) }

// answer is what an endpoint says whose chain is the tale.
func (b tale) answer(method string, params []json.RawMessage) (any, error) {
	switch method {
	case "eth_getBlockByNumber":
		number := uint64(len(b))
		if which := string(params[0]); which != `"latest"` {
			if _, err := fmt.Sscanf(which, `"0x%x"`, &number); err != nil {
				return nil, err
			}
		}
		return told(b.block(number)), nil
	case "eth_getLogs":
		var filter struct{ BlockHash common.Hash }
		if err := json.Unmarshal(params[0], &filter); err != nil {
			return nil, err
		}
		for number := range uint64(len(b)) + 1 {
			if b.hash(number) == filter.BlockHash {
				return b.logs(number), nil
			}
		}
		return nil, errors.New("unknown block")
	}
	return nil, nil
}

// TestAttack_Orphan: the process dies at any moment while it takes in a branch, and is back when
// another one is the chain. What stands then is what the chain says, as if nothing had happened.
func TestAttack_Orphan(t *testing.T) {
	const confirmations = 4
	for _, c := range []struct {
		name               string
		before, then, last tale
	}{
		{"it leaves", "..", "..a", "..b."},
		{"it leaves, and nothing comes", "..", "..a", "...."},
		{"it comes back", "..a", "..b.", "..a.."},
		{"it comes back, and nothing came", "..a", "....", "..a.."},
		{"another comes", "..a", "..b.", "..c.."},
		{"several", "..ab", "..cd.", "..ae.."},
		{"final meanwhile", "..a", "..a..b", "..a...c"},
		{"final at once", "..", "..a....", "..a..b.."},
	} {
		t.Run(c.name, func(t *testing.T) {
			deaths := 0
			for died := true; died; deaths++ {
				now := c.before
				client, _ := script(func(_, method string, params []json.RawMessage) (any, error) { return now.answer(method, params) }).dial(t, Config{})
				f, err := NewFollower(client, FollowConfig{From: 1, Confirmations: confirmations, Decode: func(l types.Log) (onchain.Event, error) {
					return onchain.Closed{ChannelID: l.Topics[0]}, nil
				}})
				if err != nil {
					t.Fatal(err)
				}
				left := -1 // moments until it dies; below 0: never
				moment := func() error {
					if left == 0 {
						return storetest.ErrCrash
					}
					if left > 0 {
						left--
					}
					return nil
				}
				disk := store.NewMemory()
				atCommit := func(op storetest.Op) error {
					if op != storetest.Commit {
						return nil
					}
					return moment()
				}
				kept := &storetest.Faulty{Store: disk, Before: atCommit, After: atCommit}
				stands := map[string]Stage{} // what the reader took in, and has on its disk
				live := func(b tale) {
					now = b
					ctx, stop := context.WithCancel(t.Context())
					err := f.Keep(ctx, kept, "cursor", Reader{
						Bad: func(bad *BadLog) { t.Error(bad) },
						Happened: func(e *Event) error {
							if err := moment(); err != nil {
								return err
							}
							switch had := stands[place(e.Log)]; {
							case e.Stage == Undone:
								delete(stands, place(e.Log))
							case e.Stage == Final && had == 0:
								t.Errorf("%s is final and was never seen", place(e.Log))
							case e.Stage == Final || had == 0:
								stands[place(e.Log)] = e.Stage
							}
							return moment()
						},
						Reached: func(_ context.Context, r *Reach) error {
							if !r.Behind {
								stop()
							}
							return nil
						},
						Trouble: func(err error) {
							if errors.Is(err, storetest.ErrCrash) {
								stop()
							} else if err != nil {
								t.Error(err)
							}
						},
					})
					if !errors.Is(err, context.Canceled) {
						t.Fatal(err)
					}
				}
				live(c.before)
				left = deaths
				live(c.then)
				died = left == 0
				left = -1
				live(c.last)
				if want := c.last.said(confirmations); !maps.Equal(stands, want) {
					t.Errorf("it died at moment %d of %s: %v stands, want %v", deaths, c.then, stands, want)
				}
				n, named := 0, new(cursor)
				stored, err := disk.Get("cursor")
				if err == nil {
					err = decode(stored, named)
				}
				if err == nil {
					err = disk.Scan("cursor/", "", func(string, []byte) error { n++; return nil })
				}
				if parts := len(new(shelf).named(named)); err != nil || n != parts {
					t.Errorf("it died at moment %d of %s: %d keys are kept, want %d: %v", deaths, c.then, n, parts, err)
				}
			}
			if deaths < 5 {
				t.Errorf("it died %d times", deaths)
			}
		})
	}
}
