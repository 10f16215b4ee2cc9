package web_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ante-games/ante/chain/devnet"
	"github.com/ante-games/ante/games/catalog"
	"github.com/ante-games/ante/node"
	"github.com/ante-games/ante/node/api"
	"github.com/ante-games/ante/node/dev"
	"github.com/ante-games/ante/node/keys"
	"github.com/ante-games/ante/transport"
	"github.com/ante-games/ante/web"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

const token = "open sesame"

// desk is a node of a person in front of a browser, and what can go wrong around it.
type desk struct {
	*tab
	node    *node.Node
	peer    *node.Node  // whose bot plays with the person
	deaf    atomic.Bool // the chain doesn't answer
	stopped atomic.Bool // the daemon doesn't answer
	url     string
}

// TestPage: a person sees in a real browser what plays, that an alarm stands and that it is over,
// that the daemon is down, and that a link is not the daemon's.
func TestPage(t *testing.T) {
	d := newDesk(t)
	d.play()

	d.open(d.url + web.Path + "#" + api.View(token))
	d.sees("#state", "all is well")
	d.sees("#node", d.node.Account().Hex())
	d.sees("#matches", "it is your turn")
	d.sees("#channels", "open")
	d.sees("#past", "none")
	if d.read("location.href") != d.url+web.Path {
		t.Errorf("the address bar shows %s", d.read("location.href"))
	}
	d.picture("well")

	d.deaf.Store(true)
	d.sees("#alarms", "127.0.0.1")
	d.sees("#state", "alarm")
	if title := d.read("document.title"); !strings.Contains(title, "ALARM") {
		t.Errorf("the title is %q", title)
	}
	d.picture("alarm")
	d.deaf.Store(false)
	d.sees("#state", "all is well")
	if d.read("String(document.getElementById('alarms').hidden)") != "true" {
		t.Error("an alarm that is over is still shown as one")
	}

	d.stopped.Store(true)
	d.sees("#state", "the daemon does not answer")
	d.picture("down")
	d.stopped.Store(false)
	d.sees("#state", "all is well")

	d.open(d.url + web.Path + "#" + api.View("another"))
	d.sees("#state", "does not know this link")
	d.picture("stranger")
	d.run(`document.querySelector("#state").textContent = "http://127.0.0.1/".repeat(20)`)
	d.fits("stranger")
}

// TestPage_CutLink: the daemon's link, or an invite's, that was cut within a letter opens the page.
func TestPage_CutLink(t *testing.T) {
	d := newDesk(t)
	d.open(d.url + web.Path + "#" + "%E2%8")
	d.sees("#state", "does not know this link")
	d.open(d.url + web.Path + "#" + token)
	d.sees("#state", "all is well")
	d.turnTo("join/0x12/%2Fip4%2")
	d.sees("#lobby", "Nobody")
	d.turnTo("people")
	d.sees("#people", "0x")
}

// TestHeaders: what the page may load is said with every file, and nothing but its files is served.
func TestHeaders(t *testing.T) {
	for path, want := range map[string]int{web.Path: 200, web.Path + "page.js": 200, web.Path + "page.css": 200, web.Path + "web.go": 404} {
		reply := httptest.NewRecorder()
		web.Handler().ServeHTTP(reply, httptest.NewRequest(http.MethodGet, path, nil))
		if reply.Code != want || !strings.HasPrefix(reply.Header().Get("Content-Security-Policy"), "default-src 'none';") || reply.Header().Get("Cross-Origin-Opener-Policy") != "same-origin" {
			t.Errorf("%s: %d, %v", path, reply.Code, reply.Header())
		}
	}
}

func newDesk(t *testing.T) *desk {
	d := &desk{tab: newTab(t, newBrowser(t))}
	world, err := dev.Start(t.Context(), devnet.Config{}, catalog.Standard())
	d.must(err)
	t.Cleanup(func() { _ = world.Close() })
	settings, err := world.Config(0)
	d.must(err)
	settings.Chain.URL = d.wire(settings.Chain.URL)
	settings.Policy.Bot = false
	settings.Policy.Accept = func(node.Offer) bool { return true }
	settings.Policy.Approve = nil
	d.node, err = node.Start(t.Context(), settings)
	d.must(err)
	t.Cleanup(func() { _ = d.node.Close() })
	served := http.NewServeMux()
	served.Handle(web.Path, web.Handler())
	served.Handle("/", api.New(api.Config{
		Node: d.node, Store: settings.Store, Token: keys.NewSecret([]byte(token)), Version: "test", Window: 100, Games: world.Games, Rules: world.Rules, Now: time.Now,
		Dial: func(context.Context, string) (common.Address, error) { return common.Address{}, transport.ErrAddress },
	}))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if d.stopped.Load() {
			panic(http.ErrAbortHandler)
		}
		served.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	d.url = server.URL

	d.peer, err = world.Node(t.Context(), 1)
	d.must(err)
	t.Cleanup(func() { _ = d.peer.Close() })
	d.must(dev.Connect(t.Context(), d.node, d.peer))
	d.must(dev.Deposit(t.Context(), d.peer, ether))
	return d
}

// wire leads to the chain while it isn't deaf.
func (d *desk) wire(chain string) string {
	target, err := url.Parse(chain)
	d.must(err)
	through := httputil.NewSingleHostReverseProxy(target)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if d.deaf.Load() {
			http.Error(w, "out of order", http.StatusServiceUnavailable)
			return
		}
		through.ServeHTTP(w, r)
	}))
	d.Cleanup(server.Close)
	return server.URL
}

var ether = uint256.NewInt(1e18)

// channel opens a channel that one node offers another.
func (d *desk) channel(from, to *node.Node) common.Hash {
	d.Helper()
	offer, err := from.Offer(d.Context(), node.OpenRequest{Peers: []common.Address{to.Account()}, Deposits: []uint256.Int{*ether, *ether}, Window: 100})
	d.must(err)
	channel, err := from.Opened(d.Context(), offer)
	d.must(err)
	_, err = to.Opened(d.Context(), offer)
	d.must(err)
	return channel.ID
}

// play opens a channel and begins a match in which the person is on move.
func (d *desk) play() {
	d.proposes(d.node, d.channel(d.node, d.peer), 1e17)
}
