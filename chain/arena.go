package chain

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/ante-games/ante/contracts/bindings"
	"github.com/ante-games/ante/protocol"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// ErrNoArena says that there is no Arena at an address.
var ErrNoArena = errors.New("there is no Arena here: check the address, the chain, and that the endpoint is in step")

// Arena reads the state of an Arena at the newest block. It is safe for concurrent use.
type Arena struct {
	client  *Client
	address common.Address
	fixed   constants
	agreed  bool // two endpoints told the constants
}

// constants are what never changes of an Arena.
type constants struct {
	Blocks  bool      // the unit of its clock; seconds without it
	Windows [2]uint64 // the shortest and the longest that a channel may have, in that clock
}

// Clock is the unit of the Arena's times: ERC-6372's clock mode.
type Clock bool

// The units of an Arena's clock.
const (
	Seconds Clock = false
	Blocks  Clock = true
)

func (c Clock) String() string {
	if c == Blocks {
		return "blocks"
	}
	return "seconds"
}

var contract = sync.OnceValue(bindings.NewArena)

// OpenArena finds an Arena and reads its constants, which both endpoints must tell, where there are
// two: it fails with *Lying if they differ.
func OpenArena(ctx context.Context, client *Client, address common.Address) (*Arena, error) {
	a := &Arena{client: client, address: address}
	var err error
	a.fixed, a.agreed, err = a.examine(ctx)
	return a, err
}

// record is what is kept of an Arena.
type record struct {
	constants
	Agreed bool `json:",omitempty"` // two endpoints told the same
}

// ReopenArena is OpenArena for callers that must start whatever the endpoints answer: it takes what
// was read before from the store. What two endpoints once agreed on is not asked again; what one
// told alone is, and yields to what is told now.
func ReopenArena(ctx context.Context, client *Client, address common.Address, store Store) (*Arena, error) {
	key := fmt.Sprintf("arena/%d/%x", client.ChainID(), address)
	value, err := store.Get(key)
	if err != nil {
		return nil, err
	}
	var kept record
	var damaged error
	if value != nil {
		damaged = json.Unmarshal(value, &kept)
	}
	if kept.Agreed && damaged == nil {
		return &Arena{client, address, kept.constants, true}, nil
	}
	a, err := OpenArena(ctx, client, address)
	switch {
	case err != nil && damaged != nil:
		return nil, errors.Join(err, fmt.Errorf("read what is kept of the Arena: %w", damaged))
	case errors.Is(err, ErrNoArena), err != nil && value == nil:
		return nil, err
	case err != nil:
		a.fixed = kept.constants
		return a, nil
	}
	told, err := json.Marshal(record{a.fixed, a.agreed})
	if err != nil || bytes.Equal(told, value) {
		return a, err
	}
	return a, store.Commit(map[string][]byte{key: told})
}

// Agreed reports whether two endpoints told the constants that are used.
func (a *Arena) Agreed() bool { return a.agreed }

// Confirm asks for the constants again, and reports whether they are those that are used, and
// whether two endpoints agreed. It fails as OpenArena does.
func (a *Arena) Confirm(ctx context.Context) (same, agreed bool, err error) {
	told, agreed, err := a.examine(ctx)
	return told == a.fixed, agreed, err
}

// caller calls a contract, as Client.Call does.
type caller = func(ctx context.Context, to common.Address, data []byte) ([]byte, error)

// examine asks for the constants.
func (a *Arena) examine(ctx context.Context) (c constants, agreed bool, err error) {
	agreed = true
	ask := func(ctx context.Context, to common.Address, data []byte) ([]byte, error) {
		result, both, err := a.client.constant(ctx, to, data)
		agreed = agreed && both
		return result, err
	}
	mode, err := read(ctx, a, ask, contract().PackCLOCKMODE(), contract().UnpackCLOCKMODE)
	if err != nil {
		return c, false, err
	}
	switch {
	case strings.HasPrefix(mode, "mode=blocknumber"):
		c.Blocks = true
	case !strings.HasPrefix(mode, "mode=timestamp"):
		return c, false, fmt.Errorf("%w (%v on chain %d has clock mode %q)", ErrNoArena, a.address, a.client.ChainID(), mode)
	}
	if c.Windows[0], err = read(ctx, a, ask, contract().PackMINWINDOW(), contract().UnpackMINWINDOW); err == nil {
		c.Windows[1], err = read(ctx, a, ask, contract().PackMAXWINDOW(), contract().UnpackMAXWINDOW)
	}
	return c, agreed, err
}

// read makes a call and unpacks what it returns.
func read[T any](ctx context.Context, a *Arena, call caller, calldata []byte, unpack func([]byte) (T, error)) (value T, err error) {
	result, err := call(ctx, a.address, calldata)
	if err != nil && !refused(err) {
		return value, err
	}
	if err == nil {
		if value, err = unpack(result); err != nil {
			err = fmt.Errorf("its answer is %d bytes that are no Arena's", len(result))
		}
	}
	if err != nil {
		return value, fmt.Errorf("%w (%v on chain %d): %w", ErrNoArena, a.address, a.client.ChainID(), err)
	}
	return value, nil
}

// Address returns where the Arena is.
func (a *Arena) Address() common.Address { return a.address }

// Domain returns what everything signed for this Arena is signed under.
func (a *Arena) Domain() protocol.Domain {
	return protocol.Domain{ChainID: a.client.ChainID(), Arena: a.address}
}

// Clock returns the unit of all times.
func (a *Arena) Clock() Clock { return Clock(a.fixed.Blocks) }

// TimeOf returns the Arena's clock in a block.
func (a *Arena) TimeOf(b Block) uint64 {
	if a.fixed.Blocks {
		return b.Number
	}
	return b.Time
}

// Windows returns the shortest and the longest window that a channel may have.
func (a *Arena) Windows() (least, most uint64) { return a.fixed.Windows[0], a.fixed.Windows[1] }

// Now returns the time of the newest block by the Arena's clock, the only clock that deadlines are
// measured by. A transaction sent now lands in a later block, and so at a later time.
func (a *Arena) Now(ctx context.Context) (uint64, error) {
	now, err := read(ctx, a, a.client.Call, contract().PackClock(), contract().UnpackClock)
	if err != nil {
		return 0, err
	}
	return now.Uint64(), nil
}

// Bank returns the free balance of an account, in wei or units of the asset.
func (a *Arena) Bank(ctx context.Context, asset, account common.Address) (*uint256.Int, error) {
	amount, err := read(ctx, a, a.client.Call, contract().PackBalanceOf(asset, account), contract().UnpackBalanceOf)
	if err != nil {
		return nil, err
	}
	balance, _ := uint256.FromBig(amount) // 256 bits wide as it comes
	return balance, nil
}
