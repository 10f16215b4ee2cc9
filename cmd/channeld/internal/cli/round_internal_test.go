package cli

import (
	"strings"
	"testing"

	antev1 "github.com/ante-games/ante/proto/ante/v1"
)

// TestRoundState: a round is over for its house with the last of its pairs, and for a player with
// its own.
func TestRoundState(t *testing.T) {
	t.Parallel()
	for states, want := range map[string][2]string{ // to a player, and to the house
		"": {"drawn", "drawn"}, "drawn closing": {"drawn", "drawn"}, "drawn done": {"over", "drawn"}, "dropped done": {"over", "over"},
	} {
		x := &antev1.RoundInfo{State: "drawn"}
		for _, state := range strings.Fields(states) {
			x.Groups = append(x.Groups, &antev1.RoundGroupInfo{State: state})
		}
		for i, mine := range []bool{false, true} {
			if x.Mine = mine; roundState(x) != want[i] {
				t.Errorf("%q, mine %t: %s", states, mine, roundState(x))
			}
		}
	}
}
