package minichain

import "github.com/ethereum/go-ethereum/core/state"

// Checkpoint is a chain's whole state at one moment.
type Checkpoint struct {
	block, time uint64
	state       *state.StateDB
}

// Checkpoint keeps where the chain stands, for Rewind. It copies the state, which takes time in
// proportion to its size.
func (c *Chain) Checkpoint() *Checkpoint {
	return &Checkpoint{block: c.block, time: c.time, state: c.state.Copy()}
}

// Rewind takes the chain back to a checkpoint, as a reorganisation does: everything since then has
// never happened, and blocks and transactions from here on have other hashes. A checkpoint can be
// used any number of times.
func (c *Chain) Rewind(to *Checkpoint) {
	c.block, c.time = to.block, to.time
	c.state = to.state.Copy()
	c.forks = append(c.forks, to.block)
}

// Copy returns a chain of its own that stands where this one stands, and whose blocks and
// transactions have the hashes that those of this one would have had if it was never rewound: what
// is set up once can be gone on from many times. It watches nothing, and shares what is known of
// contract code with this chain, so that only one of the two may run at a time.
func (c *Chain) Copy() *Chain {
	return &Chain{
		history: c.history, block: c.block, time: c.time, sent: c.sent,
		state: c.state.Copy(), config: c.config, jumps: c.jumps,
	}
}
