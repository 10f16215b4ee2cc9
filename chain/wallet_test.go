package chain

import (
	"testing"

	"github.com/ante-games/ante/money"
	"github.com/ethereum/go-ethereum/params"
	"github.com/holiman/uint256"
)

// TestWhatElseIsPaid: besides its gas a job's account pays its value and all that is on its way,
// but for what landed by the word of all, and for what makes way; a key is paid for once.
func TestWhatElseIsPaid(t *testing.T) {
	value := func(v uint64) uint256.Int { return *uint256.NewInt(v) }
	// worth 1007 at most
	plain := &job{order: order{Key: "plain", Value: value(7)}, Gas: 10, Price: money.Bid{Cap: 100}}
	answer := &job{order: order{Key: "answer", Value: value(9), Defence: true}, Gas: 10, Price: money.Bid{Cap: 200}}
	landed := &job{order: order{Key: "landed"}, Gas: 10, Price: money.Bid{Cap: 400}, Landed: &landing{}, mined: true}
	doubted := &job{order: order{Key: "doubted", Defence: true}, Gas: 10, Price: money.Bid{Cap: 6400}, Landed: &landing{}}
	cancelled := &job{order: order{Key: "cancelled", Value: value(11)}, Gas: 10, Price: money.Bid{Cap: 800}, Why: "no"}
	filler, another := &job{Gas: 10, Price: money.Bid{Cap: 1600}, Why: "gap"}, &job{Gas: 10, Price: money.Bid{Cap: 3200}, Why: "gap"}
	all := []*job{plain, answer, landed, doubted, cancelled, filler, another}
	for _, c := range []struct {
		what     string
		j        *job
		jobs     []*job
		sum, gas uint64
	}{
		{"it is alone", plain, []*job{plain}, 7, 10},
		{"it is on its way already, with another nonce", &job{order: order{Key: "plain", Value: value(7)}, Gas: 5}, []*job{plain}, 7, 5},
		{"it is no answer", plain, all, 7 + 2009 + 8000 + 16000 + 32000 + 64000, 10},
		{"it is an answer, for which the first makes way", answer, all, 9 + 8000 + 16000 + 32000 + 64000, 10 + params.TxGas},
		{"it is cancelled", cancelled, all, 2009 + 16000 + 32000 + 64000, 10 + params.TxGas},
		{"it fills a gap", filler, all, 2009 + 8000 + 32000 + 64000, 10 + params.TxGas},
	} {
		s := &Sender{book: &book{Jobs: c.jobs}}
		if sum, gas := s.besides(c.j, money.Market{}, false); sum.Uint64() != c.sum || gas != c.gas {
			t.Errorf("%s: %v wei and %d gas, want %d and %d", c.what, sum, gas, c.sum, c.gas)
		}
	}
}

// TestWhatDataIsPaid: an account pays for the data of what is on its way unless that is in the
// estimated gas, and for that of the transfers which cancel what makes way in any case.
func TestWhatDataIsPaid(t *testing.T) {
	const envelope = 200
	plain, answer := &job{order: order{Key: "plain", Data: []byte{1, 2}}}, &job{order: order{Key: "answer", Data: []byte{1, 2, 3, 4}, Defence: true}}
	s := &Sender{book: &book{Jobs: []*job{plain, answer}}}
	for _, c := range []struct {
		j     *job
		inGas bool
		bytes uint64
	}{
		{plain, false, envelope + 2 + envelope + 4}, {plain, true, 0}, {answer, false, envelope + 4 + envelope}, {answer, true, envelope},
	} {
		if sum, _ := s.besides(c.j, money.Market{Byte: 10, InGas: c.inGas}, false); sum.Uint64() != 10*c.bytes {
			t.Errorf("%s, in gas %t: %v wei, want those of %d bytes", c.j.Key, c.inGas, sum, c.bytes)
		}
	}
}
