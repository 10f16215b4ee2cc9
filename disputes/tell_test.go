package disputes_test

import (
	"cmp"
	"fmt"
	"regexp"
	"strings"

	"github.com/ante-games/ante/protocol/onchain"
)

// print returns the plan as people would tell it.
func (s *script) print() string {
	var b strings.Builder
	for _, o := range s.plan.Orders {
		b.WriteString("transaction")
		if o.Deadline() != 0 {
			fmt.Fprintf(&b, ", before %d", o.Deadline())
		}
		b.WriteString("\n")
		done, err := o.Action(s.board.domain, s.board.keys[s.c.Seat])
		if err != nil {
			s.Fatal(err)
		}
		actions, ok := done.(onchain.Batch)
		if !ok {
			actions = onchain.Batch{done}
		}
		for i, st := range o.Steps {
			fmt.Fprintf(&b, "  %s, %s at stake: %s\n", s.say(actions[i]), st.Stake.Dec(), s.name(st.Why))
		}
	}
	for _, st := range s.plan.Underway {
		fmt.Fprintf(&b, "underway: %s\n", s.name(st.Why))
	}
	for _, w := range s.plan.Wants {
		who := "me"
		if w.Chance {
			who = "the chain"
		}
		fmt.Fprintf(&b, "wanted: a move of %s in %s from turn %s", who, s.names[w.MatchID], w.Turn)
		if w.Deadline != 0 {
			fmt.Fprintf(&b, ", before %d", w.Deadline)
		}
		b.WriteString("\n")
	}
	for _, a := range s.plan.Alarms {
		fmt.Fprintf(&b, "%s: %s\n", a.Level, s.name(a.Text))
	}
	if s.plan.Next != 0 {
		fmt.Fprintf(&b, "look again at %d\n", s.plan.Next)
	}
	return cmp.Or(b.String(), "nothing to do\n")
}

func (s *script) say(a onchain.Action) string {
	switch a := a.(type) {
	case onchain.Close:
		return fmt.Sprintf("close with %d", a.Ledger.Version)
	case onchain.ContestLedger:
		return fmt.Sprintf("contest with %d", a.Ledger.Version)
	case onchain.Settle:
		var names []string
		for _, m := range a.Matches {
			names = append(names, s.names[m.Terms.ID(s.board.domain)])
		}
		return fmt.Sprintf("settle %d %v", a.Ledger.Version, names)
	case onchain.Advance:
		by := make([]string, len(a.Support.Signatures))
		for i, sig := range a.Support.Signatures {
			by[i] = fmt.Sprintf("%d@%d", sig.Seat, sig.At)
		}
		return fmt.Sprintf("advance %s to turn %s (base %s, moves %d, signed %s)%s", s.names[a.Match.ID(s.board.domain)],
			a.Support.Last(), a.Support.Turn, len(a.Support.Moves), strings.Join(by, " "), map[bool]string{true: " and demand"}[a.Demand != nil])
	case onchain.DemandMove:
		return fmt.Sprintf("demand %s", s.names[a.Match.ID(s.board.domain)])
	case onchain.Agree:
		return fmt.Sprintf("agree %s", s.names[a.Match.ID(s.board.domain)])
	case onchain.Expire:
		return fmt.Sprintf("expire %s", s.names[a.Match.ID(s.board.domain)])
	case onchain.Convict:
		return fmt.Sprintf("convict seat %d in %s", a.Proof.Seat, s.names[a.Match.ID(s.board.domain)])
	}
	return fmt.Sprintf("%T", a)
}

// name puts the matches' names where their ids are.
func (s *script) name(text string) string {
	for id, name := range s.names {
		text = strings.ReplaceAll(text, id.String(), name)
	}
	return priced.ReplaceAllString(text, "about so much gas")
}

// priced finds prices: they change with the contracts, while plans don't.
var priced = regexp.MustCompile(`about \d+ gas(, that is \d+ wei now)?`)
