package coin_test

import (
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/ante-games/ante/games/coin"
	"github.com/ante-games/ante/games/commit"
	"github.com/ethereum/go-ethereum/common"
)

var tag = commit.NewTag("a game's coin")

// A tossed coin is shown as it was tossed, favours the right seat, and falls evenly.
func TestCoin(t *testing.T) {
	random := rand.NewChaCha8([32]byte{1})
	match := common.Hash{1}
	favoured := [2]int{}
	for range 400 {
		v, err := commit.Open(commit.Secrets{}, match, 0, random)
		if err != nil {
			t.Fatal(err)
		}
		c := coin.Coin{}
		if c.Commitment, err = coin.Toss(v, tag, random); err != nil {
			t.Fatal(err)
		}
		if again, err := coin.Toss(v, tag, random); err != nil || again != c.Commitment {
			t.Fatalf("tossed again: %v, %v, want the same coin", again, err)
		}
		if c.Call, err = coin.Call(random); err != nil {
			t.Fatal(err)
		}
		shown, err := coin.Show(v, tag)
		if err != nil {
			t.Fatal(err)
		}
		if again := coin.DecodeShown(shown.Bytes()); again != shown {
			t.Fatalf("%v comes back as %v", shown, again)
		}
		seat, ok := c.Favours(tag, match, shown)
		if !ok || (seat == 1) != (shown.Side == c.Call) {
			t.Fatalf("side %d, call %d: seat %d, %v", shown.Side, c.Call, seat, ok)
		}
		favoured[seat]++
		other := shown
		other.Side = 1 - other.Side
		for name, wrong := range map[string]bool{
			"other side":  second(c.Favours(tag, match, other)),
			"other match": second(c.Favours(tag, common.Hash{2}, shown)),
			"other tag":   second(c.Favours(commit.NewTag("another"), match, shown)),
		} {
			if wrong {
				t.Errorf("%s opens the coin", name)
			}
		}
	}
	if favoured[0] < 150 || favoured[1] < 150 {
		t.Errorf("favoured %v", favoured)
	}
	if _, err := coin.Show(commit.Vault{}, tag); !errors.Is(err, commit.ErrNoSecret) {
		t.Errorf("showing a coin that was not tossed: %v", err)
	}
}

// A side that is none opens nothing, though it was committed to.
func TestCoin_ThirdSide(t *testing.T) {
	salt := common.Hash{9}
	c := coin.Coin{Commitment: commit.Scope{Tag: tag}.Hash(common.Hash{31: 2}, salt)}
	if _, ok := c.Favours(tag, common.Hash{}, coin.Shown{Side: 2, Salt: salt}); ok {
		t.Error("a coin with a third side falls")
	}
}

func second(_ uint8, ok bool) bool { return ok }
