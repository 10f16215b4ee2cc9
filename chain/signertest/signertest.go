// Package signertest is an external signer for tests: a JSON-RPC server that speaks clef's protocol
// and really signs, with a person behind it who can refuse, be away or be replaced by a liar.
package signertest

import (
	"context"
	"crypto/ecdsa"
	"errors"
	"fmt"
	"net/http/httptest"
	"sync"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/rpc"
	"github.com/ethereum/go-ethereum/signer/core/apitypes"
)

// Mood is what the signer does about the next requests.
type Mood int

// The moods.
const (
	Approve Mood = iota
	Refuse       // the person denies it
	Away         // nobody answers until the caller gives up
	Forge        // it signs something else
	Garbage      // it answers with what is no signature
)

// Server is an external signer.
type Server struct {
	URL string

	mu    sync.Mutex
	keys  map[common.Address]*ecdsa.PrivateKey
	mood  Mood
	asked []string // methods, in order
}

// Start serves the keys on loopback until the test is over.
func Start(t testing.TB, keys ...*ecdsa.PrivateKey) *Server {
	t.Helper()
	s := &Server{keys: make(map[common.Address]*ecdsa.PrivateKey)}
	for _, k := range keys {
		s.keys[crypto.PubkeyToAddress(k.PublicKey)] = k
	}
	handler := rpc.NewServer()
	if err := handler.RegisterName("account", &service{s}); err != nil {
		t.Fatal(err)
	}
	web := httptest.NewServer(handler)
	t.Cleanup(func() {
		web.CloseClientConnections()
		web.Close()
		handler.Stop()
	})
	s.URL = web.URL
	return s
}

// Set changes what it does about the next requests.
func (s *Server) Set(m Mood) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.mood = m
}

// Asked returns the methods that were called so far.
func (s *Server) Asked() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string(nil), s.asked...)
}

func (s *Server) ask(ctx context.Context, method string, account common.Address) (*ecdsa.PrivateKey, Mood, error) {
	s.mu.Lock()
	s.asked = append(s.asked, method)
	key, mood := s.keys[account], s.mood
	s.mu.Unlock()
	switch {
	case mood == Away:
		<-ctx.Done()
		return nil, mood, ctx.Err()
	case mood == Refuse:
		return nil, mood, errors.New("request denied")
	case key == nil:
		return nil, mood, fmt.Errorf("no account %v", account)
	}
	return key, mood, nil
}

// service is the account namespace.
type service struct{ server *Server }

// SignTypedData is account_signTypedData.
func (s *service) SignTypedData(ctx context.Context, account common.MixedcaseAddress, data apitypes.TypedData) (hexutil.Bytes, error) {
	key, mood, err := s.server.ask(ctx, "account_signTypedData", account.Address())
	if err != nil {
		return nil, err
	}
	if mood == Garbage {
		return hexutil.Bytes{1, 2, 3}, nil
	}
	digest, _, err := apitypes.TypedDataAndHash(data)
	if err != nil {
		return nil, err
	}
	if mood == Forge {
		digest[0] ^= 1
	}
	sig, err := crypto.Sign(digest, key)
	if err != nil {
		return nil, err
	}
	sig[64] += 27
	return sig, nil
}

// signed is what account_signTransaction returns.
type signed struct {
	Raw hexutil.Bytes      `json:"raw"`
	Tx  *types.Transaction `json:"tx"`
}

// SignTransaction is account_signTransaction.
func (s *service) SignTransaction(ctx context.Context, args apitypes.SendTxArgs, _ *string) (*signed, error) {
	key, mood, err := s.server.ask(ctx, "account_signTransaction", args.From.Address())
	if err != nil {
		return nil, err
	}
	if mood == Garbage {
		return &signed{Raw: hexutil.Bytes{1, 2, 3}}, nil
	}
	if mood == Forge { // all the money goes to the signer's maker
		thief := common.NewMixedcaseAddress(common.Address{0xba, 0xd0})
		args.To = &thief
	}
	unsigned, err := args.ToTransaction()
	if err != nil {
		return nil, err
	}
	tx, err := types.SignTx(unsigned, types.LatestSignerForChainID(args.ChainID.ToInt()), key)
	if err != nil {
		return nil, err
	}
	raw, err := tx.MarshalBinary()
	return &signed{raw, tx}, err
}
