package chain

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
)

var errNo = errors.New("no")

// faults names the kinds of the alarms that rang, and those that are over.
func faults(list []Alarm) string {
	var names []string
	for _, a := range list {
		name := strings.TrimPrefix(fmt.Sprintf("%T", a.Fault), "*chain.")
		if a.Over {
			name += " over"
		}
		names = append(names, name)
	}
	return strings.Join(names, ", ")
}

// TestABlockHasLeftTheChainIfBothSaySo: one endpoint says that a final block is gone. The other
// one's word counts, unless it is down, and a person is told of what is wrong with it.
func TestABlockHasLeftTheChainIfBothSaySo(t *testing.T) {
	var says any
	var fails error
	client, rung := script(func(_, method string, _ []json.RawMessage) (any, error) {
		if method != "eth_getBlockByNumber" {
			return nil, nil
		}
		return says, fails
	}).dial(t, Config{})
	same, another := line(5), line(5)
	another.Hash = common.Hash{1}
	for _, c := range []struct {
		what   string
		says   any
		fails  error
		gone   bool
		alarms string
	}{
		{"it has another one", told(another), nil, true, ""},
		{"it has it as well", told(same), nil, false, "Lying"},
		{"it has another one now", told(another), nil, true, "Lying over"},
		{"it has none yet", nil, nil, false, ""},
		{"it refuses", nil, errNo, false, "Refusing"},
		{"it is down", nil, errAway, true, "Unreachable"},
		{"it works again", told(another), nil, true, "Unreachable over, Refusing over"},
	} {
		says, fails = c.says, c.fails
		err := client.vouch(t.Context(), client.first, client.second, &same)
		if got := faults(rung.take()); (err == nil) != c.gone || got != c.alarms {
			t.Errorf("%s: %v, alarms %q, want %q", c.what, err, got, c.alarms)
		}
	}
	if err := client.vouch(t.Context(), client.first, nil, &same); err != nil {
		t.Errorf("there is no other one: %v", err)
	}
}

// TestWhatIsFinalIsWhatBothTell: of the blocks that one endpoint told, those are final that the
// other one has with the same logs. One that is down has no say; one that refuses has, and a person
// is told.
func TestWhatIsFinalIsWhatBothTell(t *testing.T) {
	arena := common.Address{7}
	var blocks []*followed
	for number := range uint64(4) {
		blocks = append(blocks, &followed{Block: line(10 + number), Digest: digest([]types.Log{logAt(arena, 10+number, 1)})})
	}
	var answers func(number uint64, method string) (any, error)
	client, rung := script(func(_, method string, params []json.RawMessage) (any, error) {
		switch method {
		case "eth_getBlockByNumber":
			number, _ := asked(t, params)
			return answers(number, method)
		case "eth_getLogs":
			var filter struct{ BlockHash common.Hash }
			if err := json.Unmarshal(params[0], &filter); err != nil {
				return nil, err
			}
			at := slices.IndexFunc(blocks, func(b *followed) bool { return b.Hash == filter.BlockHash })
			return answers(10+uint64(at), method) //nolint:gosec // it is one of them
		}
		return nil, nil
	}).dial(t, Config{})
	honest := func(number uint64, method string) (any, error) {
		if method == "eth_getLogs" {
			return []types.Log{logAt(arena, number, 1)}, nil
		}
		return told(line(number)), nil
	}
	// from makes what is answered for a block, and later ones, something else.
	from := func(first uint64, method string, answer any, err error) func(uint64, string) (any, error) {
		return func(number uint64, asked string) (any, error) {
			if asked == method && number >= first {
				return answer, err
			}
			return honest(number, asked)
		}
	}
	other := line(12)
	other.Hash = common.Hash{1}
	for _, c := range []struct {
		what    string
		answers func(uint64, string) (any, error)
		agreed  int
		alarms  string
	}{
		{"it tells the same", honest, 4, ""},
		{"it has another block", from(12, "eth_getBlockByNumber", told(other), nil), 2, "Lying"},
		{"it has no more", from(12, "eth_getBlockByNumber", nil, nil), 2, "Lying over"},
		{"it leaves a log out", from(13, "eth_getLogs", []types.Log{}, nil), 3, "Lying"},
		{"it refuses blocks", from(10, "eth_getBlockByNumber", nil, errNo), 0, "Refusing"},
		{"it refuses logs", from(10, "eth_getLogs", nil, errNo), 0, ""},
		{"it tells the same again", honest, 4, "Refusing over, Lying over"},
		{"it is down", from(10, "eth_getLogs", nil, errAway), 4, "Unreachable"},
	} {
		answers = c.answers
		agreed := client.witness(t.Context(), client.first, client.second, source{contract: arena}, blocks)
		if got := faults(rung.take()); agreed != c.agreed || got != c.alarms {
			t.Errorf("%s: %d blocks are final, want %d; alarms %q, want %q", c.what, agreed, c.agreed, got, c.alarms)
		}
	}
	answers = honest
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	answers = func(number uint64, method string) (any, error) { stop(); return honest(number, method) }
	if client.witness(ctx, client.first, client.second, source{contract: arena}, blocks); faults(rung.take()) != "" {
		t.Error("an alarm for what ended before it was answered")
	}
}

// TestARangeIsWhatBothTell: the same for a range of logs, of which the other endpoint may tell a
// part at a time.
func TestARangeIsWhatBothTell(t *testing.T) {
	arena := common.Address{7}
	var logs []types.Log
	for number := uint64(10); number < 20; number++ {
		logs = append(logs, logAt(arena, number, 1))
	}
	honest := func(first, last uint64) (any, error) {
		if last-first > 2 {
			return nil, errors.New("too many blocks")
		}
		return logs[first-10 : last-9], nil
	}
	var answers func(first, last uint64) (any, error)
	requests := 0
	client, rung := script(func(_, method string, params []json.RawMessage) (any, error) {
		if method != "eth_getLogs" {
			return nil, nil
		}
		requests++
		var filter struct{ FromBlock, ToBlock hexutil.Uint64 }
		if err := json.Unmarshal(params[0], &filter); err != nil {
			return nil, err
		}
		return answers(uint64(filter.FromBlock), uint64(filter.ToBlock))
	}).dial(t, Config{})
	invented := func(number uint64, index uint) func(first, last uint64) (any, error) {
		return func(first, last uint64) (any, error) {
			told, err := honest(first, last)
			if list, is := told.([]types.Log); is && first <= number && number <= last {
				told = slices.Insert(slices.Clone(list), int(number-first)+int(index)/2, logAt(arena, number, index)) //nolint:gosec // few
			}
			return told, err
		}
	}
	for _, c := range []struct {
		what    string
		answers func(first, last uint64) (any, error)
		end     uint64
		alarms  string
	}{
		{"it tells the same", honest, 20, ""},
		{"it leaves the last log out", func(first, last uint64) (any, error) {
			if last == 19 {
				return logs[first-10 : 9], nil
			}
			return honest(first, last)
		}, 19, "Lying"},
		{"it leaves out all but the last", func(first, last uint64) (any, error) {
			if last == 19 {
				return logs[9:], nil
			}
			return []types.Log{}, nil
		}, 10, ""},
		{"it invents a log", invented(15, 2), 15, "Lying over, Lying"},
		{"it invents one before all", invented(10, 0), 10, ""},
		{"it refuses", func(uint64, uint64) (any, error) { return nil, errNo }, 10, "Refusing"},
		{"it tells the same again", honest, 20, "Refusing over, Lying over"},
		{"it is down", func(uint64, uint64) (any, error) { return nil, errAway }, 20, "Unreachable"},
	} {
		answers = c.answers
		next := uint64(10)
		for next < 20 {
			end := client.witnessRange(t.Context(), client.first, client.second, source{contract: arena}, next, 19, logs[next-10:])
			if end == next {
				break
			}
			next = end
		}
		if got := faults(rung.take()); next != c.end || got != c.alarms {
			t.Errorf("%s: up to %d, want %d; alarms %q, want %q", c.what, next, c.end, got, c.alarms)
		}
	}
	if requests > 60 {
		t.Errorf("asked %d times", requests)
	}
	if end := client.witnessRange(t.Context(), client.first, nil, source{contract: arena}, 10, 19, logs); end != 20 {
		t.Errorf("there is no other one, and it disagrees at %d", end)
	}
}

// TestWhereLogsDiffer: at the first block of which one tells another log, or one more.
func TestWhereLogsDiffer(t *testing.T) {
	at := func(number uint64, index uint) types.Log { return logAt(arenaOfTwo, number, index) }
	moved := at(5, 2)
	moved.BlockNumber = 6
	own := []types.Log{at(3, 1), at(5, 1), at(5, 2)}
	for i, c := range []struct {
		theirs []types.Log
		want   uint64
	}{
		{own, 9}, {nil, 3}, {own[1:], 3}, {own[:2], 5}, {append(own[:3:3], at(8, 1)), 8},
		{[]types.Log{own[0], at(4, 1), own[1], own[2]}, 4}, {[]types.Log{own[0], own[1], moved}, 5}, {[]types.Log{own[0], at(5, 3)}, 5},
	} {
		if got := [2]uint64{differ(own, c.theirs, 9), differ(c.theirs, own, 9)}; got != [2]uint64{c.want, c.want} {
			t.Errorf("%d: %v, want %d", i, got, c.want)
		}
	}
}
