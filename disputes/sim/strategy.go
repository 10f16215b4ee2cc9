package sim

import (
	"fmt"
	"slices"

	"github.com/ante-games/ante/channel"
	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/protocol/message"
	"github.com/ante-games/ante/protocol/onchain"
)

// Strategy is one way to cheat, or to fail. A seat that cheats plays as an honest one but for its
// strategies, of which it has one to three.
type Strategy struct {
	Name  string
	About string // what it does, for people
	// join has a seat play so, and says when and how.
	join func(g *gang, s *seat) string
}

// All returns every strategy there is.
func All() []Strategy {
	return []Strategy{
		silent, withhold, slowDeath, abort, stale, equivocate, playOn, collusion, lie, copying, flood, away, frontRun, crashing, backup, draws, meddling,
	}
}

// Pick returns the strategies of these names. It panics at a name that there is none of.
func Pick(names ...string) []Strategy {
	var list []Strategy
	for _, name := range names {
		i := slices.IndexFunc(All(), func(s Strategy) bool { return s.Name == name })
		if i < 0 {
			panic(fmt.Sprintf("no strategy %q", name))
		}
		list = append(list, All()[i])
	}
	return list
}

// steps draws after how many steps something happens: early ones often, late ones now and then.
func (g *gang) steps() int {
	if g.r.IntN(3) == 0 {
		return g.r.IntN(60)
	}
	return g.r.IntN(10)
}

// mute has a seat say nothing any more after some messages, and returns how many it has left.
func (s *seat) mute(after int) {
	said := s.hooks.says
	left := after
	s.hooks.says = func(to int, msg message.Message) bool {
		if left == 0 {
			return false
		}
		left--
		return said == nil || said(to, msg)
	}
}

// unless has a seat make no decision any more once something is true.
func (s *seat) unless(gone func(m *channel.MatchView, t games.Table, d *games.Decision) bool) {
	s.instead(func(m *channel.MatchView, t games.Table, d *games.Decision) *games.Decision {
		if gone(m, t, d) {
			return nil
		}
		return d
	})
}

// instead has a seat make other decisions in place of its own, or none: nil.
func (s *seat) instead(change func(m *channel.MatchView, t games.Table, d *games.Decision) *games.Decision) {
	before := s.hooks.chooses
	s.hooks.chooses = func(m *channel.MatchView, t games.Table, honest func() (*games.Decision, error)) (*games.Decision, error) {
		choose := honest
		if before != nil {
			choose = func() (*games.Decision, error) { return before(m, t, honest) }
		}
		d, err := choose()
		if d == nil || err != nil {
			return d, err
		}
		return change(m, t, d), nil
	}
}

// silent falls silent for good: no message, no move, no transaction.
var silent = Strategy{"silent", "falls silent for good at some step", func(g *gang, s *seat) string {
	k := g.steps()
	s.mute(k)
	left := k
	s.unless(func(*channel.MatchView, games.Table, *games.Decision) bool { left--; return left < 0 })
	s.hooks.passive = true
	return fmt.Sprintf(" from step %d", k)
}}

// withhold keeps its messages to itself from some step on, and defends itself on the chain.
var withhold = Strategy{"withhold", "sends no message from some step on, but answers on the chain", func(g *gang, s *seat) string {
	k := g.steps()
	s.mute(k)
	return fmt.Sprintf(" from message %d", k)
}}

// slowDeath answers on the chain only, each time at the last moment.
var slowDeath = Strategy{"slow", "answers every clock at the last moment, and nothing off the chain", func(g *gang, s *seat) string {
	k := g.steps()
	s.mute(k)
	s.hooks.late = true
	return fmt.Sprintf(" from message %d", k)
}}

// abort plays until its own move would end the match at its expense.
var abort = Strategy{"abort", "makes no move that ends the match at its expense", func(g *gang, s *seat) string {
	s.unless(func(m *channel.MatchView, t games.Table, d *games.Decision) bool {
		pays, over := s.pays(t, d)
		return over && pays.Lt(&t.Context.Stakes[t.Seat])
	})
	return ""
}}

// stale posts old ledgers and old positions.
var stale = Strategy{"stale", "posts ledgers and positions that play went beyond", func(g *gang, s *seat) string {
	g.acts = append(g.acts, act{s, postLedger}, act{s, postPosition}, act{s, postPosition})
	return ""
}}

// equivocate makes two moves from one position: one is sent, the other posted some time, or sent as
// well.
var equivocate = Strategy{"equivocate", "signs two positions of one turn, and shows each to whom it likes", func(g *gang, s *seat) string {
	left := g.steps()
	k := left
	s.instead(func(m *channel.MatchView, t games.Table, d *games.Decision) *games.Decision {
		if left--; left >= 0 || m.Support == nil {
			return d
		}
		a := g.albums[m.ID]
		if a == nil {
			g.learn(s)
			if a = g.albums[m.ID]; a == nil {
				return d
			}
		}
		other, err := s.play(t, t.Seat)
		for range 6 { // rather one that pays
			if err != nil || other == nil {
				return d
			}
			if pays, over := s.pays(t, other); over && pays.Gt(&t.Context.Stakes[t.Seat]) {
				g.at = g.chain.Block()
				break
			}
			other, err = s.play(t, t.Seat)
		}
		if err != nil || other == nil {
			return d
		}
		fork, state := g.extend(s, m.ID, a, m.Support, t.State, other.Move, t.Context.Signed, t.Context.Recorded)
		if fork == nil {
			return d
		}
		a.add(fork)
		if to := g.r.IntN(2 * len(g.seats)); to < len(g.seats) && to != s.index {
			s.say(to, message.Move{MatchID: m.ID, Turn: fork.Last(), Move: other.Move, State: state, Signature: fork.Signatures[len(fork.Signatures)-1].Signature})
		}
		return d
	})
	g.acts = append(g.acts, act{s, postPosition})
	return fmt.Sprintf(" from decision %d", k)
}}

// playOn moves on from whatever is recorded, whatever it signed before.
var playOn = Strategy{"go on", "moves on from any position that is recorded, whatever it signed before", func(g *gang, s *seat) string {
	g.acts = append(g.acts, act{s, postPosition}, act{s, goOn}, act{s, goOn})
	return ""
}}

// collusion plays on from any position that anybody ever showed, for as long as it or its like are
// on move, signs all of it with all their keys, and posts it.
var collusion = Strategy{"collude", "plays on by itself and its like from any position, and all of them sign that", func(g *gang, s *seat) string {
	g.acts = append(g.acts, act{s, collude}, act{s, collude})
	return ""
}}

// lie plays by one of the game's own liars.
var lie = Strategy{"lie", "lies as the game's Liars do", func(g *gang, s *seat) string {
	liars := g.game.Liars
	if len(liars) == 0 {
		return ", but this game leaves no room"
	}
	l, round := liars[g.r.IntN(len(liars))], uint32(g.r.IntN(3))
	s.hooks.player = l.Player(round)
	return fmt.Sprintf(": %s in round %d", l.Name, round)
}}

// copying makes the last move of another seat its own, where that is legal: commitments above all.
var copying = Strategy{"copy", "makes another seat's last move its own where that is legal", func(g *gang, s *seat) string {
	left := 1 + g.r.IntN(4)
	s.instead(func(m *channel.MatchView, t games.Table, d *games.Decision) *games.Decision {
		c := s.claims[m.ID]
		if c == nil || c.heard == nil || left == 0 {
			return d
		}
		left--
		if _, err := s.mustRules().Play(t.Context, t.State, c.heard); err != nil {
			return d
		}
		return &games.Decision{Move: c.heard, Secrets: t.Secrets}
	})
	return ""
}}

// flood repeats its messages, and fills blocks with what others sent before.
var flood = Strategy{"flood", "repeats its messages many times, and sends transactions of others again", func(g *gang, s *seat) string {
	said := s.hooks.says
	left := 200
	s.hooks.says = func(to int, msg message.Message) bool {
		if said != nil && !said(to, msg) {
			return false
		}
		for range g.r.IntN(4) {
			if left > 0 && s.node != nil {
				left--
				// lost or not
				_ = s.node.Send(g.seats[to].player.Address(), message.Envelope(g.id, msg))
			}
		}
		return true
	}
	g.acts = append(g.acts, act{s, func(g *gang, by *seat) {
		if len(g.sent) > 0 {
			g.post(by, g.sent[g.r.IntN(len(g.sent))])
		}
	}})
	return ""
}}

// away goes away for longer than anybody waits, and comes back.
var away = Strategy{"away", "is away for a while, longer than anybody waits", func(g *gang, s *seat) string {
	from, blocks := 1+g.r.Uint64N(2*window), 1+g.r.Uint64N(3*window)
	s.away(g.began+confirmed+from, blocks)
	return fmt.Sprintf(" from block %d for %d", from, blocks)
}}

// frontRun goes before honest transactions with what they carry.
var frontRun = Strategy{"front-run", "sees the pool, and sends what honest transactions carry before them, without their Demands", func(g *gang, s *seat) string {
	g.front = true
	g.weather.delay = 2
	return ""
}}

// crashing dies at some write.
var crashing = Strategy{"crash", "crashes at some write, and comes back with what was durable", func(g *gang, s *seat) string {
	s.crash = crash{at: 1 + g.r.IntN(60), where: g.r.IntN(3)}
	return fmt.Sprintf(" at batch %d", s.crash.at)
}}

// backup goes back to an old copy of its store, and plays on as if nothing was.
var backup = Strategy{"backup", "goes back to an old copy of its store, and plays on from there", func(g *gang, s *seat) string {
	s.copyAt = 1 + g.steps()
	s.backAt = s.copyAt + 1 + g.steps()
	return fmt.Sprintf(" of batch %d at batch %d", s.copyAt, s.backAt)
}}

// draws offers to end matches by agreement, plays on all the same, and posts agreements that play
// went beyond.
var draws = Strategy{"draws", "offers draws, plays on, and posts agreements that play went beyond", func(g *gang, s *seat) string {
	s.instead(func(m *channel.MatchView, _ games.Table, d *games.Decision) *games.Decision {
		if g.r.IntN(3) == 0 {
			// refused when it is too late
			_ = s.feed(channel.OfferAgreement{MatchID: m.ID, Turn: m.Turn, Payouts: m.Terms.Stakes})
		}
		return d
	})
	g.acts = append(g.acts, act{s, func(g *gang, by *seat) {
		id, a := g.anyMatch()
		if a == nil || len(a.draws) == 0 {
			return
		}
		d := a.draws[g.r.IntN(len(a.draws))]
		g.note("seat %d posts the agreement of turn %s", by.index, d.Turn)
		g.post(by, onchain.Agree{Terms: g.terms, Match: a.terms, Record: g.view.Recorded(id), Agreement: *d})
	}})
	return ""
}}

// meddling expires, settles, demands and accuses out of turn.
var meddling = Strategy{"meddle", "expires, settles, demands and accuses out of turn", func(g *gang, s *seat) string {
	g.acts = append(g.acts, act{s, meddle}, act{s, meddle})
	return ""
}}
