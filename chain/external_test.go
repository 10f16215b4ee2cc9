package chain_test

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"strings"
	"testing"
	"time"

	"github.com/ante-games/ante/chain"
	"github.com/ante-games/ante/chain/devnet"
	"github.com/ante-games/ante/chain/signertest"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/store"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/signer/core/apitypes"
)

func typedWord() apitypes.TypedData {
	return apitypes.TypedData{
		Types:       apitypes.Types{"EIP712Domain": {{Name: "name", Type: "string"}}, "Word": {{Name: "word", Type: "bytes32"}}},
		PrimaryType: "Word", Domain: apitypes.TypedDataDomain{Name: "Ante"}, Message: apitypes.TypedDataMessage{"word": wordOf("a").Hex()},
	}
}

// TestExternalSigner: what an external signer signs is what it was asked to sign, by the right
// account, or it is not used.
func TestExternalSigner(t *testing.T) {
	w := newWorld(t, devnet.Config{})
	server := signertest.Start(t, w.chain.Key(3))
	account := w.chain.Address(3)
	x := chain.NewExternal(server.URL, account, 0)
	t.Cleanup(x.Close)
	ctx := context.Background()
	sender, err := chain.NewSender(w.dial(chain.Config{}), chain.SenderConfig{
		Signer: x, Store: store.NewMemory(), Confirmations: 1, Now: func(context.Context) (uint64, error) { return 1, nil },
	})
	if err != nil {
		t.Fatal(err)
	}
	request := chain.Request{Key: "a", To: w.once, Data: wordOf("a").Bytes()}
	typed, _, err := apitypes.TypedDataAndHash(typedWord())
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		mood signertest.Mood
		want error
	}{
		{signertest.Refuse, chain.ErrSignerRefused}, {signertest.Forge, chain.ErrSignerLied}, {signertest.Garbage, chain.ErrSignerLied},
		{signertest.Away, context.Canceled},
	} {
		server.Set(c.mood)
		limited, cancel := context.WithCancel(ctx)
		if c.mood == signertest.Away {
			cancel()
		}
		if sig, err := x.SignTyped(limited, typedWord()); !errors.Is(err, c.want) {
			t.Errorf("mood %d, typed: %x, %v; want %v", c.mood, sig, err, c.want)
		}
		if _, err := sender.Submit(limited, request); !errors.Is(err, c.want) {
			t.Errorf("mood %d, transaction: %v; want %v", c.mood, err, c.want)
		}
		cancel()
	}
	server.Set(signertest.Away)
	impatient := chain.NewExternal(server.URL, account, time.Millisecond)
	t.Cleanup(impatient.Close)
	if _, err := impatient.SignTyped(ctx, typedWord()); !errors.Is(err, chain.ErrSignerAway) || !strings.Contains(err.Error(), "approve the request") {
		t.Errorf("nobody answers: %v", err)
	}
	if r, err := sender.Status("a"); err != nil || r.Progress != chain.Unknown {
		t.Errorf("refused transactions are stored: %v, %v", r.Progress, err)
	}
	server.Set(signertest.Approve)
	raw, err := x.SignTyped(ctx, typedWord())
	if err != nil {
		t.Fatal(err)
	}
	if sig, err := protocol.ParseSignature(raw); err != nil || sig.Verify(common.Hash(typed), account) != nil {
		t.Errorf("signed %x, %v", raw, err)
	}
	if _, err := sender.Submit(ctx, request); err != nil {
		t.Fatal(err)
	}
	w.mine(1)
	if _, err := sender.Step(ctx); err != nil {
		t.Fatal(err)
	}
	if r, err := sender.Status("a"); err != nil || r.Progress != chain.Done || r.Err != nil {
		t.Errorf("approved: %v, %v, %v", r.Progress, r.Err, err)
	}
	stranger := chain.NewExternal(server.URL, w.chain.Address(4), 0)
	t.Cleanup(stranger.Close)
	if _, err := stranger.SignTyped(ctx, typedWord()); !errors.Is(err, chain.ErrSignerRefused) {
		t.Errorf("an account that it doesn't have: %v", err)
	}
}

// liar signs another transaction than the one it is given.
type liar struct {
	chain.Signer
	change func(*types.DynamicFeeTx)
}

func (l liar) SignTx(ctx context.Context, tx *types.Transaction, id *big.Int) (*types.Transaction, error) {
	fields := &types.DynamicFeeTx{ChainID: id, Nonce: tx.Nonce(), Gas: tx.Gas(), To: tx.To(), Data: tx.Data(), Value: tx.Value(), GasTipCap: tx.GasTipCap(), GasFeeCap: tx.GasFeeCap()}
	l.change(fields)
	return l.Signer.SignTx(ctx, types.NewTx(fields), id)
}

// TestAttack_LyingSigner: a transaction that is signed otherwise than asked for, in any field,
// never leaves.
func TestAttack_LyingSigner(t *testing.T) {
	w := newWorld(t, devnet.Config{})
	client := w.dial(chain.Config{})
	other, err := crypto.GenerateKey()
	if err != nil {
		t.Fatal(err)
	}
	honest := chain.KeySigner(w.chain.Key(3))
	for name, change := range map[string]func(*types.DynamicFeeTx){
		"to":    func(tx *types.DynamicFeeTx) { tx.To = &common.Address{1} },
		"data":  func(tx *types.DynamicFeeTx) { tx.Data = wordOf("b").Bytes() },
		"value": func(tx *types.DynamicFeeTx) { tx.Value = big.NewInt(1) },
		"nonce": func(tx *types.DynamicFeeTx) { tx.Nonce++ },
		"gas":   func(tx *types.DynamicFeeTx) { tx.Gas++ },
		"fee":   func(tx *types.DynamicFeeTx) { tx.GasFeeCap = new(big.Int).Mul(tx.GasFeeCap, big.NewInt(9)) },
		"by":    nil,
	} {
		signer := chain.Signer(liar{honest, change})
		if change == nil {
			signer = named{chain.KeySigner(other), honest.Address()}
		}
		sender, err := chain.NewSender(client, chain.SenderConfig{
			Signer: signer, Store: store.NewMemory(), Now: func(context.Context) (uint64, error) { return 1, nil },
		})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := sender.Submit(context.Background(), chain.Request{Key: "a", To: w.once, Data: wordOf("a").Bytes()}); !errors.Is(err, chain.ErrSignerLied) {
			t.Errorf("%s: %v, want ErrSignerLied", name, err)
		}
	}
}

// named signs with another key than that of the account which it says it is.
type named struct {
	chain.Signer
	account common.Address
}

func (n named) Address() common.Address { return n.account }

// TestASignerKeepsItsSecrets: printed, it is its account and where it is, without what the URL
// gives access by.
func TestASignerKeepsItsSecrets(t *testing.T) {
	account := common.Address{1}
	x := chain.NewExternal("https://user:secret@signer/path?key=secret", account, 0)
	if got, want := fmt.Sprintf("%v %+v", x, x), strings.Repeat(" account "+account.Hex()+" at the external signer https://signer", 2)[1:]; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
