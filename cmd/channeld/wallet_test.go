package main

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"

	"connectrpc.com/connect"
	"github.com/ante-games/ante/node/owner"
	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"github.com/ante-games/ante/proto/ante/v1/antev1connect"
	"github.com/ante-games/ante/protocol"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/signer/core/apitypes"
	"github.com/rogpeppe/go-internal/testscript"
)

// walletKey is that of 0x70997970C51812dc3A010C7d01b50e0d17dc79C8, which everybody knows.
const walletKey = "59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d"

// sign signs what the daemon asks of the player's wallet, at the link that the last command
// printed, if it is of the wanted kind: sign KIND.
func sign(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: sign KIND")
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	link, token, _ := strings.Cut(strings.TrimSpace(ts.ReadFile("stdout")), "#")
	daemon := strings.Join(strings.Split(link, "/")[:3], "/")
	wallet := antev1connect.NewWalletServiceClient(http.DefaultClient, daemon, connect.WithInterceptors(connect.UnaryInterceptorFunc(
		func(next connect.UnaryFunc) connect.UnaryFunc {
			return func(ctx context.Context, r connect.AnyRequest) (connect.AnyResponse, error) {
				r.Header().Set("Authorization", "Bearer "+token)
				return next(ctx, r)
			}
		})))
	list, err := wallet.ListSignatures(ctx, connect.NewRequest(&antev1.ListSignaturesRequest{}))
	ts.Check(err)
	if len(list.Msg.Requests) != 1 {
		ts.Fatalf("%d requests wait for the wallet", len(list.Msg.Requests))
	}
	asked := list.Msg.Requests[0]
	var typed apitypes.TypedData
	ts.Check(json.Unmarshal([]byte(asked.TypedJson), &typed))
	if typed.PrimaryType != args[0] {
		ts.Fatalf("the wallet is asked to sign %s", typed.PrimaryType)
	}
	key, err := crypto.HexToECDSA(walletKey)
	ts.Check(err)
	signature, err := owner.Key{Key: protocol.NewKey(key)}.SignTyped(ctx, typed)
	ts.Check(err)
	_, err = wallet.GiveSignature(ctx, connect.NewRequest(&antev1.GiveSignatureRequest{Id: asked.Id, Signature: hexutil.Encode(signature)}))
	ts.Check(err)
}
