package cli

import (
	"testing"
	"time"

	antev1 "github.com/ante-games/ante/proto/ante/v1"
)

// TestTimeLeft: who is waited for is named, with the time left, what follows then and its cost.
func TestTimeLeft(t *testing.T) {
	now := time.Unix(1000, 0)
	planned := []*antev1.PlannedTransaction{{Fee: "400000000000000"}}
	match := func(change func(m *antev1.Match)) *antev1.Match {
		m := &antev1.Match{Seat: 0, Mover: 1, Seats: []uint32{0, 1}, Players: []*antev1.Person{{Mine: true}, {Name: "bob"}}}
		change(m)
		return m
	}
	for name, c := range map[string]struct {
		m     *antev1.Match
		chain arenaClock
		want  string
	}{
		"nothing runs": {match(func(*antev1.Match) {}), arenaClock{}, ""},
		"away": {
			match(func(m *antev1.Match) {
				m.Waiting = &antev1.Waiting{Seats: []uint32{1}, Until: 1192, Planned: planned, Fee: "400000000000000", Window: 20}
			}),
			arenaClock{100, "blocks"},
			"bob is away: the clock on the chain starts in 3:12, and that will cost you about 0.0004 eth; then 20 blocks to answer",
		},
		"silent": {
			match(func(m *antev1.Match) {
				m.Players[1].Connected = true
				m.Waiting = &antev1.Waiting{Seats: []uint32{1}, Until: 999, Planned: planned, Window: 1}
			}),
			arenaClock{100, "blocks"}, "waiting for bob: the clock on the chain starts now; then 1 block to answer",
		},
		"not worth it": {
			match(func(m *antev1.Match) {
				m.Waiting = &antev1.Waiting{Seats: []uint32{1}, Until: 2000, Text: "it costs more\nthan it saves"}
			}),
			arenaClock{}, "bob is away: it costs more?than it saves",
		},
		"a block": {match(func(m *antev1.Match) { m.Waiting = &antev1.Waiting{Text: "waits for block 120"} }), arenaClock{100, "blocks"}, "waits for block 120"},
		"three": {
			match(func(m *antev1.Match) {
				m.Seats, m.Players = append(m.Seats, 2), append(m.Players, &antev1.Person{Account: "0x0123456789abcdef"})
				m.Waiting = &antev1.Waiting{Seats: []uint32{1, 2}, Until: 5000, Planned: planned}
			}),
			arenaClock{}, "waiting for bob, 0x01234567: the clock on the chain starts in 1:06:40",
		},
		"blocks":  {match(func(m *antev1.Match) { m.Deadline = 101 }), arenaClock{100, "blocks"}, "the clock of bob runs on the chain: 1 block left"},
		"seconds": {match(func(m *antev1.Match) { m.Deadline, m.Mover = 175, 0 }), arenaClock{100, "seconds"}, "your clock runs on the chain: 1:15 left"},
		"late":    {match(func(m *antev1.Match) { m.Deadline = 100 }), arenaClock{100, "blocks"}, "the clock of bob runs on the chain: it is over"},
		"unknown": {match(func(m *antev1.Match) { m.Deadline = 100 }), arenaClock{}, "the clock of bob runs on the chain: until 100"},
		"ended":   {match(func(m *antev1.Match) { m.Deadline, m.Status = 100, antev1.MatchStatus_MATCH_STATUS_OVER }), arenaClock{}, ""},
	} {
		if got := new(remote).clock(c.m, now, c.chain); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// TestWaitsForABlock: a match that waits for a block says so in its status, where the player can do
// nothing.
func TestWaitsForABlock(t *testing.T) {
	m := &antev1.Match{Status: antev1.MatchStatus_MATCH_STATUS_RUNNING, Bot: true, Waiting: &antev1.Waiting{Text: "waits for block 120"}}
	if got := matchStatus(m); got != "running, waits for block 120" {
		t.Errorf("%q", got)
	}
	m.YourTurn = true
	if got := matchStatus(m); got != "running, your turn" {
		t.Errorf("%q", got)
	}
	m.YourTurn, m.Bot, m.Waiting.Seats = false, false, []uint32{1}
	if got := matchStatus(m); got != "running" {
		t.Errorf("%q", got)
	}
}

// TestThinks: who is there and has not thought for long is not told to be late.
func TestThinks(t *testing.T) {
	now := time.Unix(1000, 0)
	for name, c := range map[string]struct {
		since, until int64
		away         bool
		clock        uint64
		want         bool
	}{
		"just now": {999, 1299, false, 0, true}, "for long": {980, 1280, false, 0, false}, "away": {999, 1299, true, 0, false},
		"little patience": {995, 1005, false, 0, false}, "a clock runs": {999, 1299, false, 1100, false},
	} {
		m := &antev1.Match{Seats: []uint32{0, 1}, Players: []*antev1.Person{{Mine: true}, {Name: "bob", Connected: !c.away}}, Mover: 1, Deadline: c.clock,
			Waiting: &antev1.Waiting{Seats: []uint32{1}, Since: c.since, Until: c.until}}
		if got := thinks(m, now); got != c.want {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
	if thinks(new(antev1.Match), now) {
		t.Error("a match that waits for nobody")
	}
}

func TestFold(t *testing.T) {
	if got, want := fold("a  b\none two three\n", 9), "a  b\none two\nthree\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestWrapped(t *testing.T) {
	if got := wrapped("one two three", 7); len(got) != 2 || got[0] != "one two" || got[1] != "three" {
		t.Errorf("%q", got)
	}
}
