package chain

import (
	"bytes"
	"cmp"
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"testing"
	"testing/synctest"
	"time"
)

// tardy is a script of which one endpoint takes its time for each answer, and refuses batches of
// more requests than it takes at once.
type tardy struct {
	script
	host string
	each time.Duration
	most int // 0: it takes any
	// how it refuses others; 0: as too large
	status int
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
		return &http.Response{StatusCode: cmp.Or(s.status, http.StatusRequestEntityTooLarge), Body: http.NoBody, Request: r}, nil
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	return s.script.RoundTrip(r)
}

// followTardy is followTwo where one endpoint may take its time.
func followTardy(t *testing.T, host string, one, two *branch) (*followers, *tardy) {
	t.Helper()
	s := &tardy{host: host, script: scriptOf(t, one, two)}
	client, rung := s.dial(t, Config{Transport: s})
	return follow(t, client, rung, FollowConfig{From: 1}, one, two), s
}

// stall is just less than an endpoint is waited for.
const stall = 19 * time.Second

// finds has an endpoint answer no more at once, as it was found before.
func (e *endpoint) finds(most int) {
	e.batches.took(uint64(most), true) //nolint:gosec // not negative
	e.ranges.took(uint64(most), true)  //nolint:gosec // not negative
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
			f.client.second.finds(most)
			final := false
			for range 20 {
				f.one.head++
				began := time.Now()
				batch := f.step()
				if took := time.Since(began); took > 2*time.Minute || !batch.Whole {
					t.Errorf("it takes %d at once: a step takes %v, and reads all: %t", most, took, batch.Whole)
				}
				final = final || slices.ContainsFunc(batch.Events, func(e Event) bool { return e.Stage == Final })
			}
			if !final {
				t.Errorf("it takes %d at once: what it tells is not final", most)
			}
		})
	}
}

// TestAttack_StarvedRPC_StallsFarBehind: a node was away for hundreds of blocks, and the second
// endpoint takes its time for each answer. Even if it tells one block at a time, or refuses all
// logs, the newest block is seen in minutes, not in hours.
func TestAttack_StarvedRPC_StallsFarBehind(t *testing.T) {
	for _, c := range []struct {
		each    time.Duration
		most    int // at once; 0: any number
		refuses bool
	}{{stall, 1, false}, {5 * time.Second, 1, false}, {time.Second, 1, false}, {stall, 40, false}, {stall, 0, true}} {
		synctest.Test(t, func(t *testing.T) {
			const newest = 600
			f, second := followTardy(t, two, &branch{head: newest, logs: logsAt(500)}, &branch{head: newest, logs: logsAt(500)})
			if second.each = c.each; c.most != 0 {
				second.most, f.two.most = c.most, uint64(c.most) //nolint:gosec // not negative
				f.client.second.finds(c.most)
			}
			if c.refuses {
				f.two.fails = func(method string, _ uint64) error {
					if method == "eth_getLogs" {
						return errNo
					}
					return nil
				}
			}
			began := time.Now()
			for whole := false; !whole; {
				whole = f.step().Whole
				if took := time.Since(began); took > 10*time.Minute {
					t.Fatalf("%+v: it is not read after %v", c, took)
				}
			}
		})
	}
}

// TestAttack_StarvedRPC_StallsFirst: it is the first endpoint that takes its time, for what
// happened in many blocks. No step takes long, and a person is told for as long as reading is
// behind.
func TestAttack_StarvedRPC_StallsFirst(t *testing.T) {
	for _, c := range []struct {
		each time.Duration
		most int // at once; 0: any number
	}{{stall, 0}, {stall, 1}, {2 * time.Second, 1}} {
		synctest.Test(t, func(t *testing.T) {
			const newest = 140
			var busy []uint64
			for number := range uint64(60) {
				busy = append(busy, 10+number)
			}
			f, first := followTardy(t, one, &branch{head: newest, logs: logsAt(busy...)}, &branch{head: newest, logs: logsAt(busy...)})
			if first.each = c.each; c.most != 0 {
				first.most, f.one.most = c.most, uint64(c.most) //nolint:gosec // not negative
				f.client.first.finds(c.most)
			}
			for whole := false; !whole; {
				began := time.Now()
				if whole = f.step().Whole; time.Since(began) > 3*time.Minute {
					t.Errorf("%+v: a step takes %v", c, time.Since(began))
				}
			}
			if got := faults(f.rung.take()); got != "NotFollowing, NotFollowing over" {
				t.Errorf("%+v: alarms %q", c, got)
			}
		})
	}
}

// TestAttack_StarvedRPC_StallsReorg: the second endpoint is behind by hundreds of blocks. The first
// one takes its time for each answer, and shows that those left the chain. No step takes long.
func TestAttack_StarvedRPC_StallsReorg(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f, first := followTardy(t, one, &branch{head: 300}, &branch{head: 20})
		f.read()
		f.one.from, f.one.mark, first.each = 100, 1, stall
		began := time.Now()
		if batch := f.step(); !batch.Behind || time.Since(began) > time.Minute {
			t.Errorf("a step takes %v: %+v", time.Since(began), batch.Reach)
		}
	})
}

// TestAttack_StarvedRPC_StallsAndLies: a node was away for hundreds of blocks. The second endpoint
// takes its time for each answer, and shows other blocks, or leaves out the logs. What the first
// one shows is seen, and never undone.
func TestAttack_StarvedRPC_StallsAndLies(t *testing.T) {
	for _, fork := range []uint64{0, 300} {
		synctest.Test(t, func(t *testing.T) {
			const newest = 600
			f, slow := followTardy(t, two, &branch{head: newest, logs: logsAt(400)}, &branch{head: newest, from: fork, mark: 9})
			slow.each = stall
			f.one.fails = func(method string, _ uint64) error { // it is not quick either
				if method == "eth_getBlockByNumber" {
					time.Sleep(120 * time.Millisecond)
				}
				return nil
			}
			began := time.Now()
			var told []Stage
			for whole := false; !whole; {
				batch := f.step()
				if whole = batch.Whole; time.Since(began) > 10*time.Minute {
					t.Fatalf("from %d: it is not read after %v", fork, time.Since(began))
				}
				for _, e := range batch.Events {
					told = append(told, e.Stage)
				}
			}
			if !slices.Equal(told, []Stage{Seen}) {
				t.Errorf("from %d: %v", fork, told)
			}
		})
	}
}

// TestALimitIsNoStall: the second endpoint, which is honest, says slowly that a request is too
// much. What the first one invents is not final because of that.
func TestALimitIsNoStall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f, second := followTardy(t, two, &branch{head: 20}, &branch{head: 20})
		f.read()
		f.one.head, f.two.head, f.one.logs = 60, 60, logsAt(30)
		second.each, second.most, second.status = 4*time.Second, 4, http.StatusTooManyRequests
		for range 4 {
			if batch := f.step(); slices.ContainsFunc(batch.Events, func(e Event) bool { return e.Stage == Final }) {
				t.Fatal("it is final")
			}
		}
	})
}
