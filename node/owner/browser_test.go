package owner_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"

	"github.com/ante-games/ante/chain"
	"github.com/ante-games/ante/node/owner"
	"github.com/ante-games/ante/protocol"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/signer/core/apitypes"
)

// signing is a deputy's appointment that a wallet is asked for.
type signing struct {
	*owner.Browser
	wallet owner.Key
	asked  owner.Request
	got    chan error
	cancel context.CancelFunc
}

func ask(t *testing.T) *signing {
	t.Helper()
	key, err := crypto.GenerateKey()
	if err != nil {
		t.Fatal(err)
	}
	s := &signing{Browser: owner.NewBrowser(crypto.PubkeyToAddress(key.PublicKey)), wallet: owner.Key{Key: protocol.NewKey(key)}, got: make(chan error, 1)}
	ctx, cancel := context.WithCancel(t.Context())
	s.cancel = cancel
	domain := protocol.Domain{ChainID: 1, Arena: common.Address{1}}
	deputy := &protocol.Deputy{Player: s.Account(), Key: common.Address{2}, Expiry: 3}
	go func() {
		sig, err := owner.New(s.Account(), s).SignDeputy(ctx, domain, deputy)
		if err == nil {
			var parsed protocol.Signature
			if parsed, err = protocol.ParseSignature(sig); err == nil {
				err = parsed.Verify(deputy.Digest(domain), s.Account())
			}
		}
		s.got <- err
	}()
	synctest.Wait()
	list := s.Requests()
	if len(list) != 1 {
		t.Fatalf("%d requests wait, want 1", len(list))
	}
	s.asked = list[0]
	return s
}

func (s *signing) sign(t *testing.T, typed apitypes.TypedData) []byte {
	t.Helper()
	sig, err := s.wallet.SignTyped(t.Context(), typed)
	if err != nil {
		t.Fatal(err)
	}
	return sig
}

func (s *signing) gone(t *testing.T) {
	t.Helper()
	if n := len(s.Requests()); n != 0 {
		t.Errorf("%d requests still wait", n)
	}
	if err := s.Give(s.asked.ID, s.sign(t, s.asked.Typed)); !errors.Is(err, owner.ErrNoRequest) {
		t.Errorf("an answer to what is over: %v", err)
	}
}

// TestBrowser_Signs: what the wallet signs is what the node needs, once.
func TestBrowser_Signs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := ask(t)
		if err := s.Give(s.asked.ID, s.sign(t, s.asked.Typed)); err != nil {
			t.Fatal(err)
		}
		if err := <-s.got; err != nil {
			t.Error(err)
		}
		s.gone(t)
	})
}

// TestBrowser_Verifies: another account's signature, one of something else, and bytes that are none
// change nothing: the request waits for the right one.
func TestBrowser_Verifies(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := ask(t)
		stranger := ask(t)
		other := s.asked.Typed
		other.Message = apitypes.TypedDataMessage{"player": s.Account().Hex(), "key": common.Address{9}.Hex(), "expiry": "3"}
		for name, sig := range map[string][]byte{
			"another account": stranger.sign(t, s.asked.Typed), "another content": s.sign(t, other), "no signature": {1, 2, 3}, "nothing": nil,
		} {
			if err := s.Give(s.asked.ID, sig); !errors.Is(err, chain.ErrSignerLied) {
				t.Errorf("%s: %v", name, err)
			}
		}
		if err := s.Give(s.asked.ID, s.sign(t, s.asked.Typed)); err != nil {
			t.Fatal(err)
		}
		if err := <-s.got; err != nil {
			t.Error(err)
		}
		stranger.cancel()
		<-stranger.got
	})
}

// TestBrowser_Refuses: a refusal, and a caller that gives up, end the request.
func TestBrowser_Refuses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := ask(t)
		if err := s.Refuse(s.asked.ID); err != nil {
			t.Fatal(err)
		}
		if err := <-s.got; !errors.Is(err, chain.ErrSignerRefused) {
			t.Error(err)
		}
		s.gone(t)
		s = ask(t)
		s.cancel()
		if err := <-s.got; !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
		s.gone(t)
	})
}
