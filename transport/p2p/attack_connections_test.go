package p2p

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/libp2p/go-libp2p/core/network"
	"github.com/libp2p/go-libp2p/core/peer"
	"github.com/marcopolo/simnet"

	"github.com/ante-games/ante/transport/transporttest"
)

// Strangers of many address groups hold all connections that they may, and prove nothing. Once they
// had their time, a newcomer finds one.
func TestAttack_HalfOpen_Connections(t *testing.T) {
	crowdedOut(t, false, func(context.Context, *Host, *Host) {})
}

// The same of a relay, through which each of them has called somebody who isn't there.
func TestAttack_HalfOpen_Callers(t *testing.T) {
	crowdedOut(t, true, func(ctx context.Context, victim, h *Host) {
		ctx = network.WithAllowLimitedConn(ctx, "a stranger's")
		if err := h.host.Connect(ctx, through(victim, identity(200).PeerID())); err == nil {
			t.Error("nobody was reached")
		}
	})
}

// crowdedOut has strangers take all connections with a victim, and use each.
func crowdedOut(t *testing.T, relay bool, use func(ctx context.Context, victim, h *Host)) {
	t.Helper()
	inBubble(t, func(t *testing.T, l *link) {
		cfg := l.config(0, transporttest.NewRecorder(make(chan struct{}, 1)))
		cfg.Limits.Connections, cfg.Limits.Handshake, cfg.Relay = 16, time.Hour, relay
		victim := l.start(cfg)
		defer func() { must(t, victim.Close()) }()
		held := func() int { return len(victim.host.Network().Conns()) }
		for i := 1; held() < cfg.Limits.inbound(); i++ {
			cfg := l.config(i, transporttest.NewRecorder(make(chan struct{}, 1)))
			cfg.Limits.Handshake = 24 * time.Hour // it doesn't let go by itself
			cfg.Listen = []string{fmt.Sprintf("/ip4/%s/udp/4001/quic-v1", simnet.IntToPublicIPv4((1+i/2)<<8+i))}
			h := l.start(cfg)
			defer func() { must(t, h.Close()) }()
			must(t, h.host.Connect(t.Context(), peer.AddrInfo{ID: victim.host.ID(), Addrs: victim.host.Addrs()}))
			time.Sleep(time.Second) // the victim has it too
			use(t.Context(), victim, h)
		}
		late := l.join(100)
		dial := func() error {
			_, err := late.Dial(t.Context(), victim.Addresses()[0])
			return err
		}
		if err := dial(); err == nil {
			t.Error("let in before anybody had its time")
		}
		time.Sleep(cfg.Limits.Handshake / 10)
		err := dial() // one is closed meanwhile
		for range 3 {
			if err != nil {
				time.Sleep(time.Second)
				err = dial()
			}
		}
		must(t, err)
		if n := held(); n < cfg.Limits.inbound()-2 {
			t.Errorf("%d connections are left", n)
		}
	})
}
