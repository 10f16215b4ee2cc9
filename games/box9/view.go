package box9

import (
	"fmt"
	"strings"

	"github.com/ante-games/ante/games"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// View is a position for people. Amounts are decimal, in wei or token units.
type View struct {
	Phase  string     `json:"phase"`
	Round  int        `json:"round"` // from 1
	Rounds int        `json:"rounds"`
	Block  uint64     `json:"block,omitempty"`  // whose hash draws the round
	Closes uint64     `json:"closes,omitempty"` // block at which the house closes the bets
	Price  uint32     `json:"price"`            // of a box in coins
	Coin   string     `json:"coin"`
	Rolled string     `json:"rolled"` // prizes that nobody has won yet
	Seat   int        `json:"seat"`   // that looks
	Seats  []ViewSeat `json:"seats"`
	Head   uint64     `json:"head,omitempty"`  // the newest block, where it is known
	Draws  []ViewDraw `json:"draws,omitempty"` // of the blocks behind it, newest first
	Ending string     `json:"ending,omitempty"`
}

// ViewSeat is a seat of the table.
type ViewSeat struct {
	Role   string `json:"role"` // you, house, or player
	Pocket string `json:"pocket"`
	Credit string `json:"credit"` // can only be bet
	Boxes  []int  `json:"boxes,omitempty"`
}

// ViewDraw is what the hash of a block makes of the boxes, whether or not a round was drawn by it.
type ViewDraw struct {
	Block  uint64      `json:"block"`
	Hash   common.Hash `json:"hash"`
	Gold   uint8       `json:"gold"`
	Silver [2]uint8    `json:"silver"`
}

// shownDraws is how many draws a view shows: those of the last two rounds, however slowly its
// reader looks.
const shownDraws = 4

// draws returns the newest draws that the chain can't change any more.
func draws(t seat) (list []ViewDraw) {
	head := t.Context.Facts.Head()
	for block := head - head%roundEvery; block > 0 && block+lookback > head && len(list) < shownDraws; block -= roundEvery {
		if hash, known := t.Context.Facts.BlockHash(block); known {
			r := Draw(hash, t.Params.Coins)
			list = append(list, ViewDraw{block, hash, r.Gold, r.Silver})
		}
	}
	return list
}

var phaseNames = [...]string{Naming: "naming", Betting: "betting", Drawing: "drawing", Over: "over"}

func (player) View(t seat) games.View {
	s := &t.State
	v := View{
		Phase: phaseNames[s.Phase], Round: int(s.Round) + 1, Rounds: int(t.Params.Rounds),
		Price: t.Params.Coins, Coin: fmt.Sprint(t.Params.Coin), Rolled: "0", Seat: int(t.Seat), Seats: []ViewSeat{},
	}
	if s.Phase == Betting || s.Phase == Drawing {
		v.Block = s.Block
	}
	if s.Phase == Betting {
		v.Closes = closes(t)
	}
	if t.Context.Facts != nil {
		v.Head, v.Draws = t.Context.Facts.Head(), draws(t)
	}
	if s.Phase == Over {
		v.Ending = s.Ending.text()
	} else {
		v.Rolled = s.pot(Whole).Dec()
	}
	for i := range s.Pocket {
		seat := ViewSeat{Role: "player", Pocket: s.Pocket[i].Dec(), Credit: "0", Boxes: s.Bets[i].Numbers()}
		if i < len(s.Credit) {
			seat.Credit = s.Credit[i].Dec()
		}
		if i == House {
			seat.Role = "house"
		}
		if i == int(t.Seat) {
			seat.Role = "you"
		}
		v.Seats = append(v.Seats, seat)
	}
	return v
}

func (e Ending) text() string {
	return [...]string{Played: "all rounds are played", Left: "the house ended it", Silent: "the house fell silent"}[e]
}

// String draws the view for a terminal.
func (v View) String() string { return v.Text(games.Plain) }

// Text implements games.Priced.
func (v View) Text(amount func(string) string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "Round %d of %d at the table of %d coins (a coin is %s). ", v.Round, v.Rounds, v.Price, amount(v.Coin))
	switch v.Phase {
	case "naming":
		fmt.Fprintln(&b, "The house will name the round's block.")
	case "betting":
		fmt.Fprintf(&b, "Block %d draws%s; bets close at block %d%s.\n", v.Block, v.away(v.Block), v.Closes, v.away(v.Closes))
	case "drawing":
		fmt.Fprintf(&b, "Bets are closed; block %d draws%s.\n", v.Block, v.away(v.Block))
	default:
		fmt.Fprintf(&b, "It is over: %s.\n", v.Ending)
	}
	if v.Rolled != "0" {
		fmt.Fprintf(&b, "Not won yet: %s, on top of gold.\n", amount(v.Rolled))
	}
	for i, s := range v.Seats {
		fmt.Fprintf(&b, "%3d. %-6s %s", i, s.Role, amount(s.Pocket))
		if s.Credit != "0" {
			fmt.Fprintf(&b, ", and %s to bet only", amount(s.Credit))
		}
		if len(s.Boxes) > 0 {
			fmt.Fprintf(&b, ", on %s", strings.Trim(fmt.Sprint(s.Boxes), "[]"))
		}
		b.WriteByte('\n')
	}
	return b.String() + v.picture()
}

func (player) Describe(p Params, s State, m Move) string {
	switch m := m.(type) {
	case Name:
		if m == 0 {
			return "ends the match"
		}
		return fmt.Sprintf("opens round %d: block %d draws", s.Round+1, m)
	case Close:
		if len(m) == 0 {
			return fmt.Sprintf("closes round %d, without bets", s.Round+1)
		}
		list := make([]string, len(m))
		for i, b := range m {
			list[i] = fmt.Sprintf("seat %d on %v", b.Seat, b.Mask)
		}
		return fmt.Sprintf("closes the bets of round %d: %s", s.Round+1, strings.Join(list, "; "))
	case Reveal:
		return describeDraw(p, s, m)
	default:
		return ""
	}
}

func describeDraw(p Params, s State, m Reveal) string {
	r := Draw(m.Hash, p.Coins)
	boxes := fmt.Sprintf("block %d is %s: gold in box %d, silver in %d and %d", s.Block, m.Hash, r.Gold, r.Silver[0], r.Silver[1])
	if m.Counts == Void {
		return boxes + "; the round is void, bets go back"
	}
	if m.Bets != s.Bets {
		boxes += "; other bets were noted on-chain than closed"
	}
	n := s.draw(p, m.Hash, m.Counts, m.Bets)
	for seat := range s.Pocket {
		if won := new(uint256.Int).Sub(&n.Pocket[seat], &s.Pocket[seat]); seat != House && won.Sign() > 0 {
			boxes += fmt.Sprintf("; seat %d gains %s", seat, p.inCoins(won))
		}
	}
	return boxes
}
