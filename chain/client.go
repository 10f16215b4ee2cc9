package chain

import (
	"cmp"
	"context"
	"errors"
	"math/big"
	"net/http"
	"strings"
	"sync/atomic"
	"time"

	"github.com/ethereum/go-ethereum"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// Config says how to reach a chain.
type Config struct {
	URL string // JSON-RPC over http, https, ws or wss
	// another endpoint of the same chain, to compare with and to fall back on; "": none
	Second  string
	ChainID uint64 // 0: whatever chain URL serves at the start
	// blocks that an endpoint may be behind the other before an alarm; 0: 5
	MaxLag uint64
	// age of the newest block that causes an alarm, and ends the waiting for an endpoint that is
	// behind; 0: never (a dev chain makes blocks on demand)
	MaxAge  time.Duration
	Timeout time.Duration // of one call; a fifth of it for people and strangers; 0: 20 seconds
	// requests a second that each endpoint takes; 0: what is learnt when it refuses (HTTP 429)
	Rate float64
	Now  func() time.Time // nil: time.Now; used for MaxAge and rates only, never for deadlines

	After func(time.Duration) <-chan time.Time // nil: time.After; paces what waits for Rate
	Alarm func(Alarm)                          // told about faults; must not block; nil: nobody

	// carries requests over http and https; nil: one like http.DefaultTransport for each endpoint
	Transport http.RoundTripper
}

// SameEndpoint reports whether two URLs are of one endpoint, which is no second opinion on itself.
func SameEndpoint(one, other string) bool {
	return strings.TrimRight(one, "/") == strings.TrimRight(other, "/")
}

// Client talks to a chain over JSON-RPC. All methods are safe for concurrent use.
type Client struct {
	config Config
	first  *endpoint
	second *endpoint // nil: none
	bell   *bell
	alone  atomic.Bool // of two endpoints one has no say
}

// Alone reports whether one of two endpoints was ignored when their newest blocks were last read,
// because it was down, stuck or refused. Earlier contradictions count again once it answers.
func (c *Client) Alone() bool { return c.alone.Load() }

// Two reports whether there are two endpoints, and both had a say when their newest blocks were
// last read.
func (c *Client) Two() bool { return c.second != nil && !c.Alone() }

// Dial connects to a chain and checks its id: *WrongChain or *Unreachable say what is wrong with
// the endpoints. One that is down, or of another chain than Config.ChainID, raises an alarm only
// while the other one answers. Where no id is given, one must not be of another chain than the
// other.
func Dial(ctx context.Context, config Config) (*Client, error) {
	if SameEndpoint(config.URL, config.Second) {
		config.Second = ""
	}
	config.MaxLag = cmp.Or(config.MaxLag, 5)
	config.Timeout = cmp.Or(config.Timeout, 20*time.Second)
	if config.Now == nil {
		config.Now = time.Now
	}
	if config.After == nil {
		config.After = time.After
	}
	c := &Client{config: config, bell: newBell(config.Alarm)}
	c.first = newEndpoint(config.URL, config.ChainID, &config)
	err := c.first.check(ctx)
	if err != nil && (config.Second == "" || !isDown(err)) {
		c.Close()
		return nil, err
	}
	if config.Second == "" {
		return c, nil
	}
	c.second = newEndpoint(config.Second, c.first.chainID, &config)
	c.first.other, c.second.other = c.second, c.first
	second := c.ask(ctx, c.second, func(e *endpoint) error { return e.check(ctx) })
	if err != nil && second == nil { // which tells the chain that the first one must be of
		c.first.believe(c.second.chainID)
		_ = c.ask(ctx, c.first, func(*endpoint) error { return err }) // the alarm
		return c, nil
	}
	if err != nil || config.ChainID == 0 && errors.As(second, new(*WrongChain)) {
		c.Close()
		return nil, errors.Join(err, second)
	}
	return c, nil
}

// Close ends the connections, those of Config.Transport that wait for requests among them.
func (c *Client) Close() {
	c.first.close()
	if c.second != nil {
		c.second.close()
	}
}

// ChainID returns the id of the chain.
func (c *Client) ChainID() uint64 { return c.first.chainID }

// use does something with the first endpoint, or with the second if the first is down, stuck, or
// refuses it.
func (c *Client) use(ctx context.Context, job func(*endpoint) error) error {
	err := c.ask(ctx, c.first, job)
	if c.second != nil && (isDown(err) || errors.As(err, new(*Lagging)) || errors.As(err, new(*Refusing))) {
		if second := c.ask(ctx, c.second, job); !isDown(second) {
			return second
		}
	}
	return err
}

// answer makes one call with use.
func answer[T any](ctx context.Context, c *Client, call func(context.Context, *endpoint) (T, error)) (result T, err error) {
	err = c.use(ctx, func(e *endpoint) error {
		result, err = once(ctx, e, call)
		return err
	})
	return result, err
}

// answerOf makes one call of one endpoint with ask.
func answerOf[T any](ctx context.Context, c *Client, e *endpoint, call func(context.Context, *endpoint) (T, error)) (result T, err error) {
	err = c.ask(ctx, e, func(e *endpoint) error {
		result, err = once(ctx, e, call)
		return err
	})
	return result, err
}

// each makes one call of both endpoints, and returns what those answer that do, the first one's
// answer first. It fails if none does.
func each[T any](ctx context.Context, c *Client, call func(context.Context, *endpoint) (T, error)) (told []T, err error) {
	for _, e := range []*endpoint{c.first, c.second} {
		if e == nil {
			continue
		}
		result, failed := answerOf(ctx, c, e, call)
		if failed == nil {
			told = append(told, result)
		} else if err == nil || isDown(err) {
			err = failed
		}
	}
	if len(told) > 0 {
		return told, nil
	}
	return nil, err
}

func once[T any](ctx context.Context, e *endpoint, call func(context.Context, *endpoint) (T, error)) (result T, err error) {
	err = e.do(ctx, func(ctx context.Context) error {
		result, err = call(ctx, e)
		return err
	})
	return result, err
}

// ask calls one endpoint, and raises or ends the alarm about it. Questions for strangers raise no
// alarm, because strangers could make them fail.
func (c *Client) ask(ctx context.Context, e *endpoint, job func(*endpoint) error) error {
	err := job(e)
	if ctx.Err() != nil || classOf(ctx) == Stranger {
		return err
	}
	var down *Unreachable
	var wrong *WrongChain
	c.bell.set(errors.As(err, &down), e.name, orNew(down))
	c.bell.set(errors.As(err, &wrong), e.name, orNew(wrong))
	return err
}

// orNew makes a value that names the kind of fault which is not there.
func orNew[T any](fault *T) *T {
	if fault == nil {
		fault = new(T)
	}
	return fault
}

func isDown(err error) bool {
	return errors.As(err, new(*Unreachable)) || errors.As(err, new(*WrongChain))
}

// Head returns the newest block, of an endpoint that is not stuck if there is one.
func (c *Client) Head(ctx context.Context) (block Block, err error) {
	err = c.use(ctx, func(e *endpoint) error {
		if block, err = c.newest(ctx, e); err != nil || c.second == nil || c.Age(block) == 0 {
			return err
		}
		_, err := c.heads(ctx, e)
		return err
	})
	return block, err
}

// Highest returns the higher number of the newest blocks that the endpoints tell now, for what must
// not be done too late; one that lies can tell any.
func (c *Client) Highest(ctx context.Context) (number uint64, err error) {
	err = c.use(ctx, func(e *endpoint) error {
		h, err := c.heads(ctx, e)
		number = h.highest
		return err
	})
	return number, err
}

// At returns the block with a number, or ErrUnknownBlock. Where there is a second endpoint, both
// must have it; it fails with *Lying if theirs differ.
func (c *Client) At(ctx context.Context, number uint64) (block Block, err error) {
	err = c.use(ctx, func(e *endpoint) error {
		h, err := c.heads(ctx, e)
		if err == nil {
			block, err = h.at(ctx, e, number)
		}
		return err
	})
	return block, err
}

// Balance returns the wei of an account.
func (c *Client) Balance(ctx context.Context, account common.Address) (*uint256.Int, error) {
	wei, err := answer(ctx, c, func(ctx context.Context, e *endpoint) (*big.Int, error) { return e.eth.BalanceAt(ctx, account, nil) })
	if err != nil {
		return nil, err
	}
	// JSON-RPC has no negative numbers, and go-ethereum reads none of more than 256 bits
	balance, _ := uint256.FromBig(wei)
	return balance, nil
}

// Call calls a contract at the newest block. A call that the contract refuses returns *Reverted
// with Data only.
func (c *Client) Call(ctx context.Context, to common.Address, data []byte) ([]byte, error) {
	return c.call(ctx, ethereum.CallMsg{To: &to, Data: data}, nil)
}
