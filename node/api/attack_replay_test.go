package api_test

import (
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"connectrpc.com/connect"
	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/node"
	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"github.com/holiman/uint256"
	"google.golang.org/protobuf/proto"
)

// showy is a player side whose positions are long, as those of a stranger's rules may be.
type showy struct {
	games.Player
	shown *atomic.Int32
}

func (s showy) View(games.Table) (games.View, error) {
	s.shown.Add(1)
	return picture(strings.Repeat("x", 1<<20)), nil
}

type picture string

func (p picture) String() string { return string(p) }

// TestAttack_BadRules_Showy: of a long match whose positions are long only the newest are made and
// told, as many as an answer has room for.
func TestAttack_BadRules_Showy(t *testing.T) {
	const turns, room = 40, 8 << 20
	var shown atomic.Int32
	p := start(t, func(c *node.Config) {
		c.Games = slices.Clone(c.Games)
		for i := range c.Games {
			c.Games[i].Player = showy{c.Games[i].Player, &shown}
		}
	})
	check(t, p.alice.Propose(p.channel, node.MatchRequest{Game: "mastermind", Stakes: []uint256.Int{*uint256.NewInt(1e17)}}))
	match, changes := p.begun(t), map[string][]byte{}
	for turn := 1; turn <= turns; turn++ {
		changes[fmt.Sprintf("replay/%s/%016x", match.Hex(), turn)] = []byte(`{"by":0,"state":"AA=="}`)
	}
	check(t, p.config.Store.Commit(changes))
	shown.Store(0)
	r, err := p.owner().GetReplay(t.Context(), connect.NewRequest(&antev1.GetReplayRequest{MatchId: match.Hex()}))
	check(t, err)
	list := r.Msg.Positions
	if len(list) == 0 || list[len(list)-1].Turn != fmt.Sprint(turns) || len(list) > 1 && list[0].Turn != fmt.Sprint(turns-len(list)+1) {
		t.Errorf("%d positions are told, and not the newest", len(list))
	}
	if size := proto.Size(r.Msg); size > room+1<<20 || int(shown.Load()) > len(list)+2 || r.Msg.Missing == "" {
		t.Errorf("%d positions in %d bytes, of %d that are made; missing: %q", len(list), size, shown.Load(), r.Msg.Missing)
	}
}
