package box9

import (
	"fmt"
	"strings"
)

// picture draws the nine boxes for a terminal: while bets are closed who bets on which, else what
// the newest block filled.
func (v View) picture() string {
	var labels [Boxes]string
	switch {
	case v.Phase == phaseNames[Drawing]:
		for box := range labels {
			labels[box] = v.bettors(box + 1)
		}
	case len(v.Draws) > 0:
		d := v.Draws[0]
		labels[d.Gold-1], labels[d.Silver[0]-1], labels[d.Silver[1]-1] = "gold", "silver", "silver"
	default:
		return ""
	}
	const line = "──────────"
	out := "┌" + line + "┬" + line + "┬" + line + "┐\n"
	for box, label := range labels {
		out += fmt.Sprintf("│ %d %-6s ", box+1, label)
		if box%3 == 2 {
			out += "│\n"
		}
		if box == 2 || box == 5 {
			out += "├" + line + "┼" + line + "┼" + line + "┤\n"
		}
	}
	out += "└" + line + "┴" + line + "┴" + line + "┘\n"
	if v.Phase == phaseNames[Drawing] {
		return out
	}
	return fmt.Sprintf("At this table block %d filled:\n%s", v.Draws[0].Block, out)
}

// bettors says who bets on a box.
func (v View) bettors(box int) string {
	var who []string
	others := 0
	for seat, s := range v.Seats {
		for _, b := range s.Boxes {
			switch {
			case b != box:
			case seat == v.Seat:
				who = append(who, "you")
			default:
				others++
			}
		}
	}
	if others > 0 {
		who = append(who, fmt.Sprintf("+%d", others))
	}
	return strings.Join(who, " ")
}

// away says how far a block is, where that is known.
func (v View) away(block uint64) string {
	if v.Head == 0 || v.Head >= block {
		return ""
	}
	return fmt.Sprintf(" (%d to go)", block-v.Head)
}
