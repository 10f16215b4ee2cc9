package chain

import (
	"fmt"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// Request asks for a transaction.
type Request struct {
	// names what is to be done: asked again under the same key, it is not sent twice
	Key      string
	Why      string // what it is for, in words for the user; may be empty
	To       common.Address
	Data     []byte
	Value    uint256.Int // wei
	Most     uint64      // gas limit beyond which it is not sent; 0: none
	Usual    uint64      // gas that it is known to take at most; 0: not known
	Failed   bool        // it failed in a block before: it may take more than Usual
	Again    bool        // it failed in several: one endpoint that says it would suffices
	Once     bool        // the contract refuses it when it was done before
	Deadline uint64      // in the Arena's clock: it must land before; 0: no hurry
	Defence  bool        // it answers or ends a dispute: the reserve is for that
	Hurry    bool        // it has only a few blocks: its price is raised at each
	// what depends on an answer, in wei or units of the asset: one on which less of the same asset
	// depends makes way for it, and any that may wait for one that may not
	Stake uint256.Int
	Asset common.Address
	Waits bool // nothing is lost if it is sent later
}

// Progress of a transaction.
type Progress uint8

// How far a transaction has come. After a reorganisation a Mined one may be Waiting again.
const (
	Unknown Progress = iota // never asked for
	Waiting                 // stored, and sent as often as it takes
	Mined                   // in a block that may still leave the chain
	Done                    // in a block that is final; Report.Err tells whether it did something
	Dropped                 // it did nothing and never will, see Report.Err
)

func (p Progress) String() string {
	names := [...]string{"unknown", "waiting", "mined", "done", "dropped"}
	if int(p) < len(names) {
		return names[p]
	}
	return fmt.Sprintf("progress %d", uint8(p))
}

// Report says how a transaction stands.
type Report struct {
	Key      string
	Why      string // as it was asked for
	Progress Progress
	Nonce    uint64
	Tx       common.Hash // the newest version, or the one that landed
	Block    uint64
	GasUsed  uint64
	Fee      uint256.Int // wei paid for gas
	// *Reverted: the contract refused it, in its block or when it was tried before; or ErrMadeWay
	Err error
}
