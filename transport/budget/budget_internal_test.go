package budget

import (
	"errors"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
)

// glass is a clock that a test sets.
type glass struct{ now time.Time }

func (g *glass) read() time.Time { return g.now }

func start() *glass { return &glass{time.Unix(1000, 0)} }

func stranger(a byte, group string) Who { return Who{Account: common.Address{a}, Group: group} }

// uses counts how often somebody may.
func uses(b *Budget, who Who) (n int) {
	for n < 1000 && b.Allow(who) {
		n++
	}
	return n
}

// TestShares: each share bounds those that it is of, and none of strangers bounds people with open
// channels.
func TestShares(t *testing.T) {
	clock := start()
	b := New(clock.read, Limit{Account: Rate(3, time.Minute), Group: Rate(4, time.Minute), Total: Rate(6, time.Minute), Friend: Rate(5, time.Minute), Friends: Rate(8, time.Minute)})
	for i, c := range []struct {
		who  Who
		want int
	}{
		{stranger(1, "a"), 3},
		{stranger(2, "a"), 1}, // the address has used up its own
		{stranger(3, "b"), 2}, // all strangers have
		{stranger(4, ""), 0},
		{Who{Account: common.Address{5}, Friend: true}, 5},
		{Who{Account: common.Address{6}, Friend: true}, 3},
	} {
		if got := uses(b, c.who); got != c.want {
			t.Errorf("%d: %d times, want %d", i, got, c.want)
		}
	}
	clock.now = clock.now.Add(2 * time.Minute)
	if got := uses(b, stranger(1, "a")); got != 2 {
		t.Errorf("after two minutes: %d times", got)
	}
	if b.Refused() != 7 {
		t.Errorf("refused %d times", b.Refused())
	}
}

// TestNothingIsUsedByWhatIsRefused: a share is not charged for what another one refuses.
func TestNothingIsUsedByWhatIsRefused(t *testing.T) {
	b := New(start().read, Limit{Account: Rate(9, time.Minute), Total: Rate(4, time.Minute)})
	var spent *Spent
	if err := b.Spend(stranger(1, ""), 5); !errors.As(err, &spent) || spent.Again != 0 || strings.Contains(spent.Error(), "again") {
		t.Errorf("five of four: %v", err)
	}
	if err := b.Spend(stranger(1, ""), 4); err != nil {
		t.Error(err)
	}
}

// TestSpentSaysWhen: whoever is refused learns when there is room again, and there is.
func TestSpentSaysWhen(t *testing.T) {
	clock := start()
	b := New(clock.read, Limit{Name: "x", Account: Rate(2, 10*time.Second)})
	if err := b.Spend(stranger(1, ""), 2); err != nil {
		t.Fatal(err)
	}
	var spent *Spent
	if err := b.Spend(stranger(1, ""), 2); !errors.As(err, &spent) || spent.Again != 20*time.Second {
		t.Fatalf("a whole burst: %v", err)
	}
	clock.now = clock.now.Add(4 * time.Second)
	if err := b.Spend(stranger(1, ""), 1); !errors.As(err, &spent) || !errors.Is(err, ErrSpent) || spent.Again != 6*time.Second {
		t.Fatalf("%v", err)
	}
	clock.now = clock.now.Add(spent.Again - 1)
	if b.Allow(stranger(1, "")) {
		t.Error("earlier than it said")
	}
	clock.now = clock.now.Add(1)
	if !b.Allow(stranger(1, "")) {
		t.Error("not when it said")
	}
}

// TestPlaces: a place is free again when it is returned, once, and not by time.
func TestPlaces(t *testing.T) {
	clock := start()
	b := New(clock.read, Limit{Account: Places(1), Total: Places(2)})
	release, err := b.Take(stranger(1, ""))
	if err != nil {
		t.Fatal(err)
	}
	clock.now = clock.now.Add(time.Hour)
	if _, err := b.Take(stranger(1, "")); err == nil {
		t.Error("two places of one account")
	}
	if _, err := b.Take(stranger(2, "")); err != nil {
		t.Error(err)
	}
	if _, err := b.Take(stranger(3, "")); err == nil {
		t.Error("three places of two")
	}
	release()
	release()
	if _, err := b.Take(stranger(3, "")); err != nil {
		t.Error(err)
	}
	if _, err := b.Take(stranger(4, "")); err == nil {
		t.Error("a place was given back twice")
	}
}

// TestClockThatIsSet: a clock that is set back stops nobody, and one that is set forward grants no
// more than a burst.
func TestClockThatIsSet(t *testing.T) {
	clock := start()
	b := New(clock.read, Limit{Account: Rate(2, time.Minute)})
	uses(b, stranger(1, ""))
	clock.now = clock.now.Add(-24 * time.Hour)
	if b.Allow(stranger(1, "")) {
		t.Error("setting the clock back gives something back")
	}
	clock.now = clock.now.Add(time.Minute)
	if got := uses(b, stranger(1, "")); got != 1 {
		t.Errorf("a minute after the clock was set back: %d", got)
	}
	clock.now = clock.now.Add(1000 * time.Hour)
	if got := uses(b, stranger(1, "")); got != 2 {
		t.Errorf("after a long time: %d", got)
	}
}

// TestAttack_Sybil: however many accounts come, a budget remembers a bounded number, and no more is
// allowed to all of them than to all strangers. Whom it has no room for shares one bucket; it makes
// room as soon as others' are unused.
func TestAttack_Sybil_Budget(t *testing.T) {
	clock := start()
	b := New(clock.read, Limit{Account: Rate(2, time.Hour), Group: Rate(2, time.Hour)})
	for i := range 3 * maxRemembered {
		b.Allow(Who{Account: common.Address{1, byte(i), byte(i >> 8)}, Group: string([]byte{byte(i), byte(i >> 8)})})
	}
	if len(b.accounts.of) > maxRemembered || len(b.groups.of) > maxRemembered {
		t.Errorf("%d accounts and %d addresses are remembered", len(b.accounts.of), len(b.groups.of))
	}
	if uses(b, stranger(9, "")) != 0 {
		t.Error("whom there is no room for has a share of its own")
	}
	clock.now = clock.now.Add(3 * time.Hour)
	if got := uses(b, stranger(9, "")); got != 2 {
		t.Errorf("%d times when others are forgotten", got)
	}
}

// TestSweep: a full shelf looks for unused buckets once in a while, also when its clock was set
// back; one that is not full does not.
func TestSweep(t *testing.T) {
	s := shelf[int]{share: Rate(1, time.Minute)}
	owns := func(key int, now time.Duration) bool { return s.at(key, now) != &s.rest }
	for key := range maxRemembered - 1 {
		s.at(key, 0)
	}
	if owns(-1, 0); len(s.of) != maxRemembered || s.swept != 0 {
		t.Fatalf("%d are remembered, swept at %s", len(s.of), s.swept)
	}
	use := func() {
		for _, b := range s.of {
			b.used = 1
		}
	}
	use()
	if owns(-2, sweepEvery) || s.swept != sweepEvery {
		t.Fatalf("swept at %s", s.swept)
	}
	if owns(-2, 2*time.Minute); s.swept != 2*time.Minute || len(s.of) != 1 {
		t.Fatalf("%d are remembered, swept at %s", len(s.of), s.swept)
	}
	for key := range maxRemembered - 1 {
		s.at(key, 2*time.Minute)
	}
	if owns(-3, 2*time.Minute) || owns(-3, 2*time.Minute+sweepEvery-1) {
		t.Error("swept too often")
	}
	if !owns(-3, time.Minute) {
		t.Error("not swept after the clock was set back")
	}
}

// TestNone: a share of nothing refuses at once.
func TestNone(t *testing.T) {
	b := New(start().read, Limit{Account: None, Friend: Rate(1, time.Minute)})
	if n := uses(b, stranger(1, "")); n != 0 {
		t.Errorf("a stranger: %d times", n)
	}
	if n := uses(b, Who{Friend: true}); n != 1 {
		t.Errorf("a friend: %d times", n)
	}
}

func TestGroup(t *testing.T) {
	for addr, want := range map[string]string{
		"192.0.2.7": "192.0.2.0/24", "::ffff:192.0.2.7": "192.0.2.0/24", "2001:db8:1:2ff::1": "2001:db8:1::/48",
		"127.0.0.1": "", "::1": "",
	} {
		if got := Group(netip.MustParseAddr(addr)); got != want {
			t.Errorf("%s: %q, want %q", addr, got, want)
		}
	}
	if Group(netip.Addr{}) != "" {
		t.Error("no address has a group")
	}
}
