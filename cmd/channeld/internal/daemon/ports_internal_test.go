package daemon

import (
	"net"
	"slices"
	"testing"

	"github.com/ante-games/ante/store"
)

// TestPortsAreKept: a port that a node was given is its own at the next start, unless somebody else
// has it by then.
func TestPortsAreKept(t *testing.T) {
	s := store.NewMemory()
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	_, held, _ := net.SplitHostPort(taken.Addr().String())
	gone, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_, free, _ := net.SplitHostPort(gone.LocalAddr().String())
	if err := gone.Close(); err != nil {
		t.Fatal(err)
	}
	listen := []string{"/ip4/127.0.0.1/tcp/0", "/ip4/127.0.0.1/udp/0/quic-v1", "/ip4/127.0.0.1/tcp/4101"}
	first, err := keptPorts(s, listen)
	if err != nil || !slices.Equal(first, listen) {
		t.Errorf("at first it listens at %v, %v", first, err)
	}
	if err := keepPorts(s, listen, []string{"/ip4/192.0.2.1/udp/9/quic-v1/p2p/relay/p2p-circuit/p2p/me", "/ip6/::1/tcp/8", "/ip4/127.0.0.1/tcp/" + held + "/p2p/me",
		"/ip4/127.0.0.1/udp/" + free + "/quic-v1/p2p/me"}); err != nil {
		t.Fatal(err)
	}
	again, err := keptPorts(s, listen)
	if want := []string{listen[0], "/ip4/127.0.0.1/udp/" + free + "/quic-v1", listen[2]}; err != nil || !slices.Equal(again, want) {
		t.Errorf("it listens at %v, %v, want %v", again, err, want)
	}
}
