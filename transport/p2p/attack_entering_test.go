package p2p

import (
	"crypto/tls"
	"errors"
	"io"
	"net"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/libp2p/go-libp2p/core/peer"
	"github.com/libp2p/go-libp2p/p2p/security/noise"
	"github.com/multiformats/go-multiaddr"
	"github.com/multiformats/go-multistream"
	"github.com/quic-go/quic-go"
)

// over returns the victim's address over TCP, or over UDP.
func (tb *table) over(protocol int) (full, hostPort string) {
	tb.t.Helper()
	for _, full := range tb.victim.Addresses() {
		if port, err := multiaddr.StringCast(full).ValueForProtocol(protocol); err == nil {
			return full, "127.0.0.1:" + port
		}
	}
	tb.t.Fatalf("no address over protocol %d", protocol)
	return "", ""
}

// crowded holds connections that say no more than they must, some of which are refused at once. The
// friend is let in, long before the victim gives them all up.
func (tb *table) crowded(connections, refused int, begin func(net.Conn) error) {
	tb.t.Helper()
	_, at := tb.over(multiaddr.P_TCP)
	var closed atomic.Int64
	for range connections {
		c, err := net.Dial("tcp", at)
		tb.must(err)
		tb.t.Cleanup(func() { _ = c.Close() })
		if err := begin(c); err != nil {
			tb.t.Logf("refused: %v", err)
		}
		go func() {
			_, _ = io.Copy(io.Discard, c)
			closed.Add(1)
		}()
	}
	tb.must(tb.friend.Keep(player(victimPlayer).Address(), tb.victim.Addresses()...))
	tb.await("the friend is let in", func() bool { return tb.seen.Up(player(friendPlayer).Address()) })
	if held := connections - refused; closed.Load() > int64(refused+held/2) {
		tb.t.Errorf("only once %d of %d were closed", closed.Load()-int64(refused), held)
	}
}

// TCP connections say nothing, and hold all places of those that aren't encrypted yet.
func TestAttack_HalfOpen_Silent(t *testing.T) {
	const connections = 64
	newTable(t, Limits{Connections: connections}, "/ip4/127.0.0.1/tcp/0").crowded(connections, connections-connections/4, func(net.Conn) error { return nil })
}

// TCP connections say nothing once they are encrypted, and hold all places.
func TestAttack_HalfOpen_Encrypted(t *testing.T) {
	const connections = 32
	tb := newTable(t, Limits{Connections: connections}, "/ip4/127.0.0.1/tcp/0")
	i := 0
	tb.crowded(connections*3/4, 0, func(c net.Conn) error {
		i++
		key, err := identity(i).key()
		tb.must(err)
		n, err := noise.New(noise.ID, key, nil)
		tb.must(err)
		if err := multistream.SelectProtoOrFail(noise.ID, c); err != nil {
			return err
		}
		_, err = n.SecureOutbound(t.Context(), c, tb.victim.host.ID())
		return err
	})
}

// deaf hears of a QUIC handshake only that its address is to be confirmed, if that.
type deaf struct {
	net.PacketConn
	confirms bool
	retried  atomic.Bool
	settled  func() // the victim has all that it gets
}

func (d *deaf) ReadFrom(b []byte) (int, net.Addr, error) {
	for {
		n, from, err := d.PacketConn.ReadFrom(b)
		retry := n > 0 && b[0]>>4 == 0xf
		switch {
		case err == nil && !retry:
			d.settled()
		case err != nil || d.confirms:
			d.retried.Store(true)
			return n, from, err
		}
	}
}

func (d *deaf) WriteTo(b []byte, to net.Addr) (int, error) {
	n, err := d.PacketConn.WriteTo(b, to)
	if !d.confirms || d.retried.Load() {
		d.settled()
	}
	return n, err
}

// begin begins QUIC handshakes that are never finished.
func (tb *table) begin(handshakes int, confirmed bool) {
	tb.t.Helper()
	_, at := tb.over(multiaddr.P_UDP)
	to, err := net.ResolveUDPAddr("udp", at)
	tb.must(err)
	ctx := tb.t.Context()                                                           // which ends before what is to be cleaned up
	speaks := &tls.Config{InsecureSkipVerify: true, NextProtos: []string{"libp2p"}} //nolint:gosec // it never gets that far
	for range handshakes {
		c, err := net.ListenPacket("udp", "127.0.0.1:0")
		tb.must(err)
		settled, over := make(chan struct{}), make(chan struct{})
		go func() {
			defer close(over)
			_, _ = quic.Dial(ctx, &deaf{PacketConn: c, confirms: confirmed, settled: sync.OnceFunc(func() { close(settled) })}, to, speaks, nil)
		}()
		tb.t.Cleanup(func() { <-over; _ = c.Close() })
		<-settled
	}
	// what comes later is answered later
	_, err = quic.DialAddr(ctx, at, speaks, &quic.Config{Versions: []quic.Version{quic.Version2}})
	if !errors.As(err, new(*quic.VersionNegotiationError)) {
		tb.t.Fatal(err)
	}
}

// QUIC handshakes are begun, from addresses that may be false, and never finished. They hold none
// of the last places, neither those of QUIC nor those of TCP.
func TestAttack_HalfOpen_Spoofed(t *testing.T) {
	tb := newTable(t, Limits{Connections: 64})
	tb.begin(64, false)
	for _, protocol := range []int{multiaddr.P_UDP, multiaddr.P_TCP} {
		full, _ := tb.over(protocol)
		m := newMallory(t, malloryPlayer)
		to, err := peer.AddrInfoFromString(full)
		tb.must(err)
		if err := m.host.Connect(t.Context(), *to); err != nil {
			t.Errorf("%s: %v", full, err)
		}
	}
}

// QUIC handshakes are begun from true addresses, and never finished. They can't be closed, but
// leave half of the places to TCP.
func TestAttack_HalfOpen_Quic(t *testing.T) {
	tb := newTable(t, Limits{Connections: 64})
	tb.begin(64, true)
	full, _ := tb.over(multiaddr.P_TCP)
	_, err := tb.friend.Dial(t.Context(), full)
	tb.must(err)
}
