package gametest

import (
	"cmp"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/ante-games/ante/games"
	"github.com/holiman/uint256"
)

// Row is the result of one way to cheat.
type Row struct {
	Phase string   // as the game's view names it
	Seat  string   // its role in the view, or its number
	Cheat string   // what it does
	Then  []string // what came of it: the reasons of the outcomes, or that the move is refused
	// the most that it was paid above honest play in the same match, in thousandths of all stakes;
	// should not be above 0
	Gain  *big.Int
	Cost  *big.Int // the most that it was paid less, likewise
	Why   string   // Suite.Allowed, if it paid more
	Times int
}

type key struct{ phase, seat, cheat string }

type rows map[key]*Row

// level makes stakes easily compared, where they don't depend on each other.
func (r rows) level(m *match) {
	if m.suite.Stakes != nil {
		return
	}
	for i, least := range m.suite.least(m.t, m.c.Params) {
		if m.c.Stakes[i] = least; least.IsZero() && m.suite.Game.Stakes == nil {
			m.c.Stakes[i].SetUint64(1000)
		}
	}
}

// key says where a seat cheats how.
func (l *line) key(seat uint8, cheat string) key {
	phase, role := l.look(seat)
	role = cmp.Or(role, fmt.Sprintf("seat %d", seat))
	phase = cmp.Or(phase, "?")
	return key{phase, role, cheat}
}

// end judges a match in which a seat has cheated by the same one in which it has not.
func (r rows) end(l *line, seat uint8, k key, honest *line) {
	o, fair := l.result(), honest.result()
	if others := o.Guilty &^ (1 << seat); others != 0 {
		l.t.Errorf("%sseat %d %q in phase %q, and honest seats are convicted: guilty %b, reason %q", l.where, seat, k.cheat, k.phase, o.Guilty, o.ReasonText())
	}
	then := o.ReasonText()
	switch {
	case o.Guilty != 0:
		then = "convicted: " + then
	case then == "":
		then = "played on: the score decides"
	}
	gain := new(big.Int).Sub(o.Payouts[seat].ToBig(), fair.Payouts[seat].ToBig())
	if gain.Sign() > 0 && l.suite.Allowed[k.phase+"/"+k.cheat] == "" {
		l.t.Errorf("%sseat %d (%s) %q in phase %q, and is paid %v; by honest play it is %v (%s). If that is luck, say so in Suite.Allowed[%q]\ncheating: %v\nhonest:   %v",
			l.where, seat, k.seat, k.cheat, k.phase, &o.Payouts[seat], &fair.Payouts[seat], then, k.phase+"/"+k.cheat, l.moves(), honest.moves())
	}
	r.add(k, then, share(gain, l.c.Stakes))
	if gain.Sign() > 0 {
		r[k].Why = l.suite.Allowed[k.phase+"/"+k.cheat]
	}
}

func (l *line) result() games.Outcome {
	o, err := l.outcome(l.state, l.c.Stakes)
	if err != nil {
		l.t.Fatalf("%soutcome of 0x%x: %v", l.where, l.state, err)
	}
	return o
}

// moves lists a line's moves, for failures.
func (l *line) moves() string {
	var b strings.Builder
	for _, s := range l.steps {
		fmt.Fprintf(&b, " %d:0x%x", s.seat, s.move)
	}
	return b.String()
}

// share is a part of all stakes in thousandths, rounded away from zero.
func share(v *big.Int, stakes []uint256.Int) *big.Int {
	var pot big.Int
	for i := range stakes {
		pot.Add(&pot, stakes[i].ToBig())
	}
	if pot.Sign() == 0 {
		return v
	}
	q, rest := new(big.Int).QuoRem(new(big.Int).Mul(v, big.NewInt(1000)), &pot, new(big.Int))
	return q.Add(q, big.NewInt(int64(rest.Sign())))
}

func (r rows) add(k key, then string, gain *big.Int) {
	row := r[k]
	if row == nil {
		row = &Row{Phase: k.phase, Seat: k.seat, Cheat: k.cheat, Gain: gain, Cost: new(big.Int)}
		r[k] = row
	}
	row.Times++
	if !slices.Contains(row.Then, then) {
		row.Then = append(row.Then, then)
		slices.Sort(row.Then)
	}
	if gain.Cmp(row.Gain) > 0 {
		row.Gain = gain
	}
	if less := new(big.Int).Neg(gain); less.Cmp(row.Cost) > 0 {
		row.Cost = less
	}
}

func (r rows) sorted() []Row {
	list := make([]Row, 0, len(r))
	for _, row := range r {
		list = append(list, *row)
	}
	slices.SortFunc(list, func(a, b Row) int {
		return cmp.Or(strings.Compare(a.Phase, b.Phase), strings.Compare(a.Seat, b.Seat), strings.Compare(a.Cheat, b.Cheat))
	})
	return list
}
