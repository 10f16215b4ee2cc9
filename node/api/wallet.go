package api

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"

	"connectrpc.com/connect"
	"github.com/ante-games/ante/node"
	"github.com/ante-games/ante/node/owner"
	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"github.com/ante-games/ante/proto/ante/v1/antev1connect"
	"github.com/ethereum/go-ethereum/common/hexutil"
)

// Wallet adds the service of a wallet in the browser to a handler, for whoever shows the daemon's
// token. It is served before the node runs as well, since a node may need the wallet's signature to
// start. Of the service's Config it needs the Token, the Store and Now.
func Wallet(next http.Handler, config Config, wallet *owner.Browser, chainID uint64) http.Handler {
	mux := http.NewServeMux()
	path, handler := antev1connect.NewWalletServiceHandler(&walletService{wallet, chainID}, answering(&config, nil))
	mux.Handle(path, &gate{token: string(config.Token.Reveal()), next: handler})
	mux.Handle("/", next)
	return mux
}

// walletService implements antev1connect.WalletServiceHandler.
type walletService struct {
	wallet  *owner.Browser
	chainID uint64
}

func (s *walletService) ListSignatures(context.Context, *connect.Request[antev1.ListSignaturesRequest]) (*connect.Response[antev1.ListSignaturesResponse], error) {
	reply := &antev1.ListSignaturesResponse{Account: s.wallet.Account().Hex(), ChainId: s.chainID}
	for _, r := range s.wallet.Requests() {
		typed, err := json.Marshal(r.Typed)
		if err != nil {
			return nil, err
		}
		reply.Requests = append(reply.Requests, &antev1.SignatureRequest{Id: r.ID, TypedJson: string(typed)})
	}
	return connect.NewResponse(reply), nil
}

func (s *walletService) GiveSignature(_ context.Context, r *connect.Request[antev1.GiveSignatureRequest]) (*connect.Response[antev1.GiveSignatureResponse], error) {
	signature, err := hexutil.Decode(r.Msg.Signature)
	if err != nil {
		return nil, fmt.Errorf("%w: signature: %w", ErrRequest, err)
	}
	return connect.NewResponse(new(antev1.GiveSignatureResponse)), s.wallet.Give(r.Msg.Id, signature)
}

func (s *walletService) RefuseSignature(_ context.Context, r *connect.Request[antev1.RefuseSignatureRequest]) (*connect.Response[antev1.RefuseSignatureResponse], error) {
	return connect.NewResponse(new(antev1.RefuseSignatureResponse)), s.wallet.Refuse(r.Msg.Id)
}

// sendElsewhere adds to an error the transaction that the player's own account has to send.
func sendElsewhere(e *connect.Error, todo *node.Elsewhere) error {
	detail, err := connect.NewErrorDetail(&antev1.SendFromWallet{
		Account: todo.Account.Hex(), To: todo.To.Hex(), Value: todo.Value.Dec(), Data: hexutil.Encode(todo.Data), Why: todo.Why,
	})
	if err != nil {
		return err
	}
	e.AddDetail(detail)
	return e
}
