package splitsteal

import (
	"errors"
	"testing"

	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/games/commit"
	"github.com/ethereum/go-ethereum/common"
)

// Once both have committed, nobody is asked for a choice, and none is taken.
func TestPlayer_NothingToChoose(t *testing.T) {
	for phase := CommitX; phase <= Over; phase++ {
		vault, err := commit.Open(commit.Secrets{}, common.Hash{}, 0, ones{})
		if err != nil {
			t.Fatal(err)
		}
		at := seat{State: State{Phase: phase}, Vault: vault, Random: ones{}}
		asked := (player{}).Ask(at) != ""
		_, err = player{}.Choose(at, "split")
		if choosing := phase <= CommitY; asked != choosing || choosing != (err == nil) || !choosing && !errors.Is(err, games.ErrText) {
			t.Errorf("phase %d: asked %v, %v", phase, asked, err)
		}
	}
}

// The number that a word stands for is drawn, whichever the word, and nobody can guess it.
func TestPlayer_WordsAreDrawn(t *testing.T) {
	for word, last := range map[string]byte{"steal": 0xfe, "split": 0xff} {
		vault, err := commit.Open(commit.Secrets{}, common.Hash{}, 0, ones{})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := (player{}).Choose(seat{Vault: vault, Random: ones{}}, word); err != nil {
			t.Fatal(err)
		}
		want := common.MaxHash
		want[31] = last
		if number, _, err := vault.Secret(Tag, 0); number != want || err != nil {
			t.Errorf("%s: %v, %v, want %v", word, number, err, want)
		}
	}
}

// ones is a source of randomness that is easy to tell from zeros.
type ones struct{}

func (ones) Read(b []byte) (int, error) {
	for i := range b {
		b[i] = 0xff
	}
	return len(b), nil
}
