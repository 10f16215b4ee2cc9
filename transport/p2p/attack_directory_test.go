package p2p

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"net"
	"slices"
	"strings"
	"testing"

	dhtpb "github.com/libp2p/go-libp2p-kad-dht/pb"
	"github.com/libp2p/go-libp2p/core/network"
	manet "github.com/multiformats/go-multiaddr/net"
	"google.golang.org/protobuf/encoding/protodelim"

	"github.com/ante-games/ante/transport/transporttest"
)

// distance is how far two names are from each other in the directory.
func distance(a, b string) []byte {
	x, y := sha256.Sum256([]byte(a)), sha256.Sum256([]byte(b))
	for i := range x {
		x[i] ^= y[i]
	}
	return x[:]
}

// Three lobbies tell of a fourth one, further away, whose name is no peer's and at whose address
// nobody says a word: who looks for lobbies finds the three.
func TestAttack_Garbage_Directory(t *testing.T) {
	silent, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	defer silent.Close()
	at, err := manet.FromNetAddr(silent.Addr())
	must(t, err)
	lobbies := []*mallory{newMallory(t, malloryPlayer), newMallory(t, malloryPlayer+1), newMallory(t, malloryPlayer+2)}
	further := func(place string) (name string) {
		for i := byte(1); ; i++ {
			name = string([]byte{i})
			if !slices.ContainsFunc(lobbies, func(m *mallory) bool {
				return bytes.Compare(distance(place, name), distance(place, string(m.host.ID()))) <= 0
			}) {
				return name
			}
		}
	}
	answer := func(s network.Stream) {
		defer s.Close()
		for in := bufio.NewReader(s); ; {
			var asked dhtpb.Message
			if err := protodelim.UnmarshalFrom(in, &asked); err != nil {
				return
			}
			told := &dhtpb.Message{Type: asked.GetType()}
			if asked.GetType() == dhtpb.Message_FIND_NODE {
				told.CloserPeers = []*dhtpb.Message_Peer{{Id: []byte(further(string(asked.GetKey()))), Addrs: [][]byte{at.Bytes()}}}
				for _, m := range lobbies {
					told.CloserPeers = append(told.CloserPeers, &dhtpb.Message_Peer{Id: []byte(m.host.ID()), Addrs: [][]byte{m.host.Addrs()[0].Bytes()}})
				}
			}
			if _, err := protodelim.MarshalTo(s, told); err != nil {
				return
			}
		}
	}
	for _, m := range lobbies {
		m.host.SetStreamHandler(protocolID(domain)+"/lobbies/kad/1.0.0", answer)
	}
	cfg := config(0, transporttest.NewRecorder(make(chan struct{}, 1)))
	cfg.FindLobbies, cfg.Lobbies = true, []string{lobbies[0].address()}
	victim := start(t, cfg)
	d := &detour{T: t, wake: make(chan struct{}, 1)}
	d.await("the three are found", func() bool {
		found, err := victim.Lobbies(t.Context())
		return err == nil && !slices.ContainsFunc(lobbies, func(m *mallory) bool {
			return !slices.ContainsFunc(found, func(a string) bool { return strings.HasSuffix(a, m.host.ID().String()) })
		})
	})
}
