package web_test

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// box is where a ship is on the page, in cells of its board and in pixels.
type box struct {
	Column, Row, Wide, High int
	X, Y, Cell              float64
}

// ship is the first one of a fleet that is being placed.
func (p *person) ship() (at box) {
	p.Helper()
	p.must(json.Unmarshal([]byte(p.read(`(() => {
		const at = document.querySelector(".ship");
		at.scrollIntoView({block: "center"});
		const [sea, ship] = [at.parentElement.getBoundingClientRect(), at.getBoundingClientRect()];
		const cell = sea.width / 8;
		return JSON.stringify({column: Math.floor((ship.left - sea.left) / cell), row: Math.floor((ship.top - sea.top) / cell),
			wide: Math.round(ship.width / cell + .2), high: Math.round(ship.height / cell + .2), x: ship.left + ship.width / 2, y: ship.top + ship.height / 2, cell});
	})()`)), &at))
	return at
}

// placesFleet moves ships by mouse, finger and keyboard, turns one, and places the fleet.
func (p *person) placesFleet() {
	p.Helper()
	p.sees("#board .status", "Place your fleet")
	p.usable("fleet")
	p.moves("mouse", func(from box, x, y float64) {
		p.act(chromedp.MouseEvent(chromedp.MousePressed, from.X, from.Y, chromedp.ButtonLeft))
		p.act(chromedp.MouseEvent(chromedp.MouseMoved, x, y, chromedp.ButtonLeft))
		p.act(chromedp.MouseEvent(chromedp.MouseReleased, x, y, chromedp.ButtonLeft))
	})
	p.moves("finger", func(from box, x, y float64) {
		p.touch(input.DispatchTouchEventTypeTouchStart, &input.TouchPoint{X: from.X, Y: from.Y})
		p.touch(input.DispatchTouchEventTypeTouchMove, &input.TouchPoint{X: x, Y: y})
		p.touch(input.DispatchTouchEventTypeTouchEnd)
	})
	p.moves("keyboard", func(from box, x, _ float64) {
		p.run(`document.querySelector(".ship").focus()`)
		key := kb.ArrowRight
		if x < from.X {
			key = kb.ArrowLeft
		}
		p.act(chromedp.KeyEvent(key))
	})
	p.press("Shuffle")
	before := p.ship()
	p.run(`document.querySelector(".ship").focus()`)
	p.act(chromedp.KeyEvent("r"))
	if now := p.ship(); now.Wide != before.High || now.High != before.Wide {
		p.Errorf("R does not turn a ship: it was %+v and is %+v", before, now)
	}
	p.press("Shuffle")
	p.press("Place this fleet")
	p.until(`!document.querySelector(".ship[aria-label*=arrows]")`, "the fleet is not placed")
}

// moves has a ship of a new fleet moved by a column, and looks where it is then.
func (p *person) moves(with string, move func(from box, x, y float64)) {
	p.Helper()
	p.press("Shuffle")
	from := p.ship()
	by := 1
	if from.Column+from.Wide >= 8 {
		by = -1
	}
	move(from, from.X+float64(by)*from.Cell, from.Y)
	p.until(fmt.Sprintf(`(() => {
		const [sea, ship] = [document.querySelector(".ship").parentElement, document.querySelector(".ship")].map((e) => e.getBoundingClientRect());
		return Math.floor((ship.left - sea.left) / (sea.width / 8)) === %d;
	})()`, from.Column+by), fmt.Sprintf("by %s a ship of %+v is not moved by %d", with, from, by))
	if now := p.ship(); now.Row != from.Row || now.Wide != from.Wide {
		p.Errorf("by %s a ship of %+v becomes %+v", with, from, now)
	}
}

func (p *person) touch(kind input.DispatchTouchEventType, at ...*input.TouchPoint) {
	p.Helper()
	p.act(chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, input.DispatchTouchEvent, input.DispatchTouchEventParams{Type: kind, TouchPoints: append([]*input.TouchPoint{}, at...)})
		return err
	}))
}
