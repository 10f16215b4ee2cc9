package nodesim

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/protocol/onchain"
)

// Simulation is a chain on which histories can be played, one at a time or several at once.
type Simulation struct{ ground *ground }

// New makes a simulation of some games. The error says why the chain can't be set up.
func New(catalog games.Catalog) (*Simulation, error) {
	g, err := newGround(catalog)
	if err != nil {
		return nil, err
	}
	return &Simulation{g}, nil
}

// Verdict is what one history came to.
type Verdict struct {
	Case     Case
	Names    []string // of the scene, and of what befell the seats
	Disputed bool     // something was posted on the chain but for the opening and the closing
	Blocks   uint64
	Gas      uint64 // of all transactions
	// something befell an honest seat that might cost it money whatever its node does
	Dire  bool
	Lost  []string
	House []HouseMatch // of a house
	Steps []Step       // all that left a node, by time
	diary []string
}

// Story is the whole history as it was played.
func (v *Verdict) Story() string {
	return fmt.Sprintf("%v\n%s", v.Case, strings.Join(v.diary, "\n"))
}

func (h *history) verdict() *Verdict {
	v := &Verdict{Case: h.Case, Blocks: h.world.head() - h.world.first, Lost: h.lost, diary: h.diary, House: h.house, Steps: h.trace.all()}
	v.Names = append(v.Names, h.Scene)
	for _, s := range h.seats {
		v.Names = append(v.Names, s.names...)
		v.Dire = v.Dire || s.dire
	}
	if len(v.Names) == 1 {
		v.Names = append(v.Names, "nothing")
	}
	slices.Sort(v.Names)
	v.Names = slices.Compact(v.Names)
	for _, e := range h.world.events() {
		switch e.(type) {
		case onchain.Contested, onchain.Recorded:
			v.Disputed = true
		}
	}
	for i := range h.world.blocks {
		for _, tx := range h.world.blocks[i].txs {
			v.Gas += h.world.receipts[tx].GasUsed
		}
	}
	return v
}
