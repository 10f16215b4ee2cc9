package protocol

// Caps of what one message may hold. They keep every message below 256 KiB.
const (
	// MaxLocks is the most matches that a ledger may lock at once; the Arena would take 255.
	MaxLocks = 64
	// MaxNew is the most matches that one ledger may lock anew.
	MaxNew = 16
	// MoveWork is what replaying a move counts for, in signatures to verify: rules may run from
	// bytecode.
	MoveWork = 8
	// MaxText is the most bytes of a text for people.
	MaxText = 200
	// MaxRun is the most moves in a row of which a seat has signed none. In a match of two, as many
	// may follow each position whose record on-chain is final.
	MaxRun = 32
	// MaxRunBytes is the most bytes of such moves: a call to the Arena carries no more. Each counts
	// movePrefix bytes beside its own, for its length.
	MaxRunBytes = 1<<16 - 1
	movePrefix  = 2

	// MaxPlayerSignature is the most bytes of a signature by an ERC-1271 wallet.
	MaxPlayerSignature = 4096
)
