package splitsteal

import (
	"encoding/json"
	"math/big"
	"os"
	"testing"

	"github.com/ante-games/ante/games"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/holiman/uint256"
)

type vectors struct {
	Matrix []struct {
		X, Y           string
		N1, N2, D1, D2 uint32
		CX, CY         string
		PayX, PayY     string
		House          string
		Why            string
	}
	Disqualified []struct {
		X, Y       string
		BadX, BadY bool
		Other      string `json:"choice_of_other"`
		PayX, PayY string
		House      string
	}
	Params []struct {
		N1, N2, D1, D2 uint32
		OK             bool
	}
	Choice []struct {
		Number, Choice string
		Hash           string `json:"keccak_uint256"`
	}
}

func load(t *testing.T) vectors {
	t.Helper()
	b, err := os.ReadFile("testdata/vectors.json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct{ Cases vectors }
	if err := json.Unmarshal(b, &file); err != nil {
		t.Fatal(err)
	}
	v := file.Cases
	if len(v.Matrix) != 212 || len(v.Disqualified) != 12 || len(v.Params) != 9 || len(v.Choice) != 24 {
		t.Fatal("vectors are missing")
	}
	return v
}

var numbers = map[string]common.Hash{"SPLIT": odd, "STEAL": even}

func dec(t *testing.T, s string) *uint256.Int {
	t.Helper()
	v, err := uint256.FromDecimal(s)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// houseWon is what the house has more than it staked, negative if less.
func (b *board) houseWon(s Shares) *big.Int {
	staked := b.C.Stakes[b.P.House]
	return new(big.Int).Sub(s.House.ToBig(), staked.ToBig())
}

// Row 4: whole matches, with the house in each seat, end in both engines as the independent matrix
// says.
func TestChecklist_SplitOrSteal_04_Matrix(t *testing.T) {
	cases := load(t).Matrix
	engines(t, func(t *testing.T, r games.Rules) {
		for i, v := range cases {
			p := Params{v.N1, v.N2, v.D1, v.D2, uint8(i % 3)}
			b := newBoard(t, r, p, dec(t, v.X), dec(t, v.Y)).whole(numbers[v.CX], numbers[v.CY])
			got := b.shares("")
			if got.X.Dec() != v.PayX || got.Y.Dec() != v.PayY || b.houseWon(got).String() != v.House {
				t.Errorf("%+v: X %s, Y %s, house %s", v, got.X.Dec(), got.Y.Dec(), b.houseWon(got))
			}
			// The vectors have no case of a splitting X and a stealing Y: by symmetry it is the
			// other with X and Y swapped.
			if v.CX == "STEAL" && v.CY == "SPLIT" {
				b := newBoard(t, r, p, dec(t, v.Y), dec(t, v.X)).whole(odd, even)
				if got := b.shares(""); got.X.Dec() != v.PayY || got.Y.Dec() != v.PayX || b.houseWon(got).String() != v.House {
					t.Errorf("%+v, swapped: X %s, Y %s, house %s", v, got.X.Dec(), got.Y.Dec(), b.houseWon(got))
				}
			}
			// Nor any in which both steal.
			b = newBoard(t, r, p, dec(t, v.X), dec(t, v.Y)).whole(even, even)
			got = b.shares("")
			for role, bet := range map[*uint256.Int]string{&got.X: v.X, &got.Y: v.Y} {
				want, _ := new(big.Int).SetString(bet, 10)
				if want.Div(want, big.NewInt(int64(v.D2))); role.Dec() != want.String() {
					t.Errorf("%+v, both steal: %s of a bet of %s", v, role.Dec(), bet)
				}
			}
		}
	})
}

// TestVectors_Disqualified: a player is bad by not opening, and by having committed to what it
// can't open.
func TestVectors_Disqualified(t *testing.T) {
	cases := load(t).Disqualified
	engines(t, func(t *testing.T, r games.Rules) {
		for _, v := range cases {
			b := newBoard(t, r, defaults, dec(t, v.X), dec(t, v.Y)).commits(numbers[v.Other], numbers[v.Other])
			for _, bad := range []bool{v.BadX, v.BadY} {
				if open := (Open{numbers[v.Other], salt}); bad {
					b.refuse(Open{numbers[v.Other], common.Hash{}}).expire()
				} else {
					b.play(open)
				}
			}
			reason := "silence"
			if v.BadX && v.BadY {
				reason = "silence of both"
			}
			got := b.shares(reason)
			if got.X.Dec() != v.PayX || got.Y.Dec() != v.PayY || b.houseWon(got).String() != v.House {
				t.Errorf("%+v: X %s, Y %s, house %s", v, got.X.Dec(), got.Y.Dec(), b.houseWon(got))
			}
		}
	})
}

// Row 5: the rule n1 < n2, n1 + n2 = d1, d2 < d1, all positive, is checked when a match starts.
func TestChecklist_SplitOrSteal_05_ParameterRule(t *testing.T) {
	cases := load(t).Params
	for _, bad := range [][4]uint32{{1, 3, 4, 0}, {2, 2, 4, 2}, {1, 3, 5, 2}, {1, 3, 3, 2}, {1, 1<<32 - 1, 0, 2}, {2, 1<<32 - 1, 1, 0}, {0, 4, 4, 2}} {
		cases = append(cases, struct {
			N1, N2, D1, D2 uint32
			OK             bool
		}{bad[0], bad[1], bad[2], bad[3], false})
	}
	engines(t, func(t *testing.T, r games.Rules) {
		for _, v := range cases {
			for house := range uint8(5) {
				p := Params{v.N1, v.N2, v.D1, v.D2, house}
				c := &games.Context{Params: p.Bytes(), Stakes: make([]uint256.Int, 3)}
				if house == NoHouse {
					c.Stakes = c.Stakes[:2]
				}
				c.Signers = make([]common.Address, len(c.Stakes))
				if _, err := r.Start(c); (err == nil) != (v.OK && house <= NoHouse) {
					t.Errorf("%+v: %v", p, err)
				}
			}
		}
	})
	if _, err := Game().Params.Encode([]byte(`{"n1":2,"n2":2}`)); err == nil {
		t.Error("parameters that break the rule can be encoded")
	}
}

// The vectors' hashes are the original's, which binds to nothing; what a number stands for is the
// same.
func TestVectors_Choice(t *testing.T) {
	cases := load(t).Choice
	engines(t, func(t *testing.T, r games.Rules) {
		for _, v := range cases {
			number := common.Hash(dec(t, v.Number).Bytes32())
			if crypto.Keccak256Hash(number[:]) != common.HexToHash(v.Hash) {
				t.Fatalf("number %s is read as %x", v.Number, number)
			}
			s := newBoard(t, r, defaults, wei(100), wei(60)).whole(number, odd).Now()
			if got := map[Choice]string{Split: "SPLIT", Steal: "STEAL"}[s.choice(X)]; got != v.Choice {
				t.Errorf("%s: %s, want %s", v.Number, got, v.Choice)
			}
		}
	})
}
