package api

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"connectrpc.com/connect"
	"github.com/ante-games/ante/chain"
	"github.com/ante-games/ante/node"
	"github.com/ante-games/ante/node/keys"
	"github.com/ante-games/ante/node/owner"
	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"github.com/ante-games/ante/proto/ante/v1/antev1connect"
	"github.com/ante-games/ante/store"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/signer/core/apitypes"
)

// TestFaults_Elsewhere: what only the player's account may send has a number, and the transaction.
func TestFaults_Elsewhere(t *testing.T) {
	var c *connect.Error
	if !errors.As(coding(&node.Elsewhere{Why: "deposit", Account: common.Address{1}}), &c) || c.Code() != connect.CodeFailedPrecondition {
		t.Fatal(c)
	}
	var number, why string
	for _, d := range c.Details() {
		v, err := d.Value()
		if err != nil {
			t.Fatal(err)
		}
		switch v := v.(type) {
		case *antev1.Fault:
			number = v.Number
		case *antev1.SendFromWallet:
			why = v.Why
		}
	}
	if number != "ANTE-2108" || why != "deposit" {
		t.Errorf("number %q, to send: %q", number, why)
	}
}

// TestWallet_Once: an answer of the wallet that is sent again with its key, also to a daemon that
// has its node by now, is answered as it was.
func TestWallet_Once(t *testing.T) {
	browser := owner.NewBrowser(common.Address{1})
	refused := make(chan error, 1)
	typed := apitypes.TypedData{
		Types:       apitypes.Types{"EIP712Domain": {{Name: "name", Type: "string"}}, "Word": {{Name: "text", Type: "string"}}},
		PrimaryType: "Word", Domain: apitypes.TypedDataDomain{Name: "test"}, Message: apitypes.TypedDataMessage{"text": "yes"},
	}
	go func() {
		_, err := browser.SignTyped(t.Context(), typed)
		refused <- err
	}()
	config := Config{Token: keys.NewSecret([]byte("open sesame")), Store: store.NewMemory(), Now: time.Now}
	shows := connect.WithInterceptors(connect.UnaryInterceptorFunc(func(next connect.UnaryFunc) connect.UnaryFunc {
		return func(ctx context.Context, r connect.AnyRequest) (connect.AnyResponse, error) {
			r.Header().Set("Authorization", "Bearer open sesame")
			return next(ctx, r)
		}
	}))
	var id uint64
	for range 2 {
		server := httptest.NewServer(Wallet(http.NotFoundHandler(), config, browser, 1))
		defer server.Close()
		client := antev1connect.NewWalletServiceClient(server.Client(), server.URL, shows)
		for id == 0 {
			list, err := client.ListSignatures(t.Context(), connect.NewRequest(&antev1.ListSignaturesRequest{}))
			if err != nil {
				t.Fatal(err)
			}
			if len(list.Msg.Requests) > 0 {
				id = list.Msg.Requests[0].Id
			}
		}
		for range 2 {
			r := connect.NewRequest(&antev1.RefuseSignatureRequest{Id: id})
			r.Header().Set(KeyHeader, "no")
			if _, err := client.RefuseSignature(t.Context(), r); err != nil {
				t.Errorf("sent again: %v", err)
			}
		}
		if _, err := client.RefuseSignature(t.Context(), connect.NewRequest(&antev1.RefuseSignatureRequest{Id: id})); connect.CodeOf(err) != connect.CodeNotFound {
			t.Errorf("without its key: %v", err)
		}
	}
	if err := <-refused; !errors.Is(err, chain.ErrSignerRefused) {
		t.Errorf("the node hears %v", err)
	}
}
