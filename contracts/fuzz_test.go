package contracts_test

import "testing"

// FuzzArena plays the random matches of TestRandomMatches from seeds that the fuzzer chooses: the
// Arena and the model of it take and refuse the same, record the same and pay the same.
func FuzzArena(f *testing.F) {
	for seed := range uint64(4) {
		f.Add(seed<<32, uint8(10))
	}
	f.Fuzz(func(t *testing.T, seed uint64, steps uint8) {
		newChaos(t, seed, map[string]int{}).run(int(steps % 40))
	})
}
