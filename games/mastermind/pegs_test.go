package mastermind

import (
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/ante-games/ante/contracts/bindings/testbindings"
	"github.com/ethereum/go-ethereum/accounts/abi"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/vm/runtime"
	"github.com/ethereum/go-ethereum/params"
)

// judge has the contract judge transcripts for a code, and returns the false answers, one bit each:
// contracts/src/test/PegsBatch.sol.
type judge func(code Code, pegs uint8, transcripts [][]Entry) []uint32

func newJudge(t testing.TB) judge {
	t.Helper()
	config := *params.AllDevChainProtocolChanges
	config.BogotaTime = nil
	cfg := &runtime.Config{ChainConfig: &config, GasLimit: 1 << 40}
	_, address, _, err := runtime.Create(common.FromHex(testbindings.PegsBatchMetaData.Bin), cfg)
	if err != nil {
		t.Fatal(err)
	}
	contract, err := abi.JSON(strings.NewReader(testbindings.PegsBatchMetaData.ABI))
	if err != nil {
		t.Fatal(err)
	}
	return func(code Code, pegs uint8, transcripts [][]Entry) (masks []uint32) {
		t.Helper()
		packed := make([][]byte, len(transcripts))
		for i, list := range transcripts {
			for _, e := range list {
				packed[i] = append(append(packed[i], Guess(e.Guess).encode()...), byte(e.Answer))
			}
		}
		input, err := contract.Pack("judge", big.NewInt(int64(code)), big.NewInt(int64(pegs)), packed)
		if err != nil {
			t.Fatal(err)
		}
		ret, _, err := runtime.Call(address, input, cfg)
		if err != nil {
			t.Fatal(err)
		}
		if err := contract.UnpackIntoInterface(&masks, "judge", ret); err != nil {
			t.Fatal(err)
		}
		return masks
	}
}

// check puts every guess to a code twice, in transcripts of 32: once with the true answer and once
// with a false one, true and false mixed at random.
func (j judge) check(t *testing.T, r *rand.Rand, code Code, pegs uint8, guesses []Code) {
	t.Helper()
	var possible []Feedback
	for f := range 256 {
		if Feedback(f).Possible(pegs) {
			possible = append(possible, Feedback(f))
		}
	}
	flip := uint32(0)
	coins := make([]uint32, len(guesses)/MaxGuesses+1)
	for i := range coins {
		coins[i] = r.Uint32()
	}
	for range 2 {
		var transcripts [][]Entry
		var want []uint32
		for i, guess := range guesses {
			chunk, bit := i/MaxGuesses, i%MaxGuesses
			if bit == 0 {
				transcripts, want = append(transcripts, nil), append(want, 0)
			}
			answer := count(code, guess, pegs)
			if got := Answer(code, guess, pegs); got != answer {
				t.Fatalf("%s at %s: Go says %v, want %v", guess.Text(pegs), code.Text(pegs), got, answer)
			}
			if (coins[chunk]^flip)>>bit&1 == 1 {
				want[chunk] |= 1 << bit
				lie := answer
				for lie == answer {
					lie = possible[r.IntN(len(possible))]
				}
				answer = lie
			}
			transcripts[chunk] = append(transcripts[chunk], Entry{guess, answer})
		}
		for i, got := range j(code, pegs, transcripts) {
			if got != want[i] {
				t.Fatalf("%d pegs, code %s, %v: the contract finds lies %032b, want %032b", pegs, code.Text(pegs), transcripts[i], got, want[i])
			}
		}
		flip = ^flip
	}
}

// All 1,679,616 pairs of four pegs and six colours.
func TestAttack_FalseAnswer_EveryPair(t *testing.T) {
	j, r := newJudge(t), rand.New(rand.NewPCG(1, 2))
	all := codes(defaults)
	if len(all)*len(all) != 1_679_616 {
		t.Fatalf("%d codes", len(all))
	}
	step := 1
	if testing.Short() { // the race detector's run, say
		step = 250
	}
	for i := 0; i < len(all); i += step {
		j.check(t, r, all[i], 4, all)
	}
}

// The answers that occur are the possible ones, 14 of four pegs.
func TestFeedback_Possible(t *testing.T) {
	for pegs, want := range map[uint8]int{1: 2, 2: 5, 3: 9, 4: 14, 5: 20} {
		seen := make(map[Feedback]bool)
		all := codes(Params{Pegs: pegs, Colours: 5})
		for _, code := range all {
			for _, guess := range all[:min(len(all), 700)] {
				seen[Answer(code, guess, pegs)] = true
			}
		}
		for f := range 256 {
			if Feedback(f).Possible(pegs) != seen[Feedback(f)] {
				t.Errorf("%d pegs: %v occurs: %v", pegs, Feedback(f), seen[Feedback(f)])
			}
		}
		if len(seen) != want {
			t.Errorf("%d pegs: %d answers, want %d", pegs, len(seen), want)
		}
	}
}

// The other numbers of pegs and colours, all pairs of the small ones and a stride through the
// large.
func TestFeedback_OtherSizes(t *testing.T) {
	j, r := newJudge(t), rand.New(rand.NewPCG(3, 4))
	stride := 97
	if testing.Short() {
		stride = 31
	}
	for pegs := uint8(1); pegs <= maxPegs; pegs++ {
		for colours := uint8(2); colours <= 8; colours++ {
			all := codes(Params{Pegs: pegs, Colours: colours})
			step := 1 + len(all)/stride
			var some []Code
			for i := 0; i < len(all); i += step {
				some = append(some, all[i])
			}
			for _, code := range some {
				j.check(t, r, code, pegs, some)
			}
		}
	}
}

// count is the definition of feedback, peg by peg: those in place are taken out, then each peg left
// of the guess takes out one peg of its colour that is left of the code.
func count(code, guess Code, pegs uint8) Feedback {
	var right, wrong uint8
	var left []uint8
	for i := range pegs {
		if code.peg(i) == guess.peg(i) {
			right++
		} else {
			left = append(left, code.peg(i))
		}
	}
	for i := range pegs {
		if code.peg(i) == guess.peg(i) {
			continue
		}
		for j, colour := range left {
			if colour == guess.peg(i) {
				left = append(left[:j], left[j+1:]...)
				wrong++
				break
			}
		}
	}
	return NewFeedback(right, wrong)
}
