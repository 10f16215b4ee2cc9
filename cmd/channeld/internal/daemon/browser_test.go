package daemon

import (
	"context"
	"crypto/ecdsa"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"connectrpc.com/connect"
	"github.com/ante-games/ante/chain/devnet"
	"github.com/ante-games/ante/cmd/channeld/internal/config"
	"github.com/ante-games/ante/games/catalog"
	"github.com/ante-games/ante/node"
	"github.com/ante-games/ante/node/dev"
	"github.com/ante-games/ante/node/keys"
	"github.com/ante-games/ante/node/owner"
	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"github.com/ante-games/ante/proto/ante/v1/antev1connect"
	"github.com/ante-games/ante/protocol"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/signer/core/apitypes"
	"github.com/holiman/uint256"
)

const browserToken = "a token that nobody guesses"

// seated is a person whose key is in the browser's wallet, in front of a running daemon.
type seated struct {
	*testing.T
	world   *dev.World
	key     *ecdsa.PrivateKey
	wallet  antev1connect.WalletServiceClient
	node    antev1connect.NodeServiceClient
	address string
	signed  []string // the primary types of what the wallet was asked to sign
}

// TestBrowserWallet: a node without the player's key asks the wallet in the browser for its deputy
// and for each opening, leaves deposits and withdrawals to it, and asks nothing while it plays.
func TestBrowserWallet(t *testing.T) {
	s := sit(t)
	s.sign("Deputy")

	s.send("deposit", func() error {
		_, err := s.node.Deposit(t.Context(), connect.NewRequest(&antev1.DepositRequest{Amount: "1000000000000000000"}))
		return err
	})
	s.until("the deposit counts", func() bool { return s.bank().Eq(uint256.NewInt(1e18)) })

	peer := s.peer()
	status := s.status()
	if !status.BrowserWallet {
		t.Error("the status does not say that a wallet is asked")
	}
	s.must(peer.Network().Keep(common.HexToAddress(status.Account), status.Addresses[0]))
	s.must(peer.Network().Connect(t.Context(), common.HexToAddress(status.Account)))
	var opened *connect.Response[antev1.OpenChannelResponse]
	s.until("the peer is known", func() bool {
		var err error
		opened, err = s.node.OpenChannel(t.Context(), connect.NewRequest(&antev1.OpenChannelRequest{
			Peers: []string{peer.Account().Hex()}, Deposits: []string{"1000000000000000000", "1000000000000000000"}, Window: 100,
		}))
		return err == nil
	})
	s.sign("ChannelTerms")
	channel, err := peer.Opened(t.Context(), common.HexToHash(opened.Msg.OfferId))
	s.must(err)

	s.until("the channel is open here, too", func() bool {
		_, err := s.node.ProposeMatch(t.Context(), connect.NewRequest(&antev1.ProposeMatchRequest{
			ChannelId: channel.ID.Hex(), Game: "mastermind", Stakes: []string{"100000000000000000"}}))
		return err == nil
	})
	_, err = peer.Finished(t.Context(), channel.ID, 1)
	s.must(err)
	s.must(peer.CloseChannel(channel.ID))
	s.must(peer.Closed(t.Context(), channel.ID))
	if got := strings.Join(s.signed, " "); got != "Deputy ChannelTerms" {
		t.Errorf("the wallet was asked to sign %s", got)
	}
	s.until("the channel is paid", func() bool { return !s.bank().IsZero() })
	s.send("withdraw", func() error {
		_, err := s.node.Withdraw(t.Context(), connect.NewRequest(&antev1.WithdrawRequest{}))
		return err
	})
	s.until("the bank is empty", func() bool { return s.bank().IsZero() })
}

// TestBrowserWallet_Chain: the wallet is told the chain that the node plays on, also where no
// setting names it: a deposit that it sends on another one is lost.
func TestBrowserWallet_Chain(t *testing.T) {
	s := sit(t)
	s.sign("Deputy")
	list, err := s.wallet.ListSignatures(t.Context(), connect.NewRequest(&antev1.ListSignaturesRequest{}))
	s.must(err)
	if id := s.world.Chain.ChainID(); list.Msg.ChainId != id {
		t.Errorf("the wallet is to be on chain %d, want %d", list.Msg.ChainId, id)
	}
}

// TestBrowserWallet_Token: whoever does not show the token learns and gives nothing.
func TestBrowserWallet_Token(t *testing.T) {
	s := sit(t)
	stranger := antev1connect.NewWalletServiceClient(http.DefaultClient, s.address)
	_, listed := stranger.ListSignatures(t.Context(), connect.NewRequest(&antev1.ListSignaturesRequest{}))
	_, given := stranger.GiveSignature(t.Context(), connect.NewRequest(&antev1.GiveSignatureRequest{Id: 1, Signature: "0x00"}))
	_, refused := stranger.RefuseSignature(t.Context(), connect.NewRequest(&antev1.RefuseSignatureRequest{Id: 1}))
	for _, err := range []error{listed, given, refused} {
		if connect.CodeOf(err) != connect.CodeUnauthenticated {
			t.Errorf("a stranger: %v", err)
		}
	}
	s.sign("Deputy") // it still waits
}

// sit starts a daemon whose player's key is only here.
func sit(t *testing.T) *seated {
	s := &seated{T: t}
	var err error
	s.world, err = dev.Start(t.Context(), devnet.Config{}, catalog.Standard())
	s.must(err)
	t.Cleanup(func() { _ = s.world.Close() })
	s.key = s.world.Chain.Key(5)
	dir := t.TempDir()
	ring, err := keys.CreateSeed(filepath.Join(dir, "keys"), keys.NewPassword("a password"), keys.Light)
	s.must(err)
	gas, err := ring.Gas()
	s.must(err)
	s.pay(gas.Address(), "0x", uint256.NewInt(1e18))
	settings := fmt.Sprintf("chain:\n  url: %q\n  arena: %q\n  from: %d\n  max_age: 0s\nkeys:\n  signer: browser\n  player: %q\napi:\n  listen: 127.0.0.1:0\n"+
		"peers:\n  mdns: false\n  listen: /ip4/127.0.0.1/tcp/0\nwait:\n  confirmations: 1\n  poll: 20ms\nplay:\n  bot: true\ngames:\n  mastermind: %q\n",
		s.world.Chain.URL(), s.world.Arena.Hex(), s.world.From, crypto.PubkeyToAddress(s.key.PublicKey).Hex(), s.world.Rules["mastermind"].Hex())
	s.must(os.WriteFile(filepath.Join(dir, "config.yaml"), []byte(settings), 0o600))
	loaded, err := config.Load(filepath.Join(dir, "config.yaml"), nil, nil)
	s.must(err)
	ctx, stop := context.WithCancel(t.Context())
	ended, address := make(chan error, 1), filepath.Join(dir, "api")
	go func() {
		ended <- Run(ctx, Options{
			Config: loaded, Games: s.world.Games, Keys: ring, StoreDir: filepath.Join(dir, "store"), AddressFile: address,
			Token: keys.NewSecret([]byte(browserToken)), Version: "test", Log: slog.New(slog.DiscardHandler), Ready: func(*node.Node, string) {},
		})
	}()
	t.Cleanup(func() { stop(); s.must(<-ended) })
	var at []byte
	s.until("the daemon serves", func() bool {
		select {
		case err := <-ended:
			t.Fatal(err)
		default:
		}
		at, err = os.ReadFile(address)
		return err == nil && len(at) > 0
	})
	url, shows := "http://"+strings.TrimSpace(string(at)), connect.WithInterceptors(bearer(browserToken))
	s.wallet, s.node = antev1connect.NewWalletServiceClient(http.DefaultClient, url, shows), antev1connect.NewNodeServiceClient(http.DefaultClient, url, shows)
	s.address = url
	return s
}

// sign does what a wallet does with what waits: it must be of the kind that is wanted.
func (s *seated) sign(kind string) {
	s.Helper()
	var asked *antev1.SignatureRequest
	s.until("the wallet is asked for "+kind, func() bool {
		list, err := s.wallet.ListSignatures(s.Context(), connect.NewRequest(&antev1.ListSignaturesRequest{}))
		s.must(err)
		if len(list.Msg.Requests) == 0 {
			return false
		}
		asked = list.Msg.Requests[0]
		return true
	})
	var typed apitypes.TypedData
	s.must(json.Unmarshal([]byte(asked.TypedJson), &typed))
	if typed.PrimaryType != kind {
		s.Fatalf("the wallet is asked for %s, want %s", typed.PrimaryType, kind)
	}
	s.signed = append(s.signed, kind)
	sig, err := owner.Key{Key: protocol.NewKey(s.key)}.SignTyped(s.Context(), typed)
	s.must(err)
	_, err = s.wallet.GiveSignature(s.Context(), connect.NewRequest(&antev1.GiveSignatureRequest{Id: asked.Id, Signature: hexutil.Encode(sig)}))
	s.must(err)
	s.until("the node runs", func() bool {
		_, err := s.node.GetStatus(s.Context(), connect.NewRequest(&antev1.GetStatusRequest{}))
		return err == nil
	})
}

// send makes a call that ends in a transaction for the wallet, and has the wallet send it.
func (s *seated) send(what string, call func() error) {
	s.Helper()
	err := call()
	var refused *connect.Error
	if !errors.As(err, &refused) {
		s.Fatalf("%s: %v, want what the wallet is to send", what, err)
	}
	var todo *antev1.SendFromWallet
	for _, d := range refused.Details() {
		value, err := d.Value()
		s.must(err)
		if found, ok := value.(*antev1.SendFromWallet); ok {
			todo = found
		}
	}
	if todo.GetAccount() != crypto.PubkeyToAddress(s.key.PublicKey).Hex() {
		s.Fatalf("%s: to be sent is %v", what, todo)
	}
	s.pay(common.HexToAddress(todo.To), todo.Data, uint256.MustFromDecimal(todo.Value))
}

// pay sends a transaction of the player's account.
func (s *seated) pay(to common.Address, data string, wei *uint256.Int) {
	s.Helper()
	_, err := s.world.Chain.Send(s.Context(), s.key, types.DynamicFeeTx{To: &to, Value: wei.ToBig(), Data: common.FromHex(data), Gas: 200_000})
	s.must(err)
}

func (s *seated) bank() *uint256.Int {
	reply, err := s.node.GetBalance(s.Context(), connect.NewRequest(&antev1.GetBalanceRequest{}))
	s.must(err)
	return uint256.MustFromDecimal(reply.Msg.Bank)
}

func (s *seated) status() *antev1.GetStatusResponse {
	reply, err := s.node.GetStatus(s.Context(), connect.NewRequest(&antev1.GetStatusRequest{}))
	s.must(err)
	return reply.Msg
}

// peer starts a node that accepts and plays everything.
func (s *seated) peer() *node.Node {
	n, err := s.world.Node(s.Context(), 1)
	s.must(err)
	s.Cleanup(func() { _ = n.Close() })
	s.must(dev.Deposit(s.Context(), n, uint256.NewInt(1e18)))
	return n
}

func (s *seated) until(what string, is func() bool) {
	s.Helper()
	for deadline := time.Now().Add(time.Minute); !is(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			s.Fatalf("not within a minute: %s", what)
		}
	}
}

func (s *seated) must(err error) {
	s.Helper()
	if err != nil {
		s.Fatal(err)
	}
}

// bearer shows a token with each request.
type bearer string

func (b bearer) WrapUnary(next connect.UnaryFunc) connect.UnaryFunc {
	return func(ctx context.Context, r connect.AnyRequest) (connect.AnyResponse, error) {
		r.Header().Set("Authorization", "Bearer "+string(b))
		return next(ctx, r)
	}
}

func (b bearer) WrapStreamingClient(next connect.StreamingClientFunc) connect.StreamingClientFunc {
	return next
}

func (b bearer) WrapStreamingHandler(next connect.StreamingHandlerFunc) connect.StreamingHandlerFunc {
	return next
}
