package games

import (
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// Facts are what the rules of one contract may know of the chain. They are safe for concurrent use.
type Facts interface {
	// Head is the number of the newest block. It is for player sides, which have deadlines; rules
	// must not use it, since their answers would change with time.
	Head() uint64

	// Sure is the number of the newest block that both endpoints have; Head may be one that only a
	// single endpoint claims. It is for player sides as well.
	Sure() uint64

	// BlockHash returns the hash of a block that is final, and false for all others. Once a hash is
	// known its block never gets another, so that rules which depend on it can be replayed: what
	// they refuse for want of it they may accept later, what they accept stays accepted.
	BlockHash(number uint64) (common.Hash, bool)

	// Noted returns the word that the rules contract has in a slot of its storage, zero if it has
	// none, and false until a block is final. It is for what the contract writes before that block
	// and at no other time, so that, as with hashes, what is known stays so. Rules that need both
	// ask for both, even if one is unknown: an unknown fact that was asked for is fetched. Rules
	// that read a slot which is written from that block on would judge otherwise in a node than in
	// the Arena.
	Noted(slot common.Hash, before uint64) (common.Hash, bool)
}

// WithFacts returns rules that get these facts in every call.
func WithFacts(r Rules, f Facts) Rules { return informed{r, f} }

type informed struct {
	rules Rules
	facts Facts
}

func (r informed) context(c *Context) *Context {
	known := *c
	known.Facts = r.facts
	return &known
}

func (r informed) Start(c *Context) ([]byte, error) { return r.rules.Start(r.context(c)) }

func (r informed) Mover(state []byte) (uint8, error) { return r.rules.Mover(state) }

func (r informed) Play(c *Context, state, move []byte) ([]byte, error) {
	return r.rules.Play(r.context(c), state, move)
}

func (r informed) Expire(c *Context, state []byte) ([]byte, error) {
	return r.rules.Expire(r.context(c), state)
}

func (r informed) Outcome(state []byte, stakes []uint256.Int) (Outcome, error) {
	return r.rules.Outcome(state, stakes)
}

func (r informed) SignBefore(c *Context, state []byte) (uint64, error) {
	return SignBefore(r.rules, r.context(c), state)
}

// Dated is a rule set in which some states must be signed before a block.
type Dated interface {
	// SignBefore returns the first block at which nobody may sign a state off-chain any more; 0:
	// none. It is asked again at each block: a fact that becomes known may put the block off or
	// lift it, never set an earlier one.
	SignBefore(c *Context, state []byte) (uint64, error)
}

// SignBefore returns the block before which a state must be signed; 0: none.
func SignBefore(r Rules, c *Context, state []byte) (uint64, error) {
	if d, ok := r.(Dated); ok {
		return d.SignBefore(c, state)
	}
	return 0, nil
}
