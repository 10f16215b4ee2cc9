package cli

import (
	"context"
	"math/big"
	"net/http"
	"time"

	"github.com/ante-games/ante/chain"
	"github.com/ante-games/ante/cmd/channeld/internal/config"
	"github.com/ethereum/go-ethereum"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/ethclient"
	"github.com/ethereum/go-ethereum/rpc"
)

const (
	endpointTime = 10 * time.Second // for all that doctor asks of an endpoint
	farOff       = 2 * time.Minute  // of a clock, beside the newest block's
	logRange     = 1000             // blocks whose logs are asked for at once
)

func lookAtChain(ctx context.Context, f *findings, c *config.Chain) {
	if c.Arena == (common.Address{}) {
		f.bad("arena", "set chain.arena (init --network takes it from a file)", "the address of the Arena is not set")
	}
	endpoints := []string{c.URL, c.Second}
	if c.Second == "" || chain.SameEndpoint(c.URL, c.Second) {
		endpoints = endpoints[:1]
		f.warn("endpoints", "set chain.second to an endpoint of another operator where money is at stake", "there is only one: you trust its operator")
	}
	var first *big.Int
	for _, address := range endpoints {
		if address == "" {
			continue
		}
		id := lookAtEndpoint(ctx, f, c, address)
		if first != nil && id != nil && first.Cmp(id) != 0 {
			f.bad("endpoints", "correct chain.url or chain.second", "the second serves another chain, %s, than the first, %s", id, first)
		}
		first = id
	}
}

// lookAtEndpoint looks at one endpoint, of which it shows only the public name. It returns the id
// of its chain; nil: unknown, or not the one that is set.
func lookAtEndpoint(ctx context.Context, f *findings, c *config.Chain, address string) *big.Int {
	host := chain.PublicName(address)
	ctx, cancel := context.WithTimeout(ctx, endpointTime)
	defer cancel()
	dialled, err := rpc.DialOptions(ctx, address, rpc.WithHTTPClient(&http.Client{Transport: chain.Capped(http.DefaultTransport)}))
	if err != nil {
		f.bad("endpoint", "check chain.url and chain.second, or name another", "%s can't be reached", host) // the error may hold its key
		return nil
	}
	client := ethclient.NewClient(dialled)
	defer client.Close()
	id, err := client.ChainID(ctx)
	if err != nil {
		f.bad("endpoint", "check that it runs, or name another", "%s does not answer", host)
		return nil
	}
	if c.ID != 0 && (!id.IsUint64() || id.Uint64() != c.ID) {
		f.bad("endpoint", "correct its URL or chain.id", "%s serves chain %s, not %d", host, id, c.ID)
		return nil
	}
	head, err := client.HeaderByNumber(ctx, nil)
	if err != nil {
		f.bad("endpoint", "name another", "%s does not show the newest block", host)
		return id
	}
	f.ok("endpoint", "%s serves chain %s, block %s", host, id, head.Number)
	lookAtClock(f, c, time.Since(time.Unix(int64(head.Time), 0)), host) //nolint:gosec // a time
	if code, err := client.CodeAt(ctx, c.Arena, nil); c.Arena != (common.Address{}) && (err != nil || len(code) == 0) {
		f.bad("arena", "correct chain.arena, or the endpoint", "there is no contract at %s by %s", c.Arena, host)
	}
	first := max(0, head.Number.Int64()-logRange+1)
	if _, err := client.FilterLogs(ctx, ethereum.FilterQuery{FromBlock: big.NewInt(first), ToBlock: head.Number, Addresses: []common.Address{c.Arena}}); err != nil {
		f.warn("endpoint", "the daemon asks for less by itself; if it falls behind, name another", "%s refuses the logs of %d blocks at once", host, logRange)
	}
	return id
}

// lookAtClock compares this computer's clock with the newest block's time.
func lookAtClock(f *findings, c *config.Chain, behind time.Duration, host string) {
	switch {
	case behind < -farOff:
		f.bad("clock", "set this computer's clock", "it is %s behind the newest block of %s", (-behind).Round(time.Second), host)
	case c.MaxAge > 0 && behind > c.MaxAge:
		f.bad("clock", "name another endpoint, or set this computer's clock", "the newest block of %s is %s old", host, behind.Round(time.Second))
	default:
		f.ok("clock", "it agrees with the newest block of %s", host)
	}
}
