package p2p

import (
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"slices"
	"time"

	dht "github.com/libp2p/go-libp2p-kad-dht"
	"github.com/libp2p/go-libp2p/core/host"
	"github.com/libp2p/go-libp2p/core/network"
	"github.com/libp2p/go-libp2p/core/peer"
	libprotocol "github.com/libp2p/go-libp2p/core/protocol"
	"github.com/multiformats/go-multiaddr"

	"github.com/ante-games/ante/transport/budget"
)

const (
	// maxQuestion is how many bytes of questions a lobby reads on one stream.
	maxQuestion = 16 << 10
	// questionTime is how long it does so.
	questionTime = 10 * time.Second
)

// questionLimit bounds what others may ask the directory of a lobby at once.
var questionLimit = budget.Limit{Name: "p2p/directory", Counts: "streams on which lobbies' whereabouts are asked for, each for 10 s and 16 KiB",
	Account: budget.Places(2), Group: budget.Places(8), Total: budget.Places(32), Friend: budget.Places(2), Friends: budget.Places(32)}

// directory is a Kademlia table of the lobbies of one chain and Arena. Only lobbies answer, and it
// stores nothing: to be in it is to be a lobby, or to say so.
type directory struct {
	host.Host
	of        *Host
	seeds     map[peer.ID]bool
	questions *budget.Budget
	table     *dht.IpfsDHT
}

// joinDirectory begins to find lobbies through those that are known, and to be found if this host
// is one.
func (h *Host) joinDirectory() error {
	if !h.cfg.Lobby && !h.cfg.FindLobbies {
		return nil
	}
	seeds, err := h.parseAddresses(h.cfg.Lobbies[:min(len(h.cfg.Lobbies), maxAddresses)])
	if err != nil {
		return fmt.Errorf("p2p: lobbies: %w", err)
	}
	d := &directory{Host: h.host, of: h, seeds: map[peer.ID]bool{}, questions: budget.New(time.Now, questionLimit)}
	for _, s := range seeds {
		d.seeds[s.ID] = true
	}
	mode := dht.ModeClient
	if h.cfg.Lobby {
		mode = dht.ModeServer
	}
	d.table, err = dht.New(d, dht.Mode(mode), dht.ProtocolPrefix(h.protocol+"/lobbies"), dht.DisableValues(), dht.DisableProviders(),
		dht.BootstrapPeers(seeds...))
	if err != nil {
		return fmt.Errorf("p2p: directory of lobbies: %w", err)
	}
	h.directory = d
	return d.table.Bootstrap(h.ctx)
}

// Lobbies returns one address of each node that claims to be a lobby near a random place in the
// directory. Anybody can be there: trust nothing.
func (h *Host) Lobbies(ctx context.Context) ([]string, error) {
	if h.directory == nil {
		return nil, nil
	}
	place := make([]byte, 32)
	_, _ = rand.Read(place) // never fails
	found, err := h.directory.table.GetClosestPeers(ctx, string(place))
	if err != nil {
		return nil, fmt.Errorf("find lobbies: %w", err)
	}
	var list []string
	for _, p := range found {
		at := slices.DeleteFunc(h.host.Peerstore().Addrs(p), func(a multiaddr.Multiaddr) bool { return !h.gate.harmless(a) })
		if p == h.host.ID() || len(at) == 0 {
			continue
		}
		h.host.Peerstore().ClearAddrs(p) // of those in our own network, say
		// none where who told of it named what is no peer's id
		if full := fullAddresses(peer.AddrInfo{ID: p, Addrs: at}); len(full) > 0 {
			list = append(list, full[0])
		}
	}
	return list, nil
}

// Connect dials the lobbies that the user named wherever they are, and others as gate lets it.
func (d *directory) Connect(ctx context.Context, to peer.AddrInfo) error {
	if d.seeds[to.ID] {
		d.of.gate.seek(to.ID, to.Addrs...)
	}
	return d.Host.Connect(ctx, to)
}

// SetStreamHandler bounds what others ask.
func (d *directory) SetStreamHandler(id libprotocol.ID, answer network.StreamHandler) {
	d.Host.SetStreamHandler(id, func(s network.Stream) {
		release, err := d.questions.Take(d.of.who(s.Conn().RemotePeer(), s.Conn().RemoteMultiaddr()))
		if err != nil {
			_ = s.ResetWithError(codeNoRoom)
			return
		}
		defer release()
		late := time.AfterFunc(questionTime, func() { _ = s.Reset() })
		defer late.Stop()
		answer(question{s, io.LimitReader(s, maxQuestion)})
	})
}

// question is a stream of which only so much is read.
type question struct {
	network.Stream
	part io.Reader
}

func (q question) Read(b []byte) (int, error) { return q.part.Read(b) }

// Close leaves the directory.
func (d *directory) Close() error { return d.table.Close() }
