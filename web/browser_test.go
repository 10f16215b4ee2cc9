package web_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ante-games/ante/chain/devnet"
	"github.com/ante-games/ante/games/catalog"
	"github.com/ante-games/ante/games/foreign"
	"github.com/ante-games/ante/node"
	"github.com/ante-games/ante/node/api"
	"github.com/ante-games/ante/node/dev"
	"github.com/ante-games/ante/node/keys"
	"github.com/ante-games/ante/web"
	"github.com/chromedp/chromedp"
	"github.com/holiman/uint256"
)

var (
	browser  = flag.String("browser", "", "the Chromium in which the page is tried; none: it is not")
	pictures = flag.String("pictures", "", "a folder for pictures of the page")
)

const token = "open sesame"

// every is how often the page is looked at.
const every = 20 * time.Millisecond

// desk is a node of a person in front of a browser, and what can go wrong around it.
type desk struct {
	*testing.T
	ctx     context.Context // the browser's tab
	world   *dev.World
	node    *node.Node
	peer    *node.Node  // whose bot plays with the person
	deaf    atomic.Bool // the chain doesn't answer
	stopped atomic.Bool // the daemon doesn't answer
	url     string
}

// TestPage: a person sees in a real browser what plays, that an alarm stands and that it is over,
// that the daemon is down, and that a link is not the daemon's.
func TestPage(t *testing.T) {
	if *browser == "" {
		t.Skip("needs -browser: see make page")
	}
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
}

// TestHeaders: what the page may load is said with every file, and nothing but its files is served.
func TestHeaders(t *testing.T) {
	for path, want := range map[string]int{web.Path: 200, web.Path + "page.js": 200, web.Path + "page.css": 200, web.Path + "web.go": 404} {
		reply := httptest.NewRecorder()
		web.Handler().ServeHTTP(reply, httptest.NewRequest(http.MethodGet, path, nil))
		if reply.Code != want || !strings.HasPrefix(reply.Header().Get("Content-Security-Policy"), "default-src 'none';") {
			t.Errorf("%s: %d, %v", path, reply.Code, reply.Header())
		}
	}
}

func newDesk(t *testing.T) *desk {
	d := &desk{T: t}
	stranger, err := foreign.Load("../examples/connectfour/connectfour.json")
	d.must(err)
	world, err := dev.Start(t.Context(), devnet.Config{}, append(catalog.Standard(), stranger))
	d.must(err)
	d.world = world
	t.Cleanup(func() { _ = world.Close() })
	settings, err := world.Config(0)
	d.must(err)
	settings.Chain.URL = d.wire(settings.Chain.URL)
	settings.Policy.Bot = false
	settings.Policy.Accept = func(node.Offer) bool { return true }
	settings.Policy.Approve = func(node.Proposal) bool { return true }
	d.node, err = node.Start(t.Context(), settings)
	d.must(err)
	t.Cleanup(func() { _ = d.node.Close() })
	served := http.NewServeMux()
	served.Handle(web.Path, web.Handler())
	served.Handle("/", api.New(api.Config{
		Node: d.node, Store: settings.Store, Token: keys.NewSecret([]byte(token)), Version: "test", Window: 100, Games: world.Games, Rules: world.Rules, Now: time.Now,
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

	where := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(*browser), chromedp.NoSandbox, chromedp.WindowSize(1100, 800))
	alone, end := chromedp.NewExecAllocator(t.Context(), where...)
	t.Cleanup(end)
	d.ctx, end = chromedp.NewContext(alone)
	t.Cleanup(end)
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

// play opens a channel and begins a match in which the person is on move.
func (d *desk) play() {
	d.must(d.node.Propose(d.channel(d.node, d.peer), node.MatchRequest{Game: "mastermind", Stakes: []uint256.Int{*uint256.NewInt(1e17)}}))
}

func (d *desk) open(link string) {
	d.Helper()
	// the same page with another '#' is not loaded anew
	for _, to := range []string{"about:blank", link} {
		_, err := chromedp.Run(d.ctx, chromedp.Navigate(to))
		d.must(err)
	}
}

// sees waits until a part of the page shows a text.
func (d *desk) sees(part, text string) {
	d.Helper()
	d.until(fmt.Sprintf(`(at => at.checkVisibility() && at.innerText.includes(%q))(document.querySelector(%q))`, text, part),
		fmt.Sprintf("%s does not show %q", part, text))
}

// until waits until an expression is true; if it never is, that is what is wrong.
func (d *desk) until(expression, wrong string) {
	d.Helper()
	ctx, cancel := context.WithTimeout(d.ctx, 2*time.Minute)
	defer cancel()
	for {
		is, err := chromedp.Run(ctx, chromedp.Evaluate[bool](expression))
		switch {
		case is:
			return
		case ctx.Err() != nil:
			d.Fatalf("%s: %v; the page shows %q", wrong, err, d.read("document.body.innerText"))
		}
		time.Sleep(every)
	}
}

func (d *desk) read(expression string) string {
	d.Helper()
	value, err := chromedp.Run(d.ctx, chromedp.Evaluate[string](expression))
	d.must(err)
	return value
}

func (d *desk) picture(name string) {
	d.Helper()
	if *pictures == "" {
		return
	}
	png, err := chromedp.Run(d.ctx, chromedp.CaptureScreenshot())
	d.must(errors.Join(err, os.MkdirAll(*pictures, 0o755), os.WriteFile(*pictures+"/"+name+".png", png, 0o644)))
}

func (d *desk) must(err error) {
	d.Helper()
	if err != nil {
		d.Fatal(err)
	}
}
