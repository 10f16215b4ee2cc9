package p2p

import (
	"cmp"
	"net/netip"
	"time"

	"github.com/libp2p/go-libp2p"
	"github.com/libp2p/go-libp2p/core/network"
	rcmgr "github.com/libp2p/go-libp2p/p2p/host/resource-manager"
	"github.com/libp2p/go-libp2p/x/rate"

	"github.com/ante-games/ante/transport/budget"
	"github.com/ante-games/ante/transport/wire"
)

// Limits are what others may use of a host. A zero field means its default. An operator with many
// players raises Connections, ConnectionsPerIP and Strangers. For groups see budget.Group.
type Limits struct {
	// libp2p connections at once; 512. Peers that dial us have at most three quarters of them
	Connections int
	// of them from one IPv4 address or IPv6 /56, loopback excepted; 32. A group has twice as many
	ConnectionsPerIP int
	Memory           int // bytes of stream buffers at once; 256 MiB
	// accounts that are not kept and dialled us; 128. A group has an eighth of them, a peer one
	Strangers int
	// handshakes at once with peers that are not kept; 32. A group has a quarter of them, a peer
	// two
	Handshakes int

	QueueMessages int // messages waiting to be written to one peer; 256
	QueueBytes    int // bytes of them; 2 MiB

	MessagesPerSecond int // from one peer; twice that in a burst; 20,000. Above, its messages wait
	BytesPerSecond    int // from one peer; twice that in a burst; 8 MiB. Above, its messages wait

	// What passes through this host if it is a relay.
	Reservations int           // nodes that are reached through it; 128. A group has an eighth of them
	Circuits     int           // connections that it makes a minute, twice that at once; 60
	CircuitBytes int           // that each carries in each direction; 1 MiB
	CircuitTime  time.Duration // that each lasts; 15 min

	// Reading is how many messages, and whole KiB of them, are read a second from all accounts that
	// aren't kept; 4,000. A group has a tenth of that, an account a twentieth.
	Reading int

	Handshake time.Duration // time for a handshake, and to open a stream; 10 s
	Message   time.Duration // time for a message that has begun to arrive or to be written; 10 s
	// how long a peer may send above its rate without a pause before it is cut off; 10 s
	Flood time.Duration
	Ban   time.Duration // how long a peer that was cut off is refused; 1 min
	Idle  time.Duration // silence after which a stranger is let go; 5 min
	Dial  time.Duration // time to reach a peer; 15 s
	// pause before a kept peer is dialled again; doubles up to RetryMax; 500 ms
	RetryMin time.Duration
	RetryMax time.Duration // 1 min
}

func (l Limits) withDefaults() Limits {
	l.Connections = cmp.Or(l.Connections, 512)
	l.ConnectionsPerIP = cmp.Or(l.ConnectionsPerIP, 32)
	l.Memory = cmp.Or(l.Memory, 256<<20)
	l.Strangers = cmp.Or(l.Strangers, 128)
	l.Handshakes = cmp.Or(l.Handshakes, 32)
	l.QueueMessages = cmp.Or(l.QueueMessages, 256)
	l.QueueBytes = cmp.Or(l.QueueBytes, 2<<20)
	l.MessagesPerSecond = cmp.Or(l.MessagesPerSecond, 20_000)
	l.BytesPerSecond = cmp.Or(l.BytesPerSecond, 8<<20)
	l.Reading = cmp.Or(l.Reading, 4000)
	l.Reservations = cmp.Or(l.Reservations, 128)
	l.Circuits = cmp.Or(l.Circuits, 60)
	l.CircuitBytes = cmp.Or(l.CircuitBytes, 1<<20)
	l.QueueBytes = max(l.QueueBytes, wire.MaxMessage+lengthBytes)
	l.BytesPerSecond = max(l.BytesPerSecond, wire.MaxMessage)
	l.Handshake = cmp.Or(l.Handshake, 10*time.Second)
	l.Message = cmp.Or(l.Message, 10*time.Second)
	l.Flood = cmp.Or(l.Flood, 10*time.Second)
	l.Ban = cmp.Or(l.Ban, time.Minute)
	l.Idle = cmp.Or(l.Idle, 5*time.Minute)
	l.Dial = cmp.Or(l.Dial, 15*time.Second)
	l.CircuitTime = cmp.Or(l.CircuitTime, 15*time.Minute)
	l.RetryMin = cmp.Or(l.RetryMin, 500*time.Millisecond)
	l.RetryMax = cmp.Or(l.RetryMax, time.Minute)
	return l
}

// lengthBytes is room for a message's length.
const lengthBytes = 4

const (
	connectionsPerPeer = 8       // both sides may dial over several transports at once
	streamsPerPeer     = 32      // ours, those of libp2p's identify, and those that a relay carries
	memoryPerPeer      = 4 << 20 // bytes of stream windows
	addressBits6       = 56      // of an IPv6 address: those with the same count as one
	newPerSecond       = 1       // connections that one address may make in the long run
)

// inbound is how many connections others may have dialled.
func (l Limits) inbound() int { return l.Connections * 3 / 4 }

// resourceManager returns libp2p's resource manager with these limits.
func (l Limits) resourceManager() (network.ResourceManager, error) {
	defaults := rcmgr.DefaultLimits
	libp2p.SetDefaultServiceLimits(&defaults)
	most := func(n, conns, inbound, memory int) rcmgr.ResourceLimits {
		return rcmgr.ResourceLimits{
			Conns: rcmgr.LimitVal(conns), ConnsInbound: rcmgr.LimitVal(inbound), ConnsOutbound: rcmgr.LimitVal(conns), FD: rcmgr.LimitVal(conns),
			Streams: rcmgr.LimitVal(n), StreamsInbound: rcmgr.LimitVal(n), StreamsOutbound: rcmgr.LimitVal(n),
			Memory: rcmgr.LimitVal64(memory),
		}
	}
	limits := rcmgr.PartialLimitConfig{
		System:      most(8*l.Connections, l.Connections, l.inbound(), l.Memory),
		Transient:   most(8*l.Connections, l.transient()+connectionsPerPeer, l.transient(), l.Memory/4),
		PeerDefault: most(streamsPerPeer, connectionsPerPeer, connectionsPerPeer, memoryPerPeer),
	}.Build(defaults.Scale(0, 0))
	return rcmgr.NewResourceManager(rcmgr.NewFixedLimiter(limits),
		rcmgr.WithMetricsDisabled(),
		rcmgr.WithLimitPerSubnet(
			[]rcmgr.ConnLimitPerSubnet{{PrefixLength: 32, ConnCount: l.ConnectionsPerIP}, {PrefixLength: budget.GroupBits4, ConnCount: 2 * l.ConnectionsPerIP}},
			[]rcmgr.ConnLimitPerSubnet{{PrefixLength: addressBits6, ConnCount: l.ConnectionsPerIP}, {PrefixLength: budget.GroupBits6, ConnCount: 2 * l.ConnectionsPerIP}}),
		rcmgr.WithConnRateLimiters(&rate.Limiter{
			// this machine's own programs have no limit
			NetworkPrefixLimits: []rate.PrefixLimit{{Prefix: netip.MustParsePrefix("127.0.0.0/8")}, {Prefix: netip.MustParsePrefix("::1/128")}},
			SubnetRateLimiter: rate.SubnetLimiter{
				IPv4SubnetLimits: []rate.SubnetLimit{{PrefixLength: 32, Limit: rate.Limit{RPS: newPerSecond, Burst: 2 * l.ConnectionsPerIP}}},
				IPv6SubnetLimits: []rate.SubnetLimit{{PrefixLength: addressBits6, Limit: rate.Limit{RPS: newPerSecond, Burst: 2 * l.ConnectionsPerIP}}},
				GracePeriod:      time.Minute,
			},
		}))
}
