package house

import (
	"testing"

	"github.com/ante-games/ante/games/catalog"
	"github.com/ante-games/ante/protocol"
	"github.com/holiman/uint256"
)

// A policy is understood or refused, and one that is understood judges any match without a panic.
func FuzzPolicy(f *testing.F) {
	list := catalog.Standard()
	f.Add([]byte(usual), []byte{})
	f.Add([]byte(`{"Games":{"mastermind":{}},"Channels":1,"Exposure":"1eth","Deposit":"1"}`), []byte{4, 6, 12, 4})
	f.Add([]byte(`{"Games":null}`), []byte{1})
	f.Fuzz(func(t *testing.T, text, params []byte) {
		p, err := Parse(text, list)
		if err != nil {
			return
		}
		for _, g := range list {
			_ = p.Match(list, g.Name, protocol.MatchTerms{Params: params, Seats: []uint8{0, 1}, Stakes: make([]uint256.Int, 2)}, 1)
		}
	})
}
