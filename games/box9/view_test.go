package box9

import (
	"slices"
	"strings"
	"testing"

	"github.com/ante-games/ante/games"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

func TestInCoins(t *testing.T) {
	for _, c := range []struct {
		coin, amount uint64
		want         string
	}{
		{1000, 0, "0 coins"}, {1000, 7000, "7 coins"}, {1000, 8750, "8.75 coins"}, {1000, 1, "0.001 coins"}, {1, 12, "12 coins"},
		{3, 1, "about 0.333333 coins"}, {3, 7, "about 2.333333 coins"}, {1 << 63, 1, "about 0 coins"}, {1<<64 - 1, 1<<64 - 1, "1 coins"},
	} {
		if got := (Params{Coin: c.coin}).inCoins(uint256.NewInt(c.amount)); got != c.want {
			t.Errorf("%d where a coin is %d: %q, want %q", c.amount, c.coin, got, c.want)
		}
	}
}

// Every amount of the view is written as the caller says, and nothing else is.
func TestView_Text(t *testing.T) {
	v := View{
		Phase: "drawing", Round: 1, Rounds: 2, Block: 88, Price: 10, Coin: "1000", Rolled: "6000",
		Seats: []ViewSeat{{Role: "house", Pocket: "1000000", Credit: "0"}, {Role: "you", Pocket: "2000000", Credit: "3000", Boxes: []int{4, 7}}},
	}
	text := games.ViewText(v, func(decimal string) string { return "<" + decimal + ">" })
	for _, want := range []string{"10 coins (a coin is <1000>)", "block 88 draws", "Not won yet: <6000>,", "house  <1000000>\n", "you    <2000000>, and <3000> to bet only, on 4 7\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if plain := strings.NewReplacer("<", "", ">", "").Replace(text); plain != v.String() {
		t.Errorf("with plain amounts\n%s", v)
	}
}

// The newest draws that are final are shown, newest first and no more than a page needs, and how
// far the chain is; without a chain none.
func TestView_Draws(t *testing.T) {
	b := named(t, games.Bytes(rules{}), usual, 2)
	gold, hashes := map[uint64]uint8{1000: 1, 1010: 2, 1020: 3, 1030: 4, 1040: 5, 1045: 6}, map[uint64]common.Hash{}
	for block, box := range gold {
		hashes[block] = b.mine(box, 7, 8)
	}
	b.chain.head, b.chain.hashes = 1052, hashes
	v := player{}.View(b.at(1)).(View)
	var blocks []uint64
	for _, d := range v.Draws {
		blocks = append(blocks, d.Block)
		if d.Gold != gold[d.Block] || d.Silver != [2]uint8{7, 8} || d.Hash != hashes[d.Block] {
			t.Errorf("%+v", d)
		}
	}
	if v.Head != 1052 || !slices.Equal(blocks, []uint64{1040, 1030, 1020, 1010}) {
		t.Errorf("at %d: draws of %d", v.Head, blocks)
	}
	b.C.Facts = nil
	if v := (player{}).View(b.at(1)).(View); v.Head != 0 || v.Draws != nil {
		t.Errorf("%+v", v)
	}
}

// TestView_Picture: nine boxes show what the newest block filled and, when bets are closed, who
// bets on which.
func TestView_Picture(t *testing.T) {
	v := View{Phase: "naming", Head: 123, Draws: []ViewDraw{{Block: 120, Gold: 3, Silver: [2]uint8{5, 9}}}}
	for _, want := range []string{"block 120 filled", "│ 3 gold   │\n", "│ 5 silver │ 6        │\n", "│ 9 silver │\n"} {
		if text := v.String(); !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
	v.Phase, v.Block, v.Seat = "drawing", 130, 1
	v.Seats = []ViewSeat{{}, {Boxes: []int{1, 4}}, {Boxes: []int{4, 9}}}
	for _, want := range []string{"block 130 draws (7 to go)", "│ 1 you    │", "│ 4 you +1 │", "│ 9 +1     │", "│ 3        │"} {
		if text := v.String(); !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
	if v.Draws, v.Phase = nil, "naming"; strings.Contains(v.String(), "│") {
		t.Error("boxes are drawn though nothing is known of them")
	}
}
