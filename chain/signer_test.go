package chain_test

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"strings"
	"testing"

	"github.com/ante-games/ante/chain"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
)

func TestAttack_LoggedSecret(t *testing.T) {
	key, err := crypto.GenerateKey()
	if err != nil {
		t.Fatal(err)
	}
	secret, decimal := common.Bytes2Hex(crypto.FromECDSA(key)), new(big.Int).SetBytes(crypto.FromECDSA(key)).String()
	config := chain.SenderConfig{Signer: chain.KeySigner(key)}
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%x", "%d"} {
		if text := fmt.Sprintf(verb, config); strings.Contains(text, secret) || strings.Contains(text, decimal) {
			t.Errorf("%s prints the key", verb)
		}
	}
}

func TestSigners(t *testing.T) {
	key, err := crypto.GenerateKey()
	if err != nil {
		t.Fatal(err)
	}
	account := crypto.PubkeyToAddress(key.PublicKey)
	ctx, id := context.Background(), big.NewInt(7)
	tx := types.NewTx(&types.DynamicFeeTx{ChainID: id, Nonce: 3, Gas: 21_000, To: &account})
	signer := chain.KeySigner(key)
	signed, err := signer.SignTx(ctx, tx, id)
	if err != nil {
		t.Fatal(err)
	}
	sender, err := types.Sender(types.LatestSignerForChainID(id), signed)
	if err != nil || sender != account || signer.Address() != sender {
		t.Errorf("signed by %v, %v, want %v", sender, err, account)
	}
	_, err = chain.NewExternal("http://127.0.0.1:1/secret", account, 0).SignTx(ctx, tx, id)
	if !errors.Is(err, chain.ErrSignerAway) || strings.Contains(err.Error(), "secret") || !strings.Contains(err.Error(), "start it") {
		t.Errorf("an external signer that is down: %v", err)
	}
}
