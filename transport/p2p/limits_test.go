package p2p

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/ante-games/ante/transport/budget"
	"github.com/ante-games/ante/transport/wire"
)

var update = flag.Bool("update", false, "write limits.txt anew")

// TestLimitsAreCurrent holds the table of limits in limits.txt to the code. Run with -update to
// write it anew.
func TestLimitsAreCurrent(t *testing.T) {
	const file = "limits.txt"
	want := written(Limits{}.withDefaults())
	if *update {
		if err := os.WriteFile(file, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := os.ReadFile(file); err != nil || string(got) != want {
		t.Errorf("%s is not what the code says (%v): run with -update and look at the difference", file, err)
	}
}

// written is the limits in Markdown, except those that are budgets.
func written(l Limits) string {
	var out strings.Builder
	out.WriteString("The limits of a host that are no budgets; internal/repository/budgets.txt has those.\n\n")
	out.WriteString("what | default\n---|---\n")
	row := func(what, format string, args ...any) {
		fmt.Fprintf(&out, "%s | %s\n", what, fmt.Sprintf(format, args...))
	}
	row("a message", "%s, %s fields; unknown fields, fields given twice and numbers out of range are refused", size(wire.MaxMessage), number(wire.MaxFields))
	row("a handshake message", "%s bytes; %s for the whole handshake", number(wire.MaxHandshake), span(l.Handshake))
	row("a message that has begun", "%s to arrive, or to be written", span(l.Message))
	row("connections", "%d, of them %d that others dialled; %d with one IPv4 address or IPv6 /%d, %d with one IPv4 /%d or IPv6 /%d (this machine's own "+
		"excepted); %d new one a second from each address, after a burst of %d", l.Connections, l.inbound(), l.ConnectionsPerIP, addressBits6,
		2*l.ConnectionsPerIP, budget.GroupBits4, budget.GroupBits6, newPerSecond, 2*l.ConnectionsPerIP)
	row("per peer", "%d connections, %d streams, %s of stream buffers; %s for all", connectionsPerPeer, streamsPerPeer, size(memoryPerPeer), size(l.Memory))
	row("waiting to be written to one peer", "%d messages or %s; more is refused with an error", l.QueueMessages, size(l.QueueBytes))
	row("from one peer", "%s messages and %s a second, twice that in a burst; above, it waits; above for %s, it is cut off",
		number(l.MessagesPerSecond), size(l.BytesPerSecond), span(l.Flood))
	row("a connection that a relay makes", "%s in each direction, %s; a peer has %d at once", size(l.CircuitBytes), span(l.CircuitTime), circuitsPerPeer)
	row("strangers", "disconnected after %s of silence; after %s when a newcomer finds no place", span(l.Idle), span(l.guests().rest))
	row("bans", "the newest %s, each for %s", number(maxBanned), span(l.Ban))
	row("reaching a peer", "%s; tried again after %s, then ever later, up to %s; %d friends and %d others at once", span(l.Dial), span(l.RetryMin), span(l.RetryMax), retries, retries)
	return out.String()
}

// number writes thousands apart.
func number(n int) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// size writes a number of bytes in the largest unit that it is whole in.
func size(n int) string {
	for _, u := range []struct {
		shift int
		name  string
	}{{20, "MiB"}, {10, "KiB"}} {
		if n>>u.shift<<u.shift == n {
			return fmt.Sprintf("%d %s", n>>u.shift, u.name)
		}
	}
	return number(n) + " bytes"
}

// span writes a time without the units that are zero.
func span(d time.Duration) string {
	s := d.String()
	for _, zero := range []string{"m0s", "h0m"} {
		s = strings.Replace(s, zero, zero[:1], 1)
	}
	return s
}
