package chain

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/big"
	"sync"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/rpc"
	"github.com/ethereum/go-ethereum/signer/core/apitypes"

	"github.com/ante-games/ante/protocol"
)

var (
	// ErrSignerAway says that an external signer did not answer in time, or is not there.
	ErrSignerAway = errors.New("the external signer does not answer")
	// ErrSignerRefused says that an external signer, or the person at it, refused.
	ErrSignerRefused = errors.New("the external signer refuses")
	// ErrSignerLied says that a signer returned something else than what it was asked to sign. It
	// is not used.
	ErrSignerLied = errors.New("the signer returned something else than it was asked to sign")
)

// signerPatience is how long an external signer is waited for: it asks a person.
const signerPatience = 5 * time.Minute

// External is an account at a signer that speaks clef's protocol (JSON-RPC over http, https, ws,
// wss or a Unix socket) and asks a person about everything it signs. It connects when first needed,
// so that a node which needs no signature starts without it. What the signer returns is verified,
// never trusted. Safe for concurrent use.
type External struct {
	url      string
	account  common.Address
	patience time.Duration

	mu     sync.Mutex
	client *rpc.Client
}

// NewExternal returns an account at the signer of a URL or socket path. Patience is how long to
// wait for it; 0: five minutes.
func NewExternal(url string, account common.Address, patience time.Duration) *External {
	patience = cmp.Or(patience, signerPatience)
	return &External{url: url, account: account, patience: patience}
}

// Address implements Signer.
func (x *External) Address() common.Address { return x.account }

// Format prints no part of the URL that may be secret.
func (x *External) Format(f fmt.State, _ rune) {
	fmt.Fprintf(f, "account %s at the external signer %s", x.account, PublicName(x.url))
}

// MarshalText encodes the address only.
func (x *External) MarshalText() ([]byte, error) { return x.account.MarshalText() }

// SignTx implements Signer. A Sender verifies what it returns.
func (x *External) SignTx(ctx context.Context, tx *types.Transaction, chainID *big.Int) (*types.Transaction, error) {
	data := hexutil.Bytes(tx.Data())
	args := apitypes.SendTxArgs{
		From: common.NewMixedcaseAddress(x.account), Gas: hexutil.Uint64(tx.Gas()),
		MaxFeePerGas: (*hexutil.Big)(tx.GasFeeCap()), MaxPriorityFeePerGas: (*hexutil.Big)(tx.GasTipCap()),
		Value: hexutil.Big(*tx.Value()), Nonce: hexutil.Uint64(tx.Nonce()), Input: &data, ChainID: (*hexutil.Big)(chainID),
	}
	if tx.To() != nil {
		to := common.NewMixedcaseAddress(*tx.To())
		args.To = &to
	}
	var reply struct {
		Raw hexutil.Bytes `json:"raw"`
	}
	if err := x.ask(ctx, &reply, "account_signTransaction", args); err != nil {
		return nil, err
	}
	signed := new(types.Transaction)
	if err := signed.UnmarshalBinary(reply.Raw); err != nil {
		return nil, fmt.Errorf("%w: no transaction: %w", ErrSignerLied, err)
	}
	return signed, nil
}

// SignTyped returns the signature of a typed struct (EIP-712), in the strict form.
func (x *External) SignTyped(ctx context.Context, typed apitypes.TypedData) ([]byte, error) {
	digest, _, err := apitypes.TypedDataAndHash(typed)
	if err != nil {
		return nil, err
	}
	var reply hexutil.Bytes
	if err := x.ask(ctx, &reply, "account_signTypedData", common.NewMixedcaseAddress(x.account), typed); err != nil {
		return nil, err
	}
	sig, err := protocol.ParseSignature(reply)
	if err == nil {
		err = sig.Verify(common.Hash(digest), x.account)
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrSignerLied, err)
	}
	return sig[:], nil
}

func (x *External) ask(ctx context.Context, reply any, method string, args ...any) error {
	limited, cancel := context.WithTimeout(ctx, x.patience)
	defer cancel()
	client, err := x.connect(limited)
	if err == nil {
		err = client.CallContext(limited, reply, method, args...)
	}
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.As(err, new(rpc.Error)):
		return fmt.Errorf("%w: account %v at %s: %w", ErrSignerRefused, x.account, PublicName(x.url), err)
	default:
		return fmt.Errorf("%w: account %v at %s: %w: start it and approve the request there", ErrSignerAway, x.account, PublicName(x.url), withoutURL(err))
	}
}

func (x *External) connect(ctx context.Context) (*rpc.Client, error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.client == nil {
		client, err := rpc.DialContext(ctx, x.url)
		if err != nil {
			return nil, err
		}
		x.client = client
	}
	return x.client, nil
}

// Close ends the connection.
func (x *External) Close() {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.client != nil {
		x.client.Close()
		x.client = nil
	}
}

// asAsked returns ErrSignerLied unless the signed transaction is the one that was given, signed by
// the account.
func asAsked(tx, signed *types.Transaction, account common.Address, chainID *big.Int) error {
	how := types.LatestSignerForChainID(chainID)
	if signed == nil || signed.Type() != tx.Type() || signed.ChainId().Cmp(chainID) != 0 || how.Hash(signed) != how.Hash(tx) {
		return fmt.Errorf("%w: another transaction", ErrSignerLied)
	}
	if by, err := types.Sender(how, signed); err != nil || by != account {
		return fmt.Errorf("%w: the transaction is not signed by account %v", ErrSignerLied, account)
	}
	return nil
}
