package driver

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/ante-games/ante/chain"
	"github.com/ante-games/ante/chain/codec"
	"github.com/ante-games/ante/disputes"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/onchain"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/holiman/uint256"
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

// TestWhatDependsOnAnAnswer: the sender is told what depends on an answer, and an answer that made
// way for another counts as not paid for.
func TestWhatDependsOnAnAnswer(t *testing.T) {
	u := newUpkeep(t)
	u.Codec = codec.New(protocol.Domain{ChainID: u.Client.ChainID()})
	asset := common.Address{5}
	u.must(u.Submit(t.Context(), disputes.Submission{ID: "a", Action: onchain.Batch{}, Stake: *uint256.NewInt(77), Asset: asset}))
	told := ""
	u.must(u.store.Scan("chain/", "", func(_ string, value []byte) error { told += string(value); return nil }))
	if !strings.Contains(told, `"stake":"77"`) || !strings.Contains(told, strings.ToLower(asset.Hex())) {
		t.Errorf("it is told %s", told)
	}
	for err, unpaid := range map[error]bool{chain.ErrMadeWay: true, context.Canceled: false} {
		if told := Failure(&chain.Report{Err: err}); !errors.Is(told, err) || errors.Is(told, disputes.ErrUnpaid) != unpaid {
			t.Errorf("%v is told as %v", err, told)
		}
	}
}
