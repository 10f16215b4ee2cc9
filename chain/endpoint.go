package chain

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
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

// endpoint is one JSON-RPC endpoint. It is connected to when first needed. Its chain id is checked
// before the first call, and again after every failure: what answers after a reconnection may be
// something else.
type endpoint struct {
	address string // never shown: path and credentials are often secret
	name    string // the address without them
	id      string // tells addresses apart, and nothing about them
	timeout time.Duration
	gate    *gate
	batches fit // requests in one
	ranges  fit // blocks of which logs are asked for at once
	http    *http.Client
	now     func() time.Time
	other   *endpoint // that answers where this one doesn't; nil: none

	mu      sync.Mutex
	client  *rpc.Client // nil: not connected yet; never changes afterwards
	eth     *ethclient.Client
	chainID uint64 // 0: not known yet; never changes once Dial has returned
	checked bool
	starved time.Time // when a call of it last took longer than it may
	stalled time.Time // when a proof of it did
	data    dataFee   // as last told
}

// starvedFor is how long an endpoint that let a call starve isn't asked about what is sent: about a
// block.
const starvedFor = 12 * time.Second

// errStarved says that an endpoint isn't asked because it let a call starve.
var errStarved = errors.New("it did not answer, and was not asked again since")

type hastyKey struct{}

// Hasty returns a context whose calls do not wait long for an endpoint while the other one answers,
// and not at all if it let a call starve within about a block: what is sent has few blocks.
func Hasty(ctx context.Context) context.Context { return context.WithValue(ctx, hastyKey{}, true) }

// hasty reports whether a call need not wait for the endpoint, because the other one answers.
func (e *endpoint) hasty(ctx context.Context) bool {
	return ctx.Value(hastyKey{}) != nil && e.other != nil && e.other.answers()
}

// answers reports whether the endpoint did not fail last, nor let a call starve.
func (e *endpoint) answers() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.checked && !e.starves()
}

// starves is answers as to calls that starved. The caller holds the lock.
func (e *endpoint) starves() bool { return e.lately(e.starved) }

// lately reports whether something that may not be asked again at once happened within starvedFor.
func (e *endpoint) lately(at time.Time) bool { return !at.IsZero() && e.now().Sub(at) < starvedFor }

// errUnchecked says that an endpoint isn't asked for a stranger after it failed.
var errUnchecked = errors.New("it failed, and was not asked again since")

func newEndpoint(address string, chainID uint64, c *Config) *endpoint {
	gate, transport := newGate(c.Rate, c.Now, c.After), c.Transport
	if transport == nil {
		transport = http.DefaultTransport
		if usual, is := transport.(*http.Transport); is {
			transport = usual.Clone() // its connections end with this endpoint
		}
	}
	return &endpoint{
		address: address, name: PublicName(address), id: fmt.Sprintf("%x", crypto.Keccak256([]byte(address))[:4]), chainID: chainID,
		timeout: c.Timeout, gate: gate, now: c.Now, http: &http.Client{Transport: capped{transport, gate.rest}},
	}
}

// believe sets the id of the chain that the endpoint must be of.
func (e *endpoint) believe(chainID uint64) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.chainID = chainID
}

func (e *endpoint) close() {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.client != nil {
		e.client.Close()
	}
	e.http.CloseIdleConnections()
}

func (e *endpoint) connect(ctx context.Context) error {
	limited, cancel := context.WithTimeout(ctx, e.timeout)
	defer cancel()
	options := []rpc.ClientOption{rpc.WithHTTPClient(e.http)}
	if at, err := url.Parse(e.address); err == nil && Loopback(at.Host) { // packing an answer takes longer than to copy it
		options = append(options, rpc.WithHeader("Accept-Encoding", "identity"))
	}
	client, err := rpc.DialOptions(limited, e.address, options...)
	if err != nil {
		return &Unreachable{Endpoint: e.name, Err: brief(withoutURL(err))}
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

// PublicName is what may be shown of an endpoint's address: scheme and host. The rest may be a key.
func PublicName(address string) string {
	parsed, err := url.Parse(address)
	if err != nil || parsed.Host == "" {
		return "the endpoint"
	}
	return parsed.Scheme + "://" + parsed.Host
}

// Loopback reports whether a host, with a port or without, is a name or an address of loopback.
func Loopback(host string) bool {
	name := host
	if h, _, err := net.SplitHostPort(host); err == nil {
		name = h
	}
	return strings.EqualFold(name, "localhost") || net.ParseIP(strings.Trim(name, "[]")).IsLoopback()
}

// withoutURL drops the URL that net/http puts into its errors.
func withoutURL(err error) error {
	if inner, is := errors.AsType[*url.Error](err); is {
		return inner.Err
	}
	return err
}

// do makes one call, once the chain id is known to be right. Errors of JSON-RPC itself are returned
// as they are; every other one as *Unreachable.
func (e *endpoint) do(ctx context.Context, call func(context.Context) error) error {
	return e.batch(ctx, 1, call)
}

// batch is do for so many requests in one.
func (e *endpoint) batch(ctx context.Context, requests int, call func(context.Context) error) error {
	if err := e.check(ctx); err != nil {
		return err
	}
	return e.try(ctx, requests, call)
}

func (e *endpoint) check(ctx context.Context) error {
	hasty := e.hasty(ctx)
	e.mu.Lock()
	checked, connected, starves := e.checked, e.client != nil, e.starves()
	e.mu.Unlock()
	switch {
	case hasty && starves:
		return &Unreachable{Endpoint: e.name, Err: errStarved}
	case checked:
		return nil
	case classOf(ctx) == Stranger: // what failed is tried again for others
		return &Unreachable{Endpoint: e.name, Err: errUnchecked}
	}
	if !connected {
		if err := e.connect(ctx); err != nil {
			return err
		}
	}
	var id hexutil.Uint64
	if err := e.try(ctx, 1, func(ctx context.Context) error { return e.client.CallContext(ctx, &id, "eth_chainId") }); err != nil {
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

// patience is how long an answer is waited for: a person, a stranger, and what is sent, less long.
func (e *endpoint) patience(ctx context.Context) time.Duration {
	if classOf(ctx) >= User || e.hasty(ctx) {
		return e.timeout / 5
	}
	return e.timeout
}

// try makes a call. When the endpoint refuses because of its rate, try repeats the call as soon as
// the rate allows, a few times, but not for strangers, nor for longer than a hasty call waits for
// an answer: that is to starve it, too.
func (e *endpoint) try(ctx context.Context, requests int, call func(context.Context) error) error {
	again := tooOften
	if classOf(ctx) == Stranger {
		again = 0
	}
	var patience *time.Duration
	if e.hasty(ctx) {
		left := e.patience(ctx)
		patience = &left
	}
	for ; ; again-- {
		err := e.gate.enter(ctx, requests, patience)
		if err == nil {
			err = e.once(ctx, call)
		}
		busy := errors.Is(err, errBusy)
		if patience != nil && (busy || again == 0 && isTooOften(err)) {
			e.mu.Lock()
			e.starved = e.now()
			e.mu.Unlock()
		}
		switch {
		case busy:
			return &Unreachable{Endpoint: e.name, Err: err}
		case again == 0, !isTooOften(err):
			return err
		}
	}
}

// tooOften is how many times a call is made again when the endpoint says that it is asked too
// often.
const tooOften = 3

// isTooOften reports whether an endpoint refuses for being asked too often: by HTTP 429, by that
// number as an error of JSON-RPC, or in words, which must not be those of a contract that refuses.
func isTooOften(err error) bool {
	if status, is := errors.AsType[rpc.HTTPError](err); is {
		return status.StatusCode == http.StatusTooManyRequests
	}
	answered, is := errors.AsType[rpc.Error](err)
	if !is {
		return false
	}
	return !says(answered, []string{"revert"}) && (answered.ErrorCode() == http.StatusTooManyRequests ||
		says(answered, []string{"rate limit", "too many requests", "compute units per second"}))
}

func (e *endpoint) once(ctx context.Context, call func(context.Context) error) error {
	limited, cancel := context.WithTimeout(ctx, e.patience(ctx))
	defer cancel()
	err := complained(call(limited))
	switch {
	case isTooOften(err): // it is what it was
		e.gate.refused()
	case errors.As(err, new(rpc.Error)):
		return brief(err)
	case err == nil, errors.Is(err, ethereum.NotFound), errors.Is(err, ErrUnknownBlock):
		return err
	case ctx.Err() != nil:
		return ctx.Err()
	case classOf(ctx) != Stranger: // whose questions may be made to fail
		e.mu.Lock()
		e.checked, e.data.idle = false, 0
		if limited.Err() != nil && classOf(ctx) < User {
			e.starved = e.now()
		}
		e.mu.Unlock()
	}
	return &Unreachable{Endpoint: e.name, Err: brief(withoutURL(err))}
}

// complaint is an error of JSON-RPC that came with an HTTP status of its own, as some providers
// send it, or that was too long.
type complaint struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}

func (c *complaint) Error() string  { return c.Message }
func (c *complaint) ErrorCode() int { return c.Code }

// maxTold caps the bytes that are kept of what an error of an endpoint says, and of what a contract
// returned by its word.
const maxTold = 2 << 10

// brief shortens an error, which may be as long as an answer: it is stored with a transaction that
// failed, kept with alarms, logged and shown.
func brief(err error) error {
	text, data, whole := err.Error(), "", true
	if detailed, is := errors.AsType[rpc.DataError](err); is && detailed.ErrorData() != nil {
		data, whole = detailed.ErrorData().(string)
	}
	if whole && len(text) <= maxTold && len(data) <= maxTold {
		return err
	}
	if len(text) > maxTold {
		text = strings.ToValidUTF8(text[:maxTold], "") + "…"
	}
	if said, is := errors.AsType[rpc.Error](err); is {
		return &complaint{Code: said.ErrorCode(), Message: text}
	}
	return errors.New(text)
}

// complained turns an HTTP error into what it says of the request: that it is too large (413), or
// what its JSON-RPC error says (400).
func complained(err error) error {
	status, is := errors.AsType[rpc.HTTPError](err)
	if !is {
		return err
	}
	var said struct{ Error *complaint }
	var list []struct{ Error *complaint }
	if json.Unmarshal(status.Body, &said) != nil && json.Unmarshal(status.Body, &list) == nil && len(list) > 0 {
		said.Error = list[0].Error
	}
	switch {
	case status.StatusCode == http.StatusRequestEntityTooLarge:
		return fmt.Errorf("%w: %w", &complaint{Code: -32005, Message: status.Status}, err)
	case status.StatusCode == http.StatusBadRequest && said.Error != nil:
		return said.Error
	}
	return err
}

// refused reports whether a contract refuses a call.
func refused(err error) bool { return errors.As(err, new(*Reverted)) }

// refusal turns the ways in which nodes say that a contract reverted, or takes more gas than a
// transaction may have, into *Reverted.
func refusal(err error) error {
	answered, is := errors.AsType[rpc.Error](err)
	if !is {
		return err
	}
	if said := strings.ToLower(answered.Error()); !strings.Contains(said, "revert") && !strings.Contains(said, "gas required exceeds") {
		return err
	}
	refused := &Reverted{Reason: err}
	if detailed, is := errors.AsType[rpc.DataError](err); is {
		text, _ := detailed.ErrorData().(string)
		refused.Data, _ = hexutil.Decode(strings.TrimPrefix(text, "Reverted "))
	}
	return refused
}
