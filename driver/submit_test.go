package driver

import (
	"context"
	"errors"
	"testing"

	"github.com/ante-games/ante/chain"
	"github.com/ante-games/ante/chain/codec"
	"github.com/ante-games/ante/disputes"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/onchain"
	"github.com/ethereum/go-ethereum/crypto"
)

// TestAttack_EmptyWallet_Told: whoever asks for an answer is told that the account can't pay for
// it, and so can ask for the one on which most depends alone.
func TestAttack_EmptyWallet_Told(t *testing.T) {
	u := newUpkeep(t)
	u.Codec = codec.New(protocol.Domain{ChainID: u.Client.ChainID()})
	poor, err := crypto.GenerateKey()
	u.must(err)
	u.Sender, err = chain.NewSender(u.Client, chain.SenderConfig{Signer: chain.KeySigner(poor), Store: u.store, Now: func(context.Context) (uint64, error) { return 1, nil }})
	u.must(err)
	if err := u.Submit(t.Context(), disputes.Submission{ID: "a", Action: onchain.Batch{}}); !errors.Is(err, disputes.ErrUnpaid) || errors.Is(err, disputes.ErrFailed) {
		t.Errorf("told %v", err)
	}
}
