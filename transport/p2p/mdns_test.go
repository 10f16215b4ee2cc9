package p2p

import (
	"net"
	"testing"

	"github.com/ante-games/ante/transport/transporttest"
)

// Two nodes on one network find each other, and a kept account whose address nobody gave is
// reached.
func TestMDNS(t *testing.T) {
	if !multicast() {
		t.Skip("this machine is on no network that does multicast")
	}
	tb := &table{t: t, wake: make(chan struct{}, 1)}
	tb.seen, tb.heard = transporttest.NewRecorder(tb.wake), transporttest.NewRecorder(tb.wake)
	a := config(victimPlayer, tb.seen)
	a.MDNS, a.Listen = true, everywhere
	tb.victim = start(t, a)
	tb.must(tb.victim.Keep(player(friendPlayer).Address()))
	b := config(friendPlayer, tb.heard)
	b.MDNS, b.Listen = true, everywhere
	tb.friend = start(t, b)
	tb.must(tb.victim.Connect(t.Context(), player(friendPlayer).Address()))
	tb.await("both are told", func() bool {
		return tb.seen.Up(player(friendPlayer).Address()) && tb.heard.Up(player(victimPlayer).Address())
	})
	tb.talk()
}

func multicast() bool {
	list, err := net.Interfaces()
	if err != nil {
		return false
	}
	for _, i := range list {
		if i.Flags&net.FlagUp != 0 && i.Flags&net.FlagMulticast != 0 && i.Flags&net.FlagLoopback == 0 {
			return true
		}
	}
	return false
}
