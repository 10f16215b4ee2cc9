package box9

import (
	"strings"
	"testing"

	"github.com/ante-games/ante/games"
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
