package network

import "time"

// Profile is what is known of a chain beforehand. The Arena's clock counts seconds on all of them:
// the number of a block says little about time where a sequencer makes blocks, and on one of them
// is not even its own.
type Profile struct {
	Name          string
	ID            uint64
	Block         time.Duration // between two of them
	Confirmations uint64        // until a block counts as final
	// one party makes the blocks: while it stops nobody answers, and the clock runs on; and what a
	// transaction says is charged for besides its gas, at the price of another chain
	Rollup bool
}

// Profiles is what is known of some chains, Ethereum and those like it first.
var Profiles = []Profile{
	{"ethereum", 1, 12 * time.Second, 32, false},
	{"sepolia", 11155111, 12 * time.Second, 12, false},
	{"hoodi", 560048, 12 * time.Second, 12, false},
	{"gnosis", 100, 5 * time.Second, 32, false},
	{"polygon", 137, 2 * time.Second, 64, false},
	{"optimism", 10, 2 * time.Second, 30, true},
	{"optimism-sepolia", 11155420, 2 * time.Second, 30, true},
	{"base", 8453, 2 * time.Second, 30, true},
	{"base-sepolia", 84532, 2 * time.Second, 30, true},
	{"arbitrum", 42161, 250 * time.Millisecond, 240, true},
	{"arbitrum-sepolia", 421614, 250 * time.Millisecond, 240, true},
}

// unknown is a chain that nothing is known of.
var unknown = Profile{Name: "unknown", Block: 12 * time.Second}

// Of returns what is known of the chain with an id.
func Of(id uint64) Profile {
	for _, p := range Profiles {
		if p.ID == id {
			return p
		}
	}
	return unknown
}

// Poll returns how often to look for a new block.
func (p Profile) Poll() time.Duration { return max(p.Block/2, 2*time.Second) }
