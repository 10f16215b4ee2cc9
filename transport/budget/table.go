package budget

import (
	"fmt"
	"strings"
	"time"
)

// Table writes limits as a table for people, in Markdown.
func Table(limits []Limit) string {
	var out strings.Builder
	out.WriteString("budget | counts | each stranger | each address | all strangers | each player | all players\n")
	out.WriteString("---|---|---|---|---|---|---\n")
	for _, l := range limits {
		fmt.Fprintf(&out, "`%s` | %s | %s | %s | %s | %s | %s\n", l.Name, l.Counts, l.Account, l.Group, l.Total, l.Friend, l.Friends)
	}
	return out.String()
}

// String writes a share for people: "16+1/10s" is 16 at once, and one more every ten seconds; "8"
// are places.
func (s Share) String() string {
	switch {
	case s.Burst == 0:
		return "–"
	case s == None:
		return "none"
	case s.Every == 0:
		return fmt.Sprintf("%d", s.Burst)
	case s.Every <= time.Second && time.Second%s.Every == 0:
		return fmt.Sprintf("%d+%d/s", s.Burst, time.Second/s.Every)
	default:
		return fmt.Sprintf("%d+1/%s", s.Burst, strings.Replace(s.Every.String(), "m0s", "m", 1))
	}
}
