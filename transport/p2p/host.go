// Package p2p is the transport over libp2p: QUIC and TCP, streams encrypted and authenticated by
// libp2p, accounts proved by PeerBinding. Package transport says what it promises, docs/operate.md
// what operators need to know.
//
// A Host has one stream per pair of accounts, opened by whoever dials, on which both send; when
// both dial at once there are two, and messages may then overtake each other. It keeps no global
// state: two hosts in one process know nothing of each other. Times are real, but for the expiry of
// proofs, which Config.Now decides.
package p2p

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"sync"
	"time"

	"github.com/libp2p/go-libp2p"
	"github.com/libp2p/go-libp2p/core/host"
	"github.com/libp2p/go-libp2p/core/network"
	"github.com/libp2p/go-libp2p/core/peer"
	libprotocol "github.com/libp2p/go-libp2p/core/protocol"
	libtransport "github.com/libp2p/go-libp2p/core/transport"
	"github.com/libp2p/go-libp2p/p2p/net/connmgr"
	"github.com/libp2p/go-libp2p/p2p/protocol/holepunch"
	libp2pquic "github.com/libp2p/go-libp2p/p2p/transport/quic"
	"github.com/libp2p/go-libp2p/p2p/transport/tcp"
	manet "github.com/multiformats/go-multiaddr/net"

	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/transport"
	"github.com/ante-games/ante/transport/budget"
)

// Config says who a host is and where it listens. Identity, Signer, Domain and Handler are
// required.
type Config struct {
	// what libp2p knows it by; keep it, or addresses given out are worth nothing
	Identity Identity
	// the account that it proves to its peers, or its deputy: see transport.Envoy
	Signer  protocol.Signer
	Domain  protocol.Domain // the chain and Arena; peers of others are refused
	Handler transport.Handler
	Listen  []string // multiaddrs; none: Loopback(0)
	MDNS    bool     // announce itself on the local network, and connect to who else does
	Relays  []string // addresses of nodes that pass on what others say to us; see transport.RelayWatcher
	// MayRelay are addresses of nodes that may do so: what they don't is no loss.
	MayRelay []string
	Relay    bool // pass on what others say to each other, within Limits
	// Lobbies are addresses at which to begin when others are looked for, see Host.Lobbies.
	Lobbies     []string
	FindLobbies bool
	Lobby       bool             // be found by those who look for lobbies
	Limits      Limits           // zero fields: defaults
	Now         func() time.Time // for the expiry of proofs; nil: time.Now
	Log         *slog.Logger     // nil: silent

	options []libp2p.Option // for tests over simulated links
}

// Host is a node's place in the network. It is safe for concurrent use.
type Host struct {
	cfg       Config
	host      host.Host
	protocol  libprotocol.ID
	finder    io.Closer // mDNS, or nil
	gate      *gate
	relays    *relays
	passing   *passing   // what it does as a relay, or nil
	service   io.Closer  // that of libp2p, or nil
	directory *directory // of lobbies, or nil

	ctx     context.Context // ends with Close
	cancel  context.CancelFunc
	running sync.WaitGroup

	mu       sync.Mutex
	closed   bool
	accounts accounts
	signed   signed
	banned   map[peer.ID]time.Time    // until when
	entering map[manet.Conn]time.Time // TCP connections whose encryption isn't agreed on yet
	shaking  map[*session]struct{}    // handshakes with peers that aren't kept
	proofs   *budget.Budget           // what they cost
	read     *readings                // what is read of accounts that aren't kept
	arrivals *readings                // how often accounts connect
	retrying chan struct{}            // a token for each account that is dialled again
	friendly chan struct{}            // the same, for friends
	lines    *budget.Budget           // what the log has of them
}

// New starts a host. Errors say which address can't be listened on, or what the configuration
// lacks.
func New(cfg Config) (*Host, error) {
	if cfg.Signer == nil || cfg.Handler == nil {
		return nil, errors.New("p2p: Config needs a Signer and a Handler")
	}
	cfg = cfg.withDefaults()
	h := &Host{
		cfg: cfg, protocol: protocolID(cfg.Domain),
		banned: map[peer.ID]time.Time{}, entering: map[manet.Conn]time.Time{}, shaking: map[*session]struct{}{}, accounts: accounts{},
		signed: signed{since: uint64(cfg.Now().Unix())},
		read:   newReadings(time.Now, cfg.Limits.reading()), arrivals: newReadings(time.Now, arrivalLimit),
		retrying: make(chan struct{}, retries), friendly: make(chan struct{}, retries),
		lines: budget.New(time.Now, logLimit), proofs: budget.New(time.Now, proofLimit), relays: newRelays(len(cfg.Relays) != 0),
	}
	h.gate = newGate(h)
	h.ctx, h.cancel = context.WithCancel(context.Background())
	var err error
	if h.host, err = h.newHost(); err != nil {
		h.cancel()
		return nil, err
	}
	if err := h.start(); err != nil {
		return nil, errors.Join(err, h.Close())
	}
	return h, nil
}

func (cfg Config) withDefaults() Config {
	cfg.Limits = cfg.Limits.withDefaults()
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	if len(cfg.Listen) == 0 {
		cfg.Listen = Loopback(0)
	}
	return cfg
}

// newHost returns the host of libp2p, which listens nowhere yet.
func (h *Host) newHost() (host.Host, error) {
	key, err := h.cfg.Identity.key()
	if err != nil {
		return nil, err
	}
	limits := h.cfg.Limits
	resources, err := limits.resourceManager()
	if err != nil {
		return nil, fmt.Errorf("p2p: limits: %w", err)
	}
	// Above three quarters of the connections, libp2p closes those of the least use down to a half.
	// Kept ones and friends are spared.
	connections, err := connmgr.NewConnManager(limits.Connections/2, limits.Connections*3/4, connmgr.WithGracePeriod(limits.Handshake))
	if err != nil {
		return nil, errors.Join(fmt.Errorf("p2p: limits: %w", err), resources.Close())
	}
	lower, err := libp2p.New(append([]libp2p.Option{
		libp2p.Identity(key),
		libp2p.NoListenAddrs,
		// else two nodes could share a port, and each get half its peers
		libp2p.Transport(func(u libtransport.Upgrader, m network.ResourceManager) (*tcp.TcpTransport, error) {
			return tcp.NewTCPTransport(entrance{u, h}, m, nil, tcp.DisableReuseport())
		}),
		libp2p.Transport(libp2pquic.NewTransport),
		libp2p.ResourceManager(&streams{resources, h, budget.New(time.Now, streamLimit), budget.New(time.Now, limits.entering())}),
		libp2p.ConnectionManager(connections),
		libp2p.UserAgent("ante"),
		libp2p.DisableMetrics(),
		libp2p.EnableRelay(),
		libp2p.EnableHolePunching(holepunch.DirectDialTimeout(punchTime)),
		libp2p.EnableAutoNATv2(),
		libp2p.ForceReachabilityPrivate(), // which AutoNAT v1 would find out
		libp2p.AddrsFactory(h.relays.addTo),
		libp2p.ConnectionGater(h.gate),
		libp2p.Ping(false),
	}, h.cfg.options...)...)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("p2p: starting libp2p: %w", err), connections.Close(), resources.Close())
	}
	return lower, nil
}

// start has the host serve, listen and look for others.
func (h *Host) start() error {
	h.relays.awaitPunching(h.host)
	if err := h.relay(); err != nil {
		return err
	}
	h.host.SetStreamHandler(h.protocol, h.accept)
	h.host.Network().Notify(&network.NotifyBundle{ConnectedF: h.thin})
	h.host.Network().Notify(&network.NotifyBundle{ConnectedF: h.straighten, DisconnectedF: h.parted})
	h.running.Go(h.sweep)
	if err := listen(h.host, h.cfg.Listen); err != nil {
		return err
	}
	err := errors.Join(h.reserveAll(), h.joinDirectory())
	if err == nil && h.cfg.MDNS {
		h.finder, err = h.announce()
	}
	return err
}

// protocolID names the protocol, and with it the chain and Arena, so that nodes of different ones
// part at once and in plain words.
func protocolID(d protocol.Domain) libprotocol.ID {
	return libprotocol.ID(fmt.Sprintf("/ante/1/%d/%s", d.ChainID, d.Arena))
}

// Addresses returns the multiaddrs at which the host can be reached, ending in its peer id.
func (h *Host) Addresses() []string {
	return fullAddresses(peer.AddrInfo{ID: h.host.ID(), Addrs: h.host.Addrs()})
}

// Close ends every stream and waits for the handler's calls. Messages that are queued may be lost.
// Calling it again does nothing.
func (h *Host) Close() error {
	h.mu.Lock()
	if h.closed {
		h.mu.Unlock()
		h.running.Wait()
		return nil
	}
	h.closed = true
	for _, a := range h.accounts {
		a.end(transport.ErrClosed)
	}
	h.mu.Unlock()
	h.cancel()
	h.host.RemoveStreamHandler(h.protocol)
	var err error
	if h.directory != nil {
		err = h.directory.Close()
	}
	for _, part := range []io.Closer{h.finder, h.service} {
		if part != nil {
			err = errors.Join(err, part.Close())
		}
	}
	err = errors.Join(err, h.host.Close())
	h.running.Wait()
	return err
}
