package chain

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/ante-games/ante/protocol"
	"github.com/ethereum/go-ethereum"
	"github.com/ethereum/go-ethereum/common"
)

const (
	// walletGas is what the Arena lets a player's contract wallet spend on checking a signature
	// (Signatures.sol).
	walletGas = 250_000
	// A wallet may change its mind, when its owners change, say: what it said is forgotten after a
	// while.
	yesLasts = 10 * time.Minute
	noLasts  = time.Minute
	// bareLasts is how long an account is taken to have no code: one may be deployed there.
	bareLasts = time.Minute
	// maxVerdicts caps what is remembered, of signatures and of accounts each.
	maxVerdicts = 1024
)

var (
	isValidSignature = selector("isValidSignature(bytes32,bytes)") // and what says yes
	errNoCreation    = errors.New("the endpoint does not run code that creates a contract")
)

// Wallets asks players' contract wallets whether a signature is theirs (ERC-1271), as the Arena
// does, and remembers the answers for a while. Only the chain's answer counts. Safe for concurrent
// use.
type Wallets struct {
	client *Client

	mu       sync.Mutex
	verdicts map[common.Hash]verdict
	// accounts that had no code, and until when that is believed
	bare map[common.Address]time.Time
}

type verdict struct {
	err   error // nil: the wallet takes the signature
	until time.Time
}

// NewWallets makes a Wallets that has asked nothing yet.
func NewWallets(client *Client) *Wallets {
	return &Wallets{client: client, verdicts: make(map[common.Hash]verdict), bare: make(map[common.Address]time.Time)}
}

// Signed returns nil if the wallet accepts the signature of the digest at the newest block; where
// there is a second endpoint, both must say so. An account without code accepts none, and the chain
// is asked about it only now and then. Errors wrap protocol.ErrSignature, unless the chain did not
// answer.
func (w *Wallets) Signed(ctx context.Context, wallet common.Address, digest common.Hash, signature []byte) error {
	key := sha256.Sum256(append(append(wallet.Bytes(), digest[:]...), signature...))
	now := w.client.config.Now()
	refused := fmt.Errorf("%w: %v is not the key that signed, nor a contract wallet that takes the signature", protocol.ErrSignature, wallet)
	w.mu.Lock()
	known := w.verdicts[key]
	bare := now.Before(w.bare[wallet])
	w.mu.Unlock()
	switch {
	case bare:
		return refused
	case now.Before(known.until):
		return known.err
	}
	code, _, err := w.client.Code(ctx, wallet)
	if err == nil && len(code) == 0 {
		w.mu.Lock()
		remember(w.bare, wallet, now.Add(bareLasts))
		w.mu.Unlock()
		return refused
	}
	yes := false
	if err == nil {
		yes, err = w.ask(ctx, wallet, digest, signature)
	}
	if err != nil {
		return fmt.Errorf("ask the contract wallet %v: %w", wallet, err)
	}
	v := verdict{until: now.Add(yesLasts)}
	if !yes {
		v = verdict{refused, now.Add(noLasts)}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	remember(w.verdicts, key, v)
	return v.err
}

// remember adds to a memory that is cleared when it is full.
func remember[K comparable, V any](memory map[K]V, key K, value V) {
	if len(memory) >= maxVerdicts {
		clear(memory)
	}
	memory[key] = value
}

func (w *Wallets) ask(ctx context.Context, wallet common.Address, digest common.Hash, signature []byte) (bool, error) {
	message := ethereum.CallMsg{Data: inquiry(wallet, packWalletCall(digest, signature))}
	yes, _, err := both(ctx, w.client, func(ctx context.Context, e *endpoint) (bool, error) {
		said, err := e.eth.CallContract(ctx, message, nil)
		if err == nil && len(said) != common.HashLength {
			err = errNoCreation
		}
		return err == nil && said[common.HashLength-1] == 1, err
	}, func(a, b bool) bool { return a == b }, fmt.Sprintf("whether the contract wallet %v takes a signature", wallet))
	return yes, err
}

// inquiry is init code that calls a wallet as the Arena does, and returns 1 if it says yes, else 0.
// The limit is that of the inner call: a limit of the outer one would pay for other things, too, as
// on Arbitrum for data.
func inquiry(wallet common.Address, call []byte) []byte {
	const size = 67 // of the code, which the call follows
	n := []byte{byte(len(call) >> 16), byte(len(call) >> 8), byte(len(call))}
	code := slices.Concat(
		[]byte{0x62}, n, []byte{0x60, size, 0x60, 32, 0x39}, // codecopy(32, size, n)
		[]byte{0x60, 32, 0x5f, 0x62}, n, []byte{0x60, 32, 0x73}, wallet[:], []byte{0x62, walletGas >> 16, walletGas >> 8 & 0xff, walletGas & 0xff},
		[]byte{0xfa},                                                                    // staticcall(walletGas, wallet, 32, n, 0, 32)
		[]byte{0x60, 31, 0x3d, 0x11, 0x16},                                              // and returndatasize > 31
		[]byte{0x63}, isValidSignature, []byte{0x60, 224, 0x1b, 0x5f, 0x51, 0x14, 0x16}, // and memory[0] == isValidSignature << 224
		[]byte{0x5f, 0x52, 0x60, 32, 0x5f, 0xf3},
	)
	return append(code, call...)
}

// packWalletCall encodes isValidSignature(digest, signature).
func packWalletCall(digest common.Hash, signature []byte) []byte {
	padding := make([]byte, (32-len(signature)%32)%32)
	return slices.Concat(isValidSignature, digest[:], word(64), word(uint64(len(signature))), signature, padding)
}

func word(v uint64) []byte { return binary.BigEndian.AppendUint64(make([]byte, 24), v) }
