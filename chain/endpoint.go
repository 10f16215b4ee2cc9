package chain

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/ethereum/go-ethereum"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/ethclient"
	"github.com/ethereum/go-ethereum/rpc"
)

// endpoint is one JSON-RPC endpoint. It is connected to when first needed. Its chain id is checked before the first call,
// and again after every failure: what answers after a reconnection may be something else.
type endpoint struct {
	address string // never shown: path and credentials are often secret
	name    string // the address without them
	id      string // tells addresses apart, and nothing about them
	timeout time.Duration

	mu      sync.Mutex
	client  *rpc.Client // nil: not connected yet; never changes afterwards
	eth     *ethclient.Client
	chainID uint64 // 0: not known yet
	checked bool
}

func newEndpoint(address string, chainID uint64, timeout time.Duration) *endpoint {
	return &endpoint{address: address, name: publicName(address), id: fmt.Sprintf("%x", crypto.Keccak256([]byte(address))[:4]), timeout: timeout, chainID: chainID}
}

func (e *endpoint) close() {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.client != nil {
		e.client.Close()
	}
}

func (e *endpoint) connect(ctx context.Context) error {
	limited, cancel := context.WithTimeout(ctx, e.timeout)
	defer cancel()
	client, err := rpc.DialOptions(limited, e.address, rpc.WithHTTPClient(&http.Client{Transport: capped{http.DefaultTransport}}))
	if err != nil {
		return &Unreachable{Endpoint: e.name, Err: withoutURL(err)}
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.client != nil { // another call was faster
		client.Close()
		return nil
	}
	e.client, e.eth = client, ethclient.NewClient(client)
	return nil
}

func publicName(address string) string {
	parsed, err := url.Parse(address)
	if err != nil || parsed.Host == "" {
		return "the endpoint"
	}
	return parsed.Scheme + "://" + parsed.Host
}

// withoutURL drops the URL that net/http puts into its errors.
func withoutURL(err error) error {
	var inner *url.Error
	if errors.As(err, &inner) {
		return inner.Err
	}
	return err
}

// do makes one call, once the chain id is known to be right. Errors of JSON-RPC itself are returned as they are; every
// other one as *Unreachable.
func (e *endpoint) do(ctx context.Context, call func(context.Context) error) error {
	if err := e.check(ctx); err != nil {
		return err
	}
	return e.try(ctx, call)
}

func (e *endpoint) check(ctx context.Context) error {
	e.mu.Lock()
	checked, connected := e.checked, e.client != nil
	e.mu.Unlock()
	if checked {
		return nil
	}
	if !connected {
		if err := e.connect(ctx); err != nil {
			return err
		}
	}
	var id hexutil.Uint64
	if err := e.try(ctx, func(ctx context.Context) error { return e.client.CallContext(ctx, &id, "eth_chainId") }); err != nil {
		return err
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.chainID == 0 {
		e.chainID = uint64(id)
	}
	if e.chainID != uint64(id) {
		return &WrongChain{Endpoint: e.name, Want: e.chainID, Have: uint64(id)}
	}
	e.checked = true
	return nil
}

func (e *endpoint) try(ctx context.Context, call func(context.Context) error) error {
	limited, cancel := context.WithTimeout(ctx, e.timeout)
	defer cancel()
	err := call(limited)
	var answered rpc.Error
	switch {
	case err == nil, errors.As(err, &answered), errors.Is(err, ethereum.NotFound), errors.Is(err, ErrUnknownBlock):
		return err
	case ctx.Err() != nil:
		return ctx.Err()
	}
	e.mu.Lock()
	e.checked = false
	e.mu.Unlock()
	return &Unreachable{Endpoint: e.name, Err: withoutURL(err)}
}

// refusal turns the ways in which nodes say that a contract reverted into *Reverted.
func refusal(err error) error {
	var answered rpc.Error
	if !errors.As(err, &answered) || !strings.Contains(strings.ToLower(answered.Error()), "revert") {
		return err
	}
	refused := &Reverted{Reason: err}
	var detailed rpc.DataError
	if errors.As(err, &detailed) {
		text, _ := detailed.ErrorData().(string)
		refused.Data, _ = hexutil.Decode(strings.TrimPrefix(text, "Reverted "))
	}
	return refused
}
