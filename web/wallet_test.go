package web_test

import (
	"context"
	"crypto/ecdsa"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ante-games/ante/chain"
	"github.com/ante-games/ante/chain/devnet"
	"github.com/ante-games/ante/games/catalog"
	"github.com/ante-games/ante/node"
	"github.com/ante-games/ante/node/api"
	"github.com/ante-games/ante/node/dev"
	"github.com/ante-games/ante/node/keys"
	"github.com/ante-games/ante/node/owner"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/store"
	"github.com/ante-games/ante/web"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/signer/core/apitypes"
	"github.com/holiman/uint256"
)

// injected is a wallet as an extension puts one into a page (EIP-1193): what it is asked waits for
// the person, who is this test.
const injected = `
window.asked = [];
window.ethereum = {request: (call) => new Promise((yes, no) => window.asked.push({call, yes, no}))};`

// wallet is a person with a browser wallet in front of a node that holds no key of the player's.
type wallet struct {
	*desk
	key      *ecdsa.PrivateKey
	switched string // the chain on which it was told to be
}

// asks is what the page asks of the wallet.
type asks struct {
	Method string            `json:"method"`
	Params []json.RawMessage `json:"params"`
}

// TestPage_Wallet: the page asks a wallet in a real browser for the deputy and an opening, in words
// that say what they mean; a refusal signs nothing, and playing asks nothing.
func TestPage_Wallet(t *testing.T) {
	w, world := newWallet(t)
	account := crypto.PubkeyToAddress(w.key.PublicKey)
	signs := owner.NewBrowser(account)
	settings, err := world.Config(0)
	w.must(err)
	settings.Owner, settings.OwnerSigner, settings.Policy.Bot = owner.New(account, signs), nil, true
	w.serve(signs, world, settings)
	w.inject(injected)
	w.open(w.url + web.Path + "#" + token)

	w.sees(".wallet", "speak for you among players")
	w.picture("wallet-deputy")
	w.press("Sign in the wallet")
	w.answers(account, refuse)
	w.sees(".wallet", "You refused in the wallet")
	w.press("Sign in the wallet")
	w.answers(account, w.sign)
	w.sees("#state", "all is well")

	peer, err := world.Node(t.Context(), 1)
	w.must(err)
	t.Cleanup(func() { _ = peer.Close() })
	w.must(dev.Connect(t.Context(), w.node, peer))
	w.must(dev.Deposit(t.Context(), peer, ether))
	w.bank(world)
	offer, err := w.node.Offer(t.Context(), node.OpenRequest{Peers: []common.Address{peer.Account()}, Deposits: []uint256.Int{*ether, *ether}, Window: 100})
	w.must(err)
	w.sees(".wallet", "Open a channel")
	w.sees(".wallet", "you lock")
	w.sees(".wallet", "1 ETH")
	w.picture("wallet-opening")
	w.press("Sign in the wallet")
	w.answers(account, w.sign)
	channel, err := w.node.Opened(t.Context(), offer)
	w.must(err)

	w.must(w.node.Propose(channel.ID, node.MatchRequest{Game: "mastermind", Stakes: []uint256.Int{*uint256.NewInt(1e17)}}))
	_, err = w.node.Finished(t.Context(), channel.ID, 1)
	w.must(err)
	if n := w.read("String(window.asked.length)"); n != "0" {
		t.Errorf("the wallet was asked %s times while a match was played", n)
	}
}

// TestPage_Wallet_Elsewhere: where the daemon signs for the account, and the wallet only moves its
// money, as with a contract wallet, that is on the daemon's chain too before it sends anything.
func TestPage_Wallet_Elsewhere(t *testing.T) {
	w, world := newWallet(t)
	settings, err := world.Config(0)
	w.must(err)
	settings.Owner, settings.OwnerSigner = owner.New(crypto.PubkeyToAddress(w.key.PublicKey), owner.Key{Key: protocol.NewKey(w.key)}), nil
	w.serve(nil, world, settings)
	w.inject(injected)
	w.open(w.url + web.Path + "#" + token)
	w.sees("#state", "all is well")
	w.bank(world)
}

func newWallet(t *testing.T) (*wallet, *dev.World) {
	w := &wallet{desk: &desk{tab: newTab(t, newBrowser(t))}}
	world, err := dev.Start(t.Context(), devnet.Config{}, catalog.Standard())
	w.must(err)
	t.Cleanup(func() { _ = world.Close() })
	w.key = world.Chain.Key(5)
	return w, world
}

// serve answers as a daemon does: the node starts behind it, and waits for the wallet that signs;
// nil: none does.
func (w *wallet) serve(signs *owner.Browser, world *dev.World, settings node.Config) {
	var current atomic.Pointer[http.Handler]
	show := func(h http.Handler) {
		if signs != nil {
			h = api.Wallet(h, api.Config{Token: keys.NewSecret([]byte(token)), Store: settings.Store, Now: time.Now}, signs, world.Chain.ChainID())
		}
		current.Store(&h)
	}
	show(api.Waiting(keys.NewSecret([]byte(token)), settings.Store, errors.New("starting")))
	served := http.NewServeMux()
	served.Handle(web.Path, web.Handler())
	served.HandleFunc("/", func(rw http.ResponseWriter, r *http.Request) { (*current.Load()).ServeHTTP(rw, r) })
	server := httptest.NewServer(served)
	w.Cleanup(server.Close)
	w.url = server.URL
	ctx, stop := context.WithCancel(w.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		n, err := node.Start(ctx, settings)
		if err != nil {
			w.Errorf("the node does not start: %v", err)
			return
		}
		w.node = n
		show(api.New(api.Config{
			Node: n, Store: settings.Store, Token: keys.NewSecret([]byte(token)), Version: "test", Games: world.Games, Rules: world.Rules, BrowserWallet: signs != nil, Now: time.Now,
		}))
	}()
	w.Cleanup(func() {
		stop()
		<-done
		if w.node != nil {
			_ = w.node.Close()
		}
	})
}

// press clicks a button by what it says.
func (w *wallet) press(says string) {
	w.Helper()
	w.read(fmt.Sprintf(`[...document.querySelectorAll("button")].find(b => b.innerText === %q).click(), ""`, says))
}

// answers has the wallet say who and where it is, until the person is asked for something.
func (w *wallet) answers(account common.Address, person func(method string, params []json.RawMessage) (how string, value any)) {
	w.Helper()
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(every) {
		if time.Now().After(deadline) {
			w.Fatal("the person at the wallet is not asked")
		}
		var call asks
		w.must(json.Unmarshal([]byte(w.read(`JSON.stringify(window.asked.length ? window.asked[0].call : {})`)), &call))
		switch call.Method {
		case "":
		case "eth_requestAccounts":
			w.reply("yes", []string{strings.ToLower(account.Hex())})
		case "eth_chainId":
			w.reply("yes", "0x1") // it is on another one
		case "wallet_switchEthereumChain":
			var to struct{ ChainID string }
			w.must(json.Unmarshal(call.Params[0], &to))
			w.switched = to.ChainID
			w.reply("yes", nil)
		default:
			w.reply(person(call.Method, call.Params))
			return
		}
	}
}

// refuse is a person who does not sign.
func refuse(string, []json.RawMessage) (string, any) {
	return "no", map[string]any{"code": 4001, "message": "denied"}
}

// sign is a person who signs.
func (w *wallet) sign(method string, params []json.RawMessage) (string, any) {
	if method != "eth_signTypedData_v4" {
		w.Fatalf("the page asks the wallet for %s", method)
	}
	var written string
	var typed apitypes.TypedData
	w.must(json.Unmarshal(params[1], &written))
	w.must(json.Unmarshal([]byte(written), &typed))
	sig, err := owner.Key{Key: protocol.NewKey(w.key)}.SignTyped(w.Context(), typed)
	w.must(err)
	return "yes", hexutil.Encode(sig)
}

func (w *wallet) reply(how string, value any) {
	w.Helper()
	text, err := json.Marshal(value)
	w.must(err)
	w.read(fmt.Sprintf(`window.asked.shift().%s(%s), ""`, how, text))
}

// bank deposits on the page, and has the wallet send what the node leaves to it.
func (w *wallet) bank(world *dev.World) {
	w.Helper()
	w.read(`location.hash = "#/money", ""`)
	w.sees("main", "Deposit")
	w.read(`(at => { at.value = "1"; at.dispatchEvent(new Event("input", {bubbles: true})); return "" })(document.querySelector("[name=deposit]"))`)
	w.switched = ""
	w.press("Deposit")
	client, err := chain.Dial(w.Context(), chain.Config{URL: world.Chain.URL()})
	w.must(err)
	defer client.Close()
	sender, err := chain.NewSender(client, chain.SenderConfig{
		Signer: chain.KeySigner(w.key), Store: store.NewMemory(), Now: func(context.Context) (uint64, error) { return 0, nil }})
	w.must(err)
	w.answers(crypto.PubkeyToAddress(w.key.PublicKey), func(method string, params []json.RawMessage) (string, any) {
		if method != "eth_sendTransaction" {
			w.Fatalf("the page asks the wallet for %s", method)
		}
		var todo struct{ From, To, Value, Data, ChainID string }
		w.must(json.Unmarshal(params[0], &todo))
		if at := hexutil.EncodeUint64(world.Chain.ChainID()); w.switched != at || todo.ChainID != at {
			w.Errorf("told to be on chain %q, and to send on %q: want %s", w.switched, todo.ChainID, at)
		}
		value, err := uint256.FromHex(todo.Value)
		w.must(err)
		report, err := sender.Submit(w.Context(), chain.Request{Key: "bank", To: common.HexToAddress(todo.To), Data: common.FromHex(todo.Data), Value: *value})
		w.must(err)
		return "yes", report.Tx.Hex()
	})
	w.must(world.Chain.Mine(1))
	w.read(`location.hash = "#/", ""`)
}
