package nodesim

import (
	"context"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
)

// Case is what a history is about. With its seed it fixes all that is left to chance: each strategy
// and each trouble draws from a source of its own that is named after it, so that a case stays what
// it is when others are added.
type Case struct {
	Seed  uint64
	Scene string // what the users do: see scenes
	Seats []Part
}

// Part is what is wrong with one seat.
type Part struct {
	Cheats   []string // how it cheats; none: it is honest
	Troubles []string // what befalls it
}

// String writes the case as it is kept in a test.
func (c Case) String() string {
	text := fmt.Sprintf("{Seed: %d, Scene: %q, Seats: []nodesim.Part{", c.Seed, c.Scene)
	for i, p := range c.Seats {
		if i > 0 {
			text += ", "
		}
		text += "{"
		if p.Cheats != nil {
			text += fmt.Sprintf("Cheats: %#v", p.Cheats)
		}
		if p.Troubles != nil {
			text += fmt.Sprintf("Troubles: %#v", p.Troubles)
		}
		text += "}"
	}
	return text + "}}"
}

// Draw draws the case of a seed.
func Draw(seed uint64) Case {
	r := chance(seed, "case")
	s := drawScene(r)
	c := Case{Seed: seed, Scene: s.name, Seats: make([]Part, s.least+r.IntN(s.most-s.least+1))}
	if r.IntN(4) > 0 {
		cheat := s.loyal + r.IntN(len(c.Seats)-s.loyal)
		c.Seats[cheat].Cheats = some(r, 1+r.IntN(2), s.ploys, cheats())
	}
	for i := range c.Seats {
		if c.Seats[i].Cheats != nil {
			continue
		}
		c.Seats[i].Troubles = some(r, r.IntN(3), troubles())
		if r.IntN(5) == 0 {
			c.Seats[i].Troubles = append(c.Seats[i].Troubles, some(r, 1, dire())...)
		}
	}
	return c
}

// some returns the names of n of the lists' ways, in any order.
func some(r *rand.Rand, n int, lists ...[]way) (drawn []string) {
	var all []way
	for _, list := range lists {
		all = append(all, list...)
	}
	for _, i := range r.Perm(len(all))[:n] {
		drawn = append(drawn, all[i].name)
	}
	return drawn
}

// chance returns the source of a name in the histories of a seed.
func chance(seed uint64, name string) *rand.Rand {
	h := fnv.New64a()
	_, _ = h.Write([]byte(name)) // never fails
	return rand.New(rand.NewPCG(seed, h.Sum64()))
}

// way is one way in which a seat cheats, or in which something befalls it.
type way struct {
	name string
	join func(ctx context.Context, s *seat, r *rand.Rand)
}

// take has the named one of some ways happen to a seat, and reports whether it is among them.
func (s *seat) take(ctx context.Context, name string, list []way) bool {
	for _, w := range list {
		if w.name == name {
			s.names = append(s.names, name)
			w.join(ctx, s, chance(s.Seed, fmt.Sprintf("%s %d", name, s.index)))
			return true
		}
	}
	return false
}

// begin makes the seats and what befalls them, and starts the nodes.
func (h *history) begin(ctx context.Context) error {
	if h.scene = sceneOf(h.Scene); h.scene == nil {
		return fmt.Errorf("there is no scene %q", h.Scene)
	}
	for i := range h.Seats {
		s, err := h.sit(i, i)
		if err != nil {
			return err
		}
		if err := h.world.endow(s.account(), own, bank); err != nil {
			return err
		}
		h.seats = append(h.seats, s)
	}
	if err := h.scene.set(h); err != nil {
		return err
	}
	for i, s := range h.seats {
		for _, name := range h.Seats[i].Cheats {
			if s.honest = false; !s.take(ctx, name, cheats()) && !s.take(ctx, name, h.scene.ploys) {
				return fmt.Errorf("no seat cheats by %q", name)
			}
		}
		for _, name := range h.Seats[i].Troubles {
			if s.take(ctx, name, troubles()) {
				continue
			}
			if s.dire = true; !s.take(ctx, name, dire()) {
				return fmt.Errorf("%q befalls nobody", name)
			}
		}
	}
	for _, s := range h.seats {
		s.back(ctx)
	}
	return nil
}
