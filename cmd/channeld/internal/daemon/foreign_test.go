package daemon

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ante-games/ante/chain/devnet"
	"github.com/ante-games/ante/cmd/channeld/internal/config"
	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/games/catalog"
	"github.com/ante-games/ante/games/foreign"
	"github.com/ante-games/ante/node"
	"github.com/ante-games/ante/node/dev"
	"github.com/ante-games/ante/node/keys"
	"github.com/ante-games/ante/store"
	"github.com/ante-games/ante/tower"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
)

// What an endpoint does when it is asked for code.
const (
	tells = iota
	refuses
	lies // it tells the code of another account
)

// pinned is a directory of a daemon or a tower, whose user has agreed to rules that the program
// doesn't have.
type pinned struct {
	*testing.T
	dir     string
	options Options
	does    atomic.Int32 // what the endpoint does
	liar    string       // its URL
}

func pinRules(t *testing.T) *pinned {
	p := &pinned{T: t, dir: t.TempDir()}
	world, err := dev.Start(t.Context(), devnet.Config{}, catalog.Standard())
	p.must(err)
	t.Cleanup(func() { _ = world.Close() })
	manifest, code, err := foreign.Read(filepath.Join("..", "..", "..", "..", "examples", "connectfour", "connectfour.json"))
	p.must(err)
	g, err := foreign.Game(manifest, code)
	p.must(err)
	made, err := world.Chain.Deploy(t.Context(), g.Contract)
	p.must(err)
	rules, other := strings.ToLower(made.ContractAddress.Hex()), strings.ToLower(world.Rules["mastermind"].Hex())

	target, err := url.Parse(world.Chain.URL())
	p.must(err)
	pass := httputil.NewSingleHostReverseProxy(target)
	server := httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, in *http.Request) {
		body, err := io.ReadAll(in.Body)
		asked := bytes.Contains(body, []byte("eth_getCode")) && bytes.Contains(body, []byte(rules))
		switch does := p.does.Load(); {
		case err != nil, asked && does == refuses:
			http.Error(out, "busy", http.StatusServiceUnavailable)
			return
		case asked && does == lies:
			body = bytes.ReplaceAll(body, []byte(rules), []byte(other))
		}
		in.Body, in.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
		pass.ServeHTTP(out, in)
	}))
	t.Cleanup(server.Close)
	p.liar = server.URL

	ring, err := keys.Create(filepath.Join(p.dir, "keys"), keys.NewPassword("a password"), keys.Light, nil)
	p.must(err)
	settings := fmt.Sprintf("chain:\n  url: %q\n  id: %d\n  arena: %q\n  from: %d\n  max_age: 0s\napi:\n  listen: 127.0.0.1:0\n"+
		"peers:\n  mdns: false\n  listen: /ip4/127.0.0.1/tcp/0\nwait:\n  confirmations: 1\n  poll: 20ms\ngames:\n  mastermind: %q\n",
		p.liar, world.Chain.ChainID(), world.Arena.Hex(), world.From, world.Rules["mastermind"].Hex())
	p.must(os.WriteFile(filepath.Join(p.dir, "config.yaml"), []byte(settings), 0o600))
	loaded, err := config.Load(filepath.Join(p.dir, "config.yaml"), nil, nil)
	p.must(err)
	p.options = Options{
		Config: loaded, Games: world.Games, Foreign: foreign.Pins(filepath.Join(p.dir, "games")), Keys: ring, StoreDir: filepath.Join(p.dir, "store"),
		AddressFile: filepath.Join(p.dir, "api"), Token: keys.NewSecret([]byte(browserToken)), Version: "test", Log: slog.New(slog.DiscardHandler),
	}
	p.must(p.options.Foreign.Add(foreign.Pin{
		Manifest: manifest, Rules: common.HexToAddress(rules), ChainID: world.Chain.ChainID(), CodeHash: crypto.Keccak256Hash(code),
	}))
	return p
}

func (p *pinned) must(err error) {
	p.Helper()
	if err != nil {
		p.Fatal(err)
	}
}

// knows reports whether the pinned game is among some.
func knows(list games.Catalog) bool {
	return slices.ContainsFunc(list, func(g games.Game) bool { return g.Name == "connect-four" })
}

// TestAttack_LyingRPC_Pinned: the code of pinned rules is what any endpoint tells that has their
// hash. It is kept, so that it is there when no endpoint tells it.
func TestAttack_LyingRPC_Pinned(t *testing.T) {
	p := pinRules(t)
	kept := store.NewMemory()
	for _, c := range []struct {
		does    int32
		s       store.Store
		missing int
	}{
		{refuses, store.NewMemory(), 1}, {lies, store.NewMemory(), 1}, {tells, kept, 0}, {refuses, kept, 0}, {lies, kept, 0},
	} {
		p.does.Store(c.does)
		with, missing, err := p.options.addForeign(t.Context(), c.s)
		p.must(err)
		if len(missing) != c.missing || knows(with.Games) != (c.missing == 0) || (with.Config.Games["connect-four"] == common.Address{}) != (c.missing > 0) {
			t.Errorf("what the endpoint does is %d: %d are missing, known: %t", c.does, len(missing), knows(with.Games))
		}
		if knows(p.options.Games) || p.options.Config.Games["connect-four"] != (common.Address{}) {
			t.Error("the options themselves are changed")
		}
	}
}

// TestAttack_LyingRPC_Missing: a daemon and a tower start without pinned rules whose code no
// endpoint tells, with an alarm, and start again with them once one does.
func TestAttack_LyingRPC_Missing(t *testing.T) {
	ready := make(chan *node.Node)
	for name, run := range map[string]func(context.Context, Options) error{
		"daemon": func(ctx context.Context, o Options) error {
			o.Ready = func(n *node.Node, _ string) { ready <- n }
			return Run(ctx, o)
		},
		"tower": func(ctx context.Context, o Options) error {
			return RunTower(ctx, o, func(*tower.Tower, string) { ready <- nil })
		},
	} {
		t.Run(name, func(t *testing.T) {
			p := pinRules(t)
			ticks := make(chan time.Time)
			p.options.ticks = ticks
			p.does.Store(refuses)
			ctx, stop := context.WithCancel(t.Context())
			ended := make(chan error, 1)
			go func() { ended <- run(ctx, p.options) }()
			next := func(ticks chan<- time.Time) *node.Node {
				t.Helper()
				for {
					select {
					case n := <-ready:
						return n
					case ticks <- time.Time{}:
					case err := <-ended:
						t.Fatalf("it ended: %v", err)
					}
				}
			}
			lacks := func(n *node.Node, want bool) {
				t.Helper()
				if n == nil {
					return
				}
				stands := slices.ContainsFunc(n.Standing(), func(e node.Event) bool { return strings.Contains(e.Text, "no endpoint tells the code of connect-four") })
				if stands != want {
					t.Errorf("the alarm stands: %t", stands)
				}
			}
			lacks(next(nil), true)
			ticks <- time.Time{} // in vain, as is known at the next
			ticks <- time.Time{}
			p.does.Store(tells)
			lacks(next(ticks), false)
			stop()
			p.must(<-ended)
			s, err := store.Open(p.options.StoreDir, p.options.Log)
			p.must(err)
			defer s.Close()
			p.does.Store(refuses)
			if with, missing, err := p.options.addForeign(t.Context(), s); err != nil || len(missing) > 0 || !knows(with.Games) {
				t.Errorf("%d are missing, %v", len(missing), err)
			}
		})
	}
}

// TestPinnedTwice: whoever has a user pin the contract of a game of this program under another name
// does not have it played by the other's player side, which keeps none of its secrets.
func TestPinnedTwice(t *testing.T) {
	p := pinRules(t)
	pins, err := p.options.Foreign.List()
	p.must(err)
	g, err := p.options.Games.Find("mastermind")
	p.must(err)
	code, pure, err := foreign.Deployed(g)
	p.must(err)
	if !pure {
		t.Fatal("its code can't be pinned at all")
	}
	manifest := *pins[0].Manifest
	manifest.Name = "pegs"
	p.must(p.options.Foreign.Add(foreign.Pin{
		Manifest: &manifest, Rules: p.options.Config.Games["mastermind"], ChainID: pins[0].ChainID, CodeHash: crypto.Keccak256Hash(code),
	}))
	all, _, err := p.options.addForeign(t.Context(), store.NewMemory())
	p.must(err)
	if _, err := all.Games.Find("pegs"); err == nil || !knows(all.Games) {
		t.Errorf("it is played as well: %v", all.Config.Games)
	}
}
