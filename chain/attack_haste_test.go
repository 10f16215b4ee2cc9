package chain

import (
	"context"
	"encoding/json"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ante-games/ante/protocol/onchain"
	"github.com/ante-games/ante/store"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
)

// TestAttack_LyingRPC_Haste: the first endpoint of two never shows the last blocks of a chain that
// grows, so that there is always more to read: it takes back the last one that it showed, it takes
// its time, or it shows a new one at each block. What is due is looked at all the same, and the
// other one isn't asked without end.
func TestAttack_LyingRPC_Haste(t *testing.T) {
	for name, c := range map[string]struct {
		answer time.Duration // which it takes to tell the newest block
		shows  func(head, times uint64) (last uint64)
		flips  bool // the last block is another one each time
	}{
		"takes back": {answer: 20 * time.Millisecond, shows: func(head, _ uint64) uint64 { return head - 9 }, flips: true},
		"slow":       {answer: 14 * time.Second, shows: func(_, times uint64) uint64 { return 90 + times }},
		"one each":   {answer: 20 * time.Millisecond, shows: func(head, _ uint64) uint64 { return head - 3 }},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				began, times, honest := time.Now(), uint64(0), 0
				client, _ := script(func(endpoint, method string, params []json.RawMessage) (any, error) {
					if endpoint == two {
						honest++
					}
					if method != "eth_getBlockByNumber" {
						return map[string]any{"eth_getLogs": []types.Log{}}[method], nil
					}
					number, given := asked(t, params)
					if !given && endpoint == one {
						time.Sleep(c.answer)
						times++
					}
					head := 100 + uint64(time.Since(began)/(12*time.Second))
					if !given {
						return told(line(head)), nil
					}
					block := line(number)
					if last := c.shows(head, times); endpoint == one && number > last {
						return nil, nil
					} else if endpoint == one && number == last && c.flips {
						block.Hash = common.Hash{1, byte(times), byte(times >> 8)}
					}
					return told(block), nil
				}).dial(t, Config{})
				f, err := NewFollower(client, FollowConfig{From: 89, Decode: func(types.Log) (onchain.Event, error) { return nil, nil }})
				if err != nil {
					t.Fatal(err)
				}
				const minutes = 10
				ctx, stop := context.WithTimeout(t.Context(), minutes*time.Minute)
				defer stop()
				var longest time.Duration
				looked := time.Now()
				_ = f.Keep(ctx, store.NewMemory(), "cursor", Reader{
					Reached: func(_ context.Context, r *Reach) error {
						if !r.Behind {
							longest, looked = max(longest, time.Since(looked)), time.Now()
						}
						return nil
					},
					Trouble: func(err error) {
						if err != nil {
							t.Error(err)
						}
					},
				})
				if longest = max(longest, time.Since(looked)); longest > time.Minute {
					t.Errorf("nothing that is due is looked at for %v", longest)
				}
				if most := minutes * 60 * 2; honest > most {
					t.Errorf("the other one is asked %d times, want %d at most", honest, most)
				}
			})
		})
	}
}
