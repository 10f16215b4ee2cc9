package p2p

import (
	"testing"

	"github.com/libp2p/go-libp2p/core/peer"
	"github.com/multiformats/go-multiaddr"
)

// Whoever asks to be met half-way names where. That is no way to look round the victim's network,
// nor to make it dial without end; and it takes nothing from those whom it keeps or wants to reach.
func TestAttack_ScannedNetwork(t *testing.T) {
	tb := newTable(t, Limits{}).meet()
	g := tb.victim.gate
	public, private := multiaddr.StringCast("/ip4/11.0.0.1/udp/4101/quic-v1"), multiaddr.StringCast("/ip4/192.168.0.1/tcp/22")
	g.sought = map[peer.ID]wish{} // it dialled the friend long ago
	for _, p := range []peer.ID{identity(malloryPlayer).PeerID(), tb.friend.host.ID()} {
		if g.InterceptAddrDial(p, private) {
			t.Errorf("%s made the victim dial %s", p, private)
		}
	}
	dialled := 0
	for i := range 1000 {
		if g.InterceptAddrDial(identity(malloryPlayer+i%40).PeerID(), public) {
			dialled++
		}
	}
	if most := punchLimit.Total.Burst + 10; dialled == 0 || dialled > most {
		t.Errorf("strangers made the victim dial %d times, want 1 to %d", dialled, most)
	}
	if !g.InterceptAddrDial(tb.friend.host.ID(), public) {
		t.Error("a friend is not met half-way, since strangers asked for so much")
	}
	g.seek(identity(malloryPlayer).PeerID())
	if !g.InterceptAddrDial(identity(malloryPlayer).PeerID(), private) {
		t.Error("whom the victim wants to reach is not dialled")
	}
}
