package p2p

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"net"
	"slices"
	"strings"
	"testing"

	"github.com/ante-games/ante/transport/transporttest"
)

func TestNewRefuses(t *testing.T) {
	r := transporttest.NewRecorder(make(chan struct{}, 1))
	good := config(0, r)
	for name, tc := range map[string]struct {
		change func(*Config)
		want   string
	}{
		"no signer":   {func(c *Config) { c.Signer = nil }, "Signer"},
		"no handler":  {func(c *Config) { c.Handler = nil }, "Handler"},
		"no identity": {func(c *Config) { c.Identity = Identity{} }, "IdentityFromSeed"},
		"no address":  {func(c *Config) { c.Listen = []string{"everywhere"} }, "everywhere"},
		"not here":    {func(c *Config) { c.Listen = []string{"/ip4/203.0.113.1/tcp/0"} }, "/ip4/203.0.113.1/tcp/0"},
		"half here":   {func(c *Config) { c.Listen = []string{"/ip4/127.0.0.1/tcp/0", "/ip4/203.0.113.1/tcp/0"} }, "/ip4/203.0.113.1/tcp/0"},
		"only IPv6":   {func(c *Config) { c.Listen = []string{"/ip6/2001:db8::1/tcp/0"} }, "/ip6/2001:db8::1/tcp/0"},
	} {
		cfg := good
		tc.change(&cfg)
		h, err := New(cfg)
		if err == nil {
			_ = h.Close()
			t.Errorf("%s: started", name)
		} else if !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s: %q does not speak of %s", name, err, tc.want)
		}
	}
}

// A port that is taken, be it for TCP or for UDP, is an error and not a host with half its
// addresses.
func TestPortTaken(t *testing.T) {
	r := transporttest.NewRecorder(make(chan struct{}, 1))
	first := start(t, config(0, r))
	for _, a := range first.host.Network().ListenAddresses() {
		if relayed(a) {
			continue
		}
		var port uint16
		for _, c := range a {
			if name := c.Protocol().Name; name == "tcp" || name == "udp" {
				if _, err := fmt.Sscan(c.Value(), &port); err != nil {
					t.Fatal(err)
				}
			}
		}
		cfg := config(1, r)
		cfg.Listen = Loopback(port)
		h, err := New(cfg)
		if err == nil {
			_ = h.Close()
			t.Errorf("a second host on the port of %s", a)
		} else if !strings.Contains(err.Error(), "peers.listen") {
			t.Errorf("port of %s: %v", a, err)
		}
	}
}

// everywhere are all of the machine's networks.
var everywhere = []string{"/ip4/0.0.0.0/tcp/0", "/ip4/0.0.0.0/udp/0/quic-v1", "/ip6/::/tcp/0", "/ip6/::/udp/0/quic-v1"}

func TestEverywhere(t *testing.T) {
	cfg := config(0, transporttest.NewRecorder(make(chan struct{}, 1)))
	// an IPv6 address that the machine hasn't got
	cfg.Listen = append(slices.Clone(everywhere), "/ip6/2001:db8::1/tcp/0")
	h := start(t, cfg)
	for _, kind := range []string{"/tcp/", "/quic-v1/"} {
		if !strings.Contains(strings.Join(h.Addresses(), " "), kind) {
			t.Errorf("no %s among %v", kind, h.Addresses())
		}
	}
	for _, a := range h.Addresses() {
		if strings.Contains(a, net.IPv4zero.String()) || !strings.HasSuffix(a, "/p2p/"+identity(0).PeerID().String()) {
			t.Errorf("%s is no address to give out", a)
		}
	}
}

func TestIdentity(t *testing.T) {
	id := identity(1)
	again, err := IdentityFromSeed(id.seed())
	if err != nil || again.PeerID() != id.PeerID() || id.PeerID() == "" {
		t.Errorf("from its seed: %v, %v", again, err)
	}
	if _, err := IdentityFromSeed(make([]byte, 31)); err == nil {
		t.Error("a seed of 31 bytes")
	}
}

// However it is printed, logged or encoded, an identity keeps its seed.
func TestAttack_LoggedSecret(t *testing.T) {
	seed := []byte("ABCDEFGHIJKLMNOPQRSTUVWXYZ012345")
	id, err := IdentityFromSeed(seed)
	if err != nil {
		t.Fatal(err)
	}
	cfg, within := Config{Identity: id}, struct{ cfg Config }{Config{Identity: id}}
	encoded, err := json.Marshal(map[string]any{"id": id})
	if err != nil {
		t.Fatal(err)
	}
	var log bytes.Buffer
	slog.New(slog.NewTextHandler(&log, nil)).Info("x", "id", id, "cfg", cfg)
	slog.New(slog.NewJSONHandler(&log, nil)).Info("x", "id", id)
	for _, out := range []string{
		fmt.Sprint(id), fmt.Sprintf("%v %+v %#v %s %q %x %X %d %o", id, id, id, id, id, id, id, id, id),
		fmt.Sprintf("%v %+v %#v", cfg, cfg, cfg), fmt.Sprintf("%v %+v %#v", within, within, within), fmt.Sprintf("%v %x", &id, &id), string(encoded), log.String(),
	} {
		for _, secret := range []string{string(seed[:8]), fmt.Sprintf("%x", seed[:8]), fmt.Sprintf("%X", seed[:8]), "65 66 67 68", "0x41, 0x42"} {
			if strings.Contains(out, secret) {
				t.Errorf("the seed shows in %q", out)
			}
		}
	}
}
