package cli

import (
	"fmt"
	"slices"
	"strings"
	"time"

	antev1 "github.com/ante-games/ante/proto/ante/v1"
)

// clock says what time is left in a match, empty where no time runs: of a clock on the chain, or of
// the patience with a silent player, with what follows then and what that costs. Chain is the
// Arena's clock, with its unit.
func (api *remote) clock(m *antev1.Match, now time.Time, chain arenaClock) string {
	if ended(m) {
		return ""
	}
	if m.Deadline > 0 {
		whose := "the clock of " + seatName(m, m.Mover)
		if m.Mover == int32(m.Seat) { //nolint:gosec // seats are few
			whose = "your clock"
		}
		return fmt.Sprintf("%s runs on the chain: %s", whose, chain.left(m.Deadline))
	}
	w := m.Waiting
	if w == nil {
		return ""
	}
	if len(w.Seats) == 0 {
		return clean(w.Text)
	}
	who, away := waitedFor(m)
	text := "waiting for " + who
	if away {
		text = who + " is away"
	}
	if len(w.Planned) == 0 {
		return text + ": " + clean(w.Text)
	}
	when := "now"
	if left := time.Unix(w.Until, 0).Sub(now); left > 0 {
		when = "in " + span(left)
	}
	text += ": the clock on the chain starts " + when
	if w.Fee != "" {
		text += ", and that will cost you about " + strings.TrimPrefix(ether(w.Fee), "~")
	}
	if w.Window > 0 {
		text += fmt.Sprintf("; then %s to answer", plural(w.Window, chain.unit))
	}
	return text
}

// closesAlone is what the daemon does when leaves says so.
const closesAlone = "closes the channel alone: the balances are paid a window later, this match by its clock"

// leaves reports whether the daemon, when its patience with a match ends, also closes the channel.
func leaves(m *antev1.Match) bool {
	return slices.ContainsFunc(m.GetWaiting().GetPlanned(), func(p *antev1.PlannedTransaction) bool { return slices.Contains(p.Calls, "contest") })
}

// waitedFor names the players for whom a match waits, and says whether none of them is connected.
func waitedFor(m *antev1.Match) (who string, away bool) {
	var names []string
	away = true
	for i, seat := range m.Seats {
		for _, late := range m.Waiting.Seats {
			if late == seat {
				names = append(names, seatName(m, int32(i))) //nolint:gosec // seats are few
				away = away && i < len(m.Players) && !m.Players[i].Connected
			}
		}
	}
	return strings.Join(names, ", "), away && len(names) == 1
}

// absent names the other player of a match of two in which it is the user's turn, if that player is
// not connected.
func absent(m *antev1.Match) string {
	other := 1 - int32(m.Seat) //nolint:gosec // seats are few
	if !m.YourTurn || len(m.Players) != 2 || m.Players[other].Connected {
		return ""
	}
	return seatName(m, other)
}

// seatName is what the player of a seat of a match is called.
func seatName(m *antev1.Match, seat int32) string {
	if seat < 0 || int(seat) >= len(m.Players) {
		return "the other player"
	}
	return called(m.Players[seat].Name, m.Players[seat].Account)
}

// span prints a time as minutes and seconds, with hours if there are any.
func span(d time.Duration) string {
	d = d.Round(time.Second)
	h, m, s := int(d.Hours()), int(d.Minutes())%60, int(d.Seconds())%60
	if h > 0 {
		return fmt.Sprintf("%d:%02d:%02d", h, m, s)
	}
	return fmt.Sprintf("%d:%02d", m, s)
}

// arenaClock is the Arena's clock: in seconds, or in blocks.
type arenaClock struct {
	at   uint64
	unit string
}

// arena asks for the Arena's clock. Without an answer it stands at 0.
func (api *remote) arena() arenaClock {
	s, err := call(api, api.GetStatus, &antev1.GetStatusRequest{})
	if err != nil {
		return arenaClock{}
	}
	return arenaClock{s.Clock, s.ClockUnit}
}

// left says how long it is until a time of the Arena's.
func (c arenaClock) left(until uint64) string {
	switch {
	case c.at == 0:
		return fmt.Sprintf("until %d", until)
	case c.at >= until:
		return "it is over"
	case c.unit == "seconds":
		return span(time.Duration(until-c.at)*time.Second) + " left" //nolint:gosec // a window
	default:
		return plural(until-c.at, c.unit) + " left"
	}
}

// plural prints so many of what is named in the plural.
func plural(n uint64, units string) string {
	if n == 1 {
		units = strings.TrimSuffix(units, "s")
	}
	return fmt.Sprintf("%d %s", n, units)
}
