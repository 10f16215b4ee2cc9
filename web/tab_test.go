package web_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

var (
	browser  = flag.String("browser", "", "the Chromium in which the page is tried; none: it is not")
	pictures = flag.String("pictures", "", "a folder for pictures of the page")
)

// every is how often the page is looked at.
const every = 20 * time.Millisecond

// patience is how long the page is looked at for what does not come.
const patience = 3 * time.Minute

// tab is a page in a browser, as a person uses it.
type tab struct {
	*testing.T
	ctx context.Context
}

// newBrowser starts a browser, if there is one to test with.
func newBrowser(t *testing.T) context.Context {
	t.Helper()
	if *browser == "" {
		t.Skip("needs -browser: see make page")
	}
	where := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(*browser), chromedp.NoSandbox, chromedp.WindowSize(1100, 800))
	alone, end := chromedp.NewExecAllocator(t.Context(), where...)
	t.Cleanup(end)
	ctx, end := chromedp.NewContext(alone)
	t.Cleanup(end)
	if err := chromedp.Do(ctx); err != nil {
		t.Fatal(err)
	}
	return ctx
}

// newTab opens a tab that shares nothing with the others of its browser.
func newTab(t *testing.T, browser context.Context) *tab { //nolint:revive // the test comes first
	ctx, end := chromedp.NewContext(browser, chromedp.WithNewBrowserContext())
	t.Cleanup(end)
	return &tab{T: t, ctx: ctx}
}

// inject has a script run in every page before its own.
func (b *tab) inject(script string) {
	b.Helper()
	b.act(chromedp.Func(func(ctx context.Context, at *chromedp.Target) error {
		_, err := cdp.Call(ctx, at, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: script})
		return err
	}))
}

func (b *tab) open(link string) {
	b.Helper()
	// the same page with another '#' is not loaded anew
	for _, to := range []string{"about:blank", link} {
		_, err := chromedp.Run(b.ctx, chromedp.Navigate(to))
		b.must(err)
	}
}

// sees waits until a part of the page shows a text.
func (b *tab) sees(part, text string) {
	b.Helper()
	b.until(fmt.Sprintf(`(at => at.checkVisibility() && at.innerText.includes(%q))(document.querySelector(%q))`, text, part),
		fmt.Sprintf("%s does not show %q", part, text))
}

// until waits until an expression is true; if it never is, that is what is wrong.
func (b *tab) until(expression, wrong string) {
	b.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	b.wait(func() bool {
		is, _ := chromedp.Run(ctx, chromedp.Evaluate[bool](expression, chromedp.EvalAwaitPromise)) // of a page that is being loaded, an error
		return is
	}, wrong, func() {})
}

// wait does something again and again until something is true.
func (b *tab) wait(is func() bool, wrong string, do func()) {
	b.Helper()
	for end := time.Now().Add(patience); !is(); time.Sleep(every) {
		if time.Now().After(end) {
			b.Fatalf("%s; the page shows %q", wrong, b.read("document.body.innerText"))
		}
		do()
	}
}

func (b *tab) read(expression string) string {
	b.Helper()
	value, err := chromedp.Run(b.ctx, chromedp.Evaluate[string](expression))
	b.must(err)
	return value
}

func (b *tab) picture(name string) {
	b.Helper()
	if *pictures == "" {
		return
	}
	png, err := chromedp.Run(b.ctx, chromedp.CaptureScreenshot())
	b.must(errors.Join(err, os.MkdirAll(*pictures, 0o755), os.WriteFile(*pictures+"/"+name+".png", png, 0o644)))
}

func (b *tab) must(err error) {
	b.Helper()
	if err != nil {
		b.Fatal(err)
	}
}

// press presses the button of a name once it can be.
func (b *tab) press(name string) {
	b.Helper()
	b.until(fmt.Sprintf(`((at) => (at?.click(), !!at))([...document.querySelectorAll("button:enabled, a.button")].find((b) => b.innerText === %q && b.checkVisibility()))`, name),
		"no button is called "+name)
}

// follow clicks a link once it is there.
func (b *tab) follow(link string) {
	b.Helper()
	b.until(fmt.Sprintf(`((at) => (at?.click(), !!at))(document.querySelector(%q))`, link), "there is no "+link)
}

// fill types into the field of a label, or chooses there.
func (b *tab) fill(label, text string) {
	b.Helper()
	b.until(fmt.Sprintf(`((at) => {
		if (!at || at.disabled) return false;
		at.value = %q;
		at.dispatchEvent(new Event(at.tagName === "SELECT" ? "change" : "input", {bubbles: true}));
		return at.value === %q;
	})([...document.querySelectorAll("label")].find((l) => l.textContent.trim().startsWith(%q))?.control)`, text, text, label),
		"nothing can be put into "+label)
}

// refusedNothing sees that the page has asked for nothing that its link may not.
func (b *tab) refusedNothing() {
	b.Helper()
	if n := b.read(`String(performance.getEntriesByType("resource").filter((r) => r.responseStatus >= 400).length)`); n != "0" {
		b.Errorf("%s requests of the page are refused", n)
	}
}

// turnTo goes to a part of the page.
func (b *tab) turnTo(part string) {
	b.Helper()
	b.run(fmt.Sprintf("location.hash = '/%s'", part))
}

// fits sees that on a phone nothing is wider than the page, and that no notice covers what can be
// pressed.
func (b *tab) fits(name string) {
	b.Helper()
	b.act(chromedp.EmulateViewport(390, 1000))
	if wide := b.read(`[...document.querySelectorAll("#page, #desk")].filter((at) => at.scrollWidth > at.clientWidth).map((at) => at.id).join()`); wide != "" {
		b.Errorf("%s: on a phone, something is wider than %s", name, wide)
	}
	if covered := b.read(`[...document.querySelectorAll(".notices p")].flatMap((at) => {
		const r = at.getBoundingClientRect();
		return [1, 2, 3].flatMap((x) => [1, 2, 3].flatMap((y) => document.elementsFromPoint(r.left + x * r.width / 4, r.top + y * r.height / 4)));
	}).filter((at) => at.matches("button, input, a, select")).map((at) => at.innerText).join()`); covered != "" {
		b.Errorf("%s: a notice covers %s", name, covered)
	}
	b.act(chromedp.EmulateViewport(1100, 800))
}

// usable has axe look at the page, which must find nothing serious, and takes pictures.
func (b *tab) usable(name string) {
	b.Helper()
	axe, err := os.ReadFile("../node_modules/axe-core/axe.min.js")
	b.must(err)
	// what still fades in is pale
	b.run(`document.getAnimations().filter((a) => a.effect.getComputedTiming().endTime < Infinity).forEach((a) => a.finish())`)
	// what is scrolled away at the top counts as hidden
	b.run(string(axe) + `; window.was = document.querySelector("#desk")?.scrollTop ?? 0; document.querySelector("#desk")?.scrollTo(0, 0);
		axe.run().then((r) => window.found = r.violations.filter((v) => /serious|critical/.test(v.impact))
		.map((v) => v.id + " at " + v.nodes.map((n) => n.target).join(", ")).join("; "))`)
	if found := b.read("window.found"); strings.TrimSpace(found) != "" {
		b.Errorf("%s: %s", name, found)
	}
	b.run(`document.querySelector("#desk")?.scrollTo(0, window.was)`)
	b.pictures(name)
	b.fits(name)
}

// run runs a script, and waits for the promise it makes, if any.
func (b *tab) run(script string) {
	b.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	_, err := chromedp.Run(ctx, chromedp.Evaluate[any](script, chromedp.EvalAwaitPromise))
	b.must(err)
}

// pictures takes the page as it is on a phone and on a desk, in light and dark.
func (b *tab) pictures(name string) {
	b.Helper()
	if *pictures == "" {
		return
	}
	for _, width := range []int64{390, 1280} {
		for _, scheme := range []string{"light", "dark"} {
			b.act(chromedp.EmulateViewport(width, 1000))
			b.act(chromedp.Func(func(ctx context.Context, at *chromedp.Target) error {
				look := emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}}
				_, err := cdp.Call(ctx, at, emulation.SetEmulatedMedia, look)
				return err
			}))
			b.picture(fmt.Sprintf("%s-%d-%s", name, width, scheme))
		}
	}
}

func (b *tab) act(a chromedp.Action[chromedp.Void]) {
	b.Helper()
	_, err := chromedp.Run(b.ctx, a)
	b.must(err)
}
