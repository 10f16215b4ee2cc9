package box9

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strconv"
	"testing"

	"github.com/ante-games/ante/contracts/bindings"
	"github.com/ante-games/ante/contracts/minichain"
	"github.com/ante-games/ante/games"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

type vectors struct {
	Cases struct {
		RoundResult []struct {
			BlockHash string
			Price     uint32
			Rehash    string
			Parts     [9]string
			Gold      uint8
			Silver    [2]uint8
			Why       string
		} `json:"round_result"`
		RawRanking []struct {
			Word    string
			Ranking []uint8
		} `json:"raw_ranking"`
		Mask []struct {
			Mask     Mask
			Quantity int
			Boxes    []int
		}
		NextRound []struct {
			Block     uint64
			NextRound uint64 `json:"next_round"`
		} `json:"next_round"`
		Payout []payout
	}
}

type payout struct {
	Price  string
	Gold   uint8
	Silver [2]uint8
	Bets   []struct {
		Player   string
		Mask     Mask
		Referrer *string
	}
	Seed struct {
		Pool     string
		Prizes   map[string]string
		Referral map[string]string
		Unwon    string
		House    string
	}
}

func load(t *testing.T) vectors {
	t.Helper()
	b, err := os.ReadFile("testdata/vectors.json")
	if err != nil {
		t.Fatal(err)
	}
	var v vectors
	if err := json.Unmarshal(b, &v); err != nil {
		t.Fatal(err)
	}
	c := &v.Cases
	if len(c.RoundResult) != 166 || len(c.RawRanking) != 62 || len(c.Mask) != 67 || len(c.NextRound) != 6 || len(c.Payout) != 75 {
		t.Fatal("vectors are missing")
	}
	return v
}

// The contract's public result is what anybody checks a round with on-chain.
func TestVectors_RoundResult(t *testing.T) {
	chain, err := minichain.New(1337)
	if err != nil {
		t.Fatal(err)
	}
	at, _, err := chain.Deploy(common.Address{1}, Game().Contract)
	if err != nil {
		t.Fatal(err)
	}
	contract := bindings.NewBox9()
	for _, v := range load(t).Cases.RoundResult {
		hash := common.HexToHash(v.BlockHash)
		r := Draw(hash, v.Price)
		for i := range r.Parts {
			if part := fmt.Sprintf("%07x", r.Parts[i]); part != v.Parts[i] {
				t.Errorf("%s: box %d is %s, want %s", v.Why, i+1, part, v.Parts[i])
			}
		}
		if r.Rehash != common.HexToHash(v.Rehash) || r.Gold != v.Gold || r.Silver != v.Silver {
			t.Errorf("%s at %d (%s): %+v, want gold %d, silver %d", v.BlockHash, v.Price, v.Why, r, v.Gold, v.Silver)
		}
		out, err := chain.Call(common.Address{1}, at, contract.PackResult(hash, uint256.NewInt(uint64(v.Price)).ToBig()))
		if err != nil {
			t.Fatal(err)
		}
		got, err := contract.UnpackResult(out)
		if err != nil || got.Gold.Uint64() != uint64(v.Gold) || got.Silver1.Uint64() != uint64(v.Silver[0]) || got.Silver2.Uint64() != uint64(v.Silver[1]) {
			t.Errorf("contract: %s at %d (%s): %v, %v", v.BlockHash, v.Price, v.Why, got, err)
		}
	}
}

func TestVectors_RawRanking(t *testing.T) {
	for _, v := range load(t).Cases.RawRanking {
		if got := rank(parts(common.HexToHash(v.Word))); !slices.Equal(got, v.Ranking) {
			t.Errorf("%s: %d, want %d", v.Word, got, v.Ranking)
		}
	}
}

// A mask that the vectors give no boxes is no bet.
func TestVectors_Mask(t *testing.T) {
	cases := load(t).Cases.Mask
	for _, v := range cases {
		if legal := v.Quantity > 0; v.Mask.Legal() != legal || legal && !slices.Equal(v.Mask.Numbers(), v.Boxes) {
			t.Errorf("mask %d: legal %v, boxes %d, want %d", v.Mask, v.Mask.Legal(), v.Mask.Numbers(), v.Boxes)
		}
	}
	engines(t, func(t *testing.T, r games.Rules) {
		b := named(t, r, usual, 1)
		for _, v := range cases {
			_, err := r.Play(b.C, b.State, Close{b.bet(1, v.Mask)}.encode())
			if (err == nil) != (v.Quantity > 0) {
				t.Errorf("mask %d: %v, want %d boxes", v.Mask, err, v.Quantity)
			}
		}
	})
}

func TestVectors_NextRound(t *testing.T) {
	for _, v := range load(t).Cases.NextRound {
		if got := NextRound(v.Block); got != v.NextRound {
			t.Errorf("after block %d comes %d, want %d", v.Block, got, v.NextRound)
		}
	}
}

// Payouts, referral credit, what nobody won and the house's part, to the unit, in both engines.
func TestVectors_Payout(t *testing.T) {
	cases := load(t).Cases.Payout
	engines(t, func(t *testing.T, r games.Rules) {
		for i := range cases {
			checkPayout(t, r, &cases[i])
		}
	})
}

func checkPayout(t *testing.T, r games.Rules, v *payout) {
	t.Helper()
	seats := map[string]uint8{}
	seat := func(name string) uint8 {
		if _, known := seats[name]; !known {
			seats[name] = uint8(len(seats) + 1)
		}
		return seats[name]
	}
	price := number(t, v.Price)
	p := Params{Rounds: 2, Margin: 6, Coins: 10, Coin: price / 10}
	masks := make([]Mask, 15)
	for _, bet := range v.Bets {
		masks[seat(bet.Player)-1] = bet.Mask
	}
	for _, bet := range v.Bets {
		if bet.Referrer != nil {
			p.Referrers |= uint64(seat(*bet.Referrer)) << (4 * seat(bet.Player))
		}
	}
	const stake = 1e13
	b := newBoard(t, r, p, len(seats))
	for i := range seats {
		b.C.Stakes[seats[i]] = *uint256.NewInt(stake)
	}
	var err error
	if b.State, err = r.Start(b.C); err != nil {
		t.Fatal(err)
	}
	b.play(Name(1010)).close(masks[:len(seats)]...).all().draw(Whole, v.Gold, v.Silver[0], v.Silver[1])

	s := b.Now()
	want := make([]uint64, len(s.Pocket))
	want[House] = number(t, v.Seed.House) + number(t, v.Seed.Referral["house"])
	for name, seat := range seats {
		want[seat] = stake + number(t, v.Seed.Prizes[name])
		if m := masks[seat-1]; m != 0 {
			want[seat] -= uint64(m.Size()) * price
		}
		if credit := number(t, v.Seed.Referral[name]); !s.Credit[seat].Eq(uint256.NewInt(credit)) {
			t.Errorf("%s has credit %s, want %d", name, s.Credit[seat].Dec(), credit)
		}
	}
	b.has(want...)
	if rolled, unwon := s.pot(Whole), number(t, v.Seed.Unwon); !rolled.Eq(uint256.NewInt(unwon)) {
		t.Errorf("%s rolls on, want %d", rolled.Dec(), unwon)
	}
}

// number is 0 where the vectors say nothing.
func number(t *testing.T, text string) uint64 {
	t.Helper()
	if text == "" {
		return 0
	}
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return n
}
