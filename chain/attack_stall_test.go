package chain

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ante-games/ante/protocol/onchain"
	"github.com/ethereum/go-ethereum/core/types"
)

// tardy is a script of which one endpoint takes its time for each answer, and refuses batches of more
// requests than it takes at once.
type tardy struct {
	script
	host string
	each time.Duration
	most int // 0: it takes any
}

// RoundTrip implements http.RoundTripper.
func (s *tardy) RoundTrip(r *http.Request) (*http.Response, error) {
	if "http://"+r.URL.Host != s.host {
		return s.script.RoundTrip(r)
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	time.Sleep(s.each)
	var batch []json.RawMessage
	if json.Unmarshal(body, &batch) == nil && s.most != 0 && len(batch) > s.most {
		return &http.Response{StatusCode: http.StatusRequestEntityTooLarge, Body: http.NoBody, Request: r}, nil
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	return s.script.RoundTrip(r)
}

// followTardy is followTwo where one endpoint may take its time.
func followTardy(t *testing.T, host string, one, two *branch) (*followers, *tardy) {
	t.Helper()
	s := &tardy{host: host, script: func(endpoint, method string, params []json.RawMessage) (any, error) {
		return map[string]*branch{"http://one": one, "http://two": two}[endpoint].answer(t, method, params)
	}}
	client, err := Dial(t.Context(), Config{URL: "http://one", Second: "http://two", Transport: s})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	follower, err := NewFollower(client, FollowConfig{From: 1, Arena: arenaOfTwo, Decode: func(log types.Log) (onchain.Event, error) {
		return onchain.Closed{ChannelID: log.Topics[0]}, nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	return &followers{Follower: follower, t: t, one: one, two: two}, s
}

// stall is just less than an endpoint is waited for.
const stall = 19 * time.Second

// step asks once, for no longer than a step may take, and returns what it tells.
func (f *followers) step() Batch {
	f.t.Helper()
	began := time.Now()
	batch, err := f.Next(f.t.Context(), f.cursor)
	if err != nil {
		f.t.Fatal(err)
	}
	if took := time.Since(began); took > 2*time.Minute {
		f.t.Errorf("a step takes %v", took)
	}
	f.cursor = batch.Cursor
	return batch
}

// TestAttack_StarvedRPC_Stalls: the second endpoint, which was behind by many blocks, has them now,
// takes as long for each answer as it may, and refuses batches. What the first one shows is seen at
// once, and final as fast as the second one tells it.
func TestAttack_StarvedRPC_Stalls(t *testing.T) {
	for _, most := range []int{1, 16} {
		synctest.Test(t, func(t *testing.T) {
			const blocks = 600
			f, second := followTardy(t, two, &branch{head: 20, logs: logsAt(22)}, &branch{head: 20, logs: logsAt(22)})
			f.one.head = blocks
			for range blocks / maxBlocks {
				f.read()
			}
			f.two.head, second.each, second.most = blocks, stall, most
			final := false
			for range 20 {
				f.one.head++
				batch := f.step()
				if !batch.Whole {
					t.Errorf("it takes %d at once: block %d is not read", most, f.one.head)
				}
				final = final || slices.ContainsFunc(batch.Events, func(e Event) bool { return e.Stage == Final })
			}
			if !final {
				t.Errorf("it takes %d at once: what it tells is not final", most)
			}
		})
	}
}

// TestAttack_StarvedRPC_StallsFarBehind: a node was away for hundreds of blocks, and one of the
// endpoints takes as long for each answer as it may. Even if it tells one block at a time, or refuses
// all logs, the newest block is seen in minutes, not in hours.
func TestAttack_StarvedRPC_StallsFarBehind(t *testing.T) {
	for _, c := range []struct {
		host    string
		most    uint64 // blocks at once; 0: any number
		refuses bool
	}{{one, 0, false}, {one, 1, false}, {two, 1, false}, {two, 1, true}} {
		synctest.Test(t, func(t *testing.T) {
			const newest = 600
			logs := logsAt(500, 501, 502, 503, 504, 505, 506, 507, 508, 509)
			f, slow := followTardy(t, c.host, &branch{head: newest, logs: logs}, &branch{head: newest, logs: logs})
			staller, endpoint := f.one, f.client.first
			if c.host == two {
				staller, endpoint = f.two, f.client.second
			}
			slow.each, slow.most, staller.most = stall, int(c.most), c.most //nolint:gosec // 1
			if c.most != 0 { // as it was found before
				endpoint.batches.took(c.most, true)
				endpoint.ranges.took(c.most, true)
			}
			if c.refuses {
				staller.fails = func(method string, _ uint64) error {
					if method == "eth_getLogs" {
						return errNo
					}
					return nil
				}
			}
			began := time.Now()
			for !f.step().Whole {
				if took := time.Since(began); took > 6*time.Minute {
					t.Fatalf("%+v: it is not read after %v", c, took)
				}
			}
			t.Logf("%+v: %v", c, time.Since(began))
		})
	}
}
