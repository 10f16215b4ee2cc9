package chain

import (
	"context"
	"encoding/json"
	"errors"
	"testing"
	"time"

	"github.com/ante-games/ante/protocol/onchain"
	"github.com/ethereum/go-ethereum/core/types"
)

// heights answers with the newest blocks of two endpoints, by number and time.
func heights(one, two Block) script {
	return func(endpoint, method string, _ []json.RawMessage) (any, error) {
		switch {
		case method != "eth_getBlockByNumber":
			return nil, nil
		case endpoint == "http://one":
			return told(one), nil
		}
		return told(two), nil
	}
}

func newest(number, at uint64) Block {
	return Block{Number: number, Hash: hashOf(1000*number + at), Time: at}
}

// TestWhoseWordCounts: an endpoint is stuck if its newest block is old and the other one has more
// blocks, or a later one. Stuck, it has no say, and nothing is read from it. What is shared is the
// lower of two heads, at the earlier of their times. The higher one is told, whoever tells it.
func TestWhoseWordCounts(t *testing.T) {
	for _, c := range []struct {
		what           string
		own, theirs    Block
		counts, stuck  bool
		shared, at     uint64
		alarms, second string // of the own endpoint, of the other
	}{
		{"both are there", newest(10, 950), newest(10, 950), true, false, 10, 950, "", ""},
		{"it is a block behind", newest(11, 950), newest(10, 940), true, false, 10, 940, "", ""},
		{"it is as far behind as may be", newest(13, 950), newest(10, 940), true, false, 10, 940, "", ""},
		{"it is further behind", newest(14, 950), newest(10, 940), true, false, 10, 940, "", "Lagging"},
		{"it is a block behind, of an old one", newest(11, 850), newest(10, 850), false, false, 11, 850, "Lagging", "Lagging"},
		{"it has as many blocks, the last one is old", newest(10, 950), newest(10, 850), false, false, 10, 950, "", "Lagging"},
		{"it is a block behind, and later", newest(11, 840), newest(10, 850), false, false, 11, 840, "Lagging", "Lagging"},
		{"no block was made for long", newest(10, 850), newest(10, 850), true, false, 10, 850, "Lagging", ""},
		{"as long as may be", newest(10, 900), newest(10, 900), true, false, 10, 900, "", ""},
		{"this one is a block behind, at an old one", newest(10, 850), newest(11, 850), true, true, 10, 850, "Lagging", ""},
		{"this one has as many blocks, the last one is old", newest(10, 850), newest(10, 950), true, true, 10, 850, "Lagging", ""},
		{"this one is behind", newest(10, 940), newest(13, 950), true, false, 10, 940, "", ""},
		{"this one is further behind", newest(10, 940), newest(14, 950), true, false, 10, 940, "Lagging", ""},
		{"this computer's clock is behind", newest(10, 1000+601), newest(10, 1000+601), true, false, 10, 1601, "WrongClock", ""},
	} {
		config := Config{MaxLag: 3, MaxAge: 100 * time.Second, Now: func() time.Time { return time.Unix(1000, 0) }}
		for _, first := range []bool{true, false} {
			client, rung := heights(c.own, c.theirs).dial(t, config)
			this, other := client.first, client.second
			if !first {
				client, rung = heights(c.theirs, c.own).dial(t, config)
				this, other = client.second, client.first
			}
			h, err := client.heads(t.Context(), this)
			if stuck := new(Lagging); errors.As(err, &stuck) != c.stuck || err != nil && !c.stuck {
				t.Errorf("%s: %v", c.what, err)
			}
			if h.newest != c.own || (h.other == other) != c.counts || client.Alone() == c.counts {
				t.Errorf("%s: the other one counts %t, alone %t", c.what, h.other != nil, client.Alone())
			}
			if h.shared.Number != c.shared || h.shared.Time != c.at || c.shared == c.own.Number && h.shared.Hash != c.own.Hash {
				t.Errorf("%s: both have %+v", c.what, h.shared)
			}
			if want := max(c.own.Number, c.theirs.Number); h.highest != want {
				t.Errorf("%s: the highest block told is %d, want %d", c.what, h.highest, want)
			}
			of := map[string][]Alarm{}
			for _, a := range rung.take() {
				about := a.About[:len(one)] // without what else is said of it
				of[about] = append(of[about], a)
			}
			if faults(of[this.name]) != c.alarms || faults(of[other.name]) != c.second {
				t.Errorf("%s: alarms %v", c.what, of)
			}
		}
	}
}

// TestAnEndpointThatCannotSayHowFarItIs: it has no say, and a person is told, unless nobody waits
// for the answer any more.
func TestAnEndpointThatCannotSayHowFarItIs(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	for _, c := range []struct {
		what   string
		ctx    context.Context
		fails  error
		alarms string
		alone  bool
	}{
		{"it refuses", t.Context(), errNo, "Refusing", true},
		{"it is down", t.Context(), errAway, "Unreachable", true},
		{"it is asked in vain", ctx, errNo, "", false},
	} {
		client, rung := script(func(endpoint, method string, _ []json.RawMessage) (any, error) {
			switch {
			case method != "eth_getBlockByNumber":
				return nil, nil
			case endpoint == one:
				return told(line(10)), nil
			case c.ctx == ctx:
				stop()
			}
			return nil, c.fails
		}).dial(t, Config{})
		h, err := client.heads(c.ctx, client.first)
		if got := faults(rung.take()); err != nil || h.other != nil || h.newest != line(10) || got != c.alarms || client.Alone() != c.alone {
			t.Errorf("%s: %+v, %v, alarms %q, alone %t", c.what, h, err, got, client.Alone())
		}
	}
}

// TestABlockIsWhatBothHave: a block at which both endpoints are is the same at both; one that is
// down has no say from then on.
func TestABlockIsWhatBothHave(t *testing.T) {
	other := line(5)
	other.Hash[0] = 1
	for _, c := range []struct {
		what  string
		own   any
		says  any
		fails error
		err   error
		alone bool
	}{
		{"the same", told(line(5)), told(line(5)), nil, nil, false}, {"another", told(line(5)), told(other), nil, new(Lying), false},
		{"none", told(line(5)), nil, nil, ErrUnknownBlock, false}, {"this one has none", nil, told(line(5)), nil, ErrUnknownBlock, false},
		{"it refuses", told(line(5)), nil, errNo, errNo, false}, {"it is down", told(line(5)), nil, errAway, nil, true},
	} {
		client, _ := script(func(endpoint, method string, params []json.RawMessage) (any, error) {
			if method != "eth_getBlockByNumber" {
				return nil, nil
			}
			if _, given := asked(t, params); given && endpoint == two {
				return c.says, c.fails
			} else if given {
				return c.own, nil
			}
			return told(line(10)), nil
		}).dial(t, Config{})
		block, err := client.At(t.Context(), 5)
		lying := new(Lying)
		switch {
		case c.err == nil && (err != nil || block != line(5)), c.err != nil && err == nil,
			errors.As(c.err, &lying) != errors.As(err, &lying), errors.Is(c.err, ErrUnknownBlock) != errors.Is(err, ErrUnknownBlock):
			t.Errorf("%s: %+v, %v", c.what, block, err)
		}
		h := heads{other: client.second}
		if _, _ = h.at(t.Context(), client.first, 5); (h.other == nil) != c.alone {
			t.Errorf("%s: alone %t", c.what, h.other == nil)
		}
	}
}

// TestAttack_RefusedRPC_Newest: where the first endpoint answers, and doesn't tell its newest
// block, the chain is followed at the second.
func TestAttack_RefusedRPC_Newest(t *testing.T) {
	client, rung := script(func(endpoint, method string, _ []json.RawMessage) (any, error) {
		switch {
		case method == "eth_getLogs":
			return []types.Log{}, nil
		case method != "eth_getBlockByNumber":
			return nil, nil
		case endpoint == one:
			return nil, errNo
		}
		return told(line(10)), nil
	}).dial(t, Config{})
	if head, err := client.Head(t.Context()); err != nil || head != line(10) {
		t.Errorf("the newest block is %+v, %v", head, err)
	}
	f, err := NewFollower(client, FollowConfig{From: 10, Decode: func(types.Log) (onchain.Event, error) { return nil, nil }})
	if err != nil {
		t.Fatal(err)
	}
	if b, err := f.Next(t.Context(), nil); err != nil || !b.Whole || b.Head != line(10) {
		t.Errorf("followed to %+v, %v", b.Reach, err)
	}
	if got := faults(rung.take()); got != "Refusing" || !client.Alone() || client.Two() {
		t.Errorf("alarms %q, alone: %t", got, client.Alone())
	}
}
