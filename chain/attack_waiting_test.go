package chain

import (
	"context"
	"encoding/json"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ante-games/ante/protocol/onchain"
	"github.com/ante-games/ante/store"
	"github.com/ethereum/go-ethereum/core/types"
)

// TestAttack_StarvedRPC_Waiting: what keeps the chain from being read is no failure: the endpoint
// allows too few requests, it takes its time for each and then fails, or what is done about a block
// takes long. That is an alarm after a minute, until a block is read again.
func TestAttack_StarvedRPC_Waiting(t *testing.T) {
	errSlow := errors.New("slow")
	for name, c := range map[string]struct {
		owed   float64       // requests, at one a second
		answer time.Duration // which two answers take, that fail
		done   time.Duration // which what is done about the first block takes
		poll   time.Duration
		alarms string
	}{
		"nothing":            {0, 0, 0, 0, ""},
		"a pause":            {0, 0, 0, 2 * time.Minute, ""},
		"not long":           {50, 0, 0, 0, ""},
		"too few requests":   {100, 0, 0, 0, "NotFollowing, NotFollowing over"},
		"slow, and it fails": {0, 100 * time.Second, 0, 0, "NotFollowing, Refusing, Refusing, Refusing over, Refusing over, NotFollowing over"},
		"much to do":         {0, 0, 100 * time.Second, 0, "NotFollowing, NotFollowing over"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				fails := 2
				client, rung := script(func(_, method string, _ []json.RawMessage) (any, error) {
					if method == "eth_getBlockByNumber" && c.answer > 0 && fails > 0 {
						time.Sleep(c.answer)
						fails--
						return nil, errSlow
					}
					return map[string]any{"eth_getBlockByNumber": told(line(1)), "eth_getLogs": []types.Log{}}[method], nil
				}).dial(t, Config{Timeout: time.Hour})
				rung.take()
				g := client.first.gate
				g.rate, g.most, g.tokens, g.filled = 1, 1, 1-c.owed, time.Now()
				f, err := NewFollower(client, FollowConfig{From: 1, Poll: c.poll, Decode: func(types.Log) (onchain.Event, error) { return nil, nil }})
				if err != nil {
					t.Fatal(err)
				}
				ctx, stop := context.WithTimeout(t.Context(), 10*time.Minute)
				defer stop()
				busy := c.done
				err = f.Keep(ctx, store.NewMemory(), "cursor", Reader{
					Reached: func(context.Context, *Reach) error {
						time.Sleep(busy)
						busy = 0
						return nil
					},
					Trouble: func(err error) {
						if err != nil {
							t.Error(err)
						}
					},
				})
				if got := faults(rung.take()); got != c.alarms || !errors.Is(err, context.DeadlineExceeded) {
					t.Errorf("alarms %q, want %q: %v", got, c.alarms, err)
				}
			})
		})
	}
}
