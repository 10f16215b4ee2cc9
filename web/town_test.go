package web_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ante-games/ante/chain/devnet"
	"github.com/ante-games/ante/games/catalog"
	"github.com/ante-games/ante/games/foreign"
	"github.com/ante-games/ante/node/dev"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/crypto"
)

// tick is how often the chain makes a block; window is how many of them there are for an answer.
const (
	tick   = 400 * time.Millisecond
	window = "20"
)

// town is a chain on which time passes, a browser, and people with a daemon and a page each.
type town struct {
	*testing.T
	world   *dev.World
	browser context.Context
	home    string     // of everybody's directories
	clock   sync.Mutex // held while no block is made
}

const (
	network  = "network.yaml"
	password = "password"
)

// strangers are games of which the daemons and the page know a manifest only.
var strangers = []string{"connect-four", "words"}

// manifest is the file of a stranger's.
func manifest(game string) string {
	name := strings.ReplaceAll(game, "-", "")
	return "../examples/" + name + "/" + name + ".json"
}

func newTown(t *testing.T) *town {
	w := &town{T: t, browser: newBrowser(t), home: t.TempDir()}
	all := catalog.Standard()
	for _, game := range strangers {
		rules, err := foreign.Load(manifest(game))
		w.must(err)
		all = append(all, rules)
	}
	var err error
	w.world, err = dev.Start(t.Context(), devnet.Config{}, all)
	w.must(err)
	ticks := make(chan struct{})
	ctx, stop := context.WithCancel(t.Context())
	go func() {
		defer close(ticks)
		for clock := time.NewTicker(tick); w.passes() == nil; {
			select {
			case <-clock.C:
			case <-ctx.Done():
				return
			}
		}
	}()
	t.Cleanup(func() {
		stop()
		<-ticks
		if err := w.world.Close(); err != nil {
			t.Error(err)
		}
	})
	settings := fmt.Sprintf("chain: {url: %q, id: %d, arena: %q, from: %d, max_age: 0s, scoreboard: %q}\ngames:\n", w.world.Chain.URL(), w.world.Chain.ChainID(),
		w.world.Arena, w.world.From, w.world.Board)
	for _, game := range catalog.Standard() {
		settings += fmt.Sprintf("  %s: %q\n", game.Name, w.world.Rules[game.Name])
	}
	w.file(network, settings)
	w.file(password, "correct horse\n")
	w.file("faucet.key", hexutil.Encode(crypto.FromECDSA(w.world.Chain.Key(0))))
	return w
}

// passes lets a block's time pass.
func (w *town) passes() error {
	w.clock.Lock()
	defer w.clock.Unlock()
	return w.world.Chain.Mine(1)
}

// meanwhile has people do, before another block is made, what they have only some blocks for.
func (w *town) meanwhile(do func()) {
	w.clock.Lock()
	defer w.clock.Unlock()
	do()
}

func (w *town) file(name, text string) {
	w.must(os.WriteFile(filepath.Join(w.home, name), []byte(text), 0o600))
}

func (w *town) must(err error) {
	w.Helper()
	if err != nil {
		w.Fatal(err)
	}
}

// notices keeps what the page tells a person who looks at something else, while window.away is set.
const notices = `
window.notified = [];
Object.defineProperty(document, "hidden", {get: () => Boolean(window.away)});
window.Notification = class {
	static permission = "default";
	static async requestPermission() { return Notification.permission = "granted"; }
	constructor(title) { window.notified.push(title); }
};`

// settles sets up a daemon for a person, whose account gets play money.
func (w *town) settles(name string) *person {
	p := &person{tab: newTab(w.T, w.browser), name: name, home: w.home, port: port(w.T), pictured: map[string]bool{}}
	p.account = p.told("account", "init", "--light", "--network", network, "--keys.password_file", password, "--api.listen", "127.0.0.1:"+port(w.T),
		"--peers.listen", "/ip4/127.0.0.1/tcp/"+p.port, "--peers.mdns", "false", "--wait.confirmations", "1", "--wait.poll", "100ms", "--play.window", window)
	p.channeld("devnet", "fund", "--out", ".", p.account, "20eth")
	return p
}

// arrives starts a new person's daemon, opens its page, and deposits there.
func (w *town) arrives(name string) *person {
	p := w.settles(name)
	p.knows(w)
	p.inject(notices)
	p.arrive()
	p.sees("#welcome", "Welcome")
	p.usable("welcome")
	p.turnTo("money")
	p.fill("ETH from your account", "10")
	p.press("Deposit")
	p.sees(".facts", "10 ETH")
	p.turnTo("people")
	p.fill("What others call you", name)
	p.press("Sign it")
	return p
}

// knows adds the strangers to what a person's daemon plays.
func (p *person) knows(w *town) {
	for _, game := range strangers {
		path, err := filepath.Abs(manifest(game))
		p.must(err)
		p.channeld("game", "add", "--yes", path, w.world.Rules[game].Hex())
	}
}
