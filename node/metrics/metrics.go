// Package metrics serves what a monitor needs to know of a node, in Prometheus' format. It holds
// numbers only, those of the program itself (heap, goroutines, descriptors) among them: no account,
// no opponent and no secret.
package metrics

import (
	"context"
	"net/http"
	"sync"
	"time"

	"github.com/ante-games/ante/chain"
	"github.com/ante-games/ante/node"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// patience is how long the chain is waited for while a monitor waits, and how long it then is not
// asked again: who asks needs no token, and may be a page of any site.
const patience = 5 * time.Second

// collector reads a node whenever it is asked.
type collector struct {
	node *node.Node

	mu    sync.Mutex
	asked time.Time // when the chain was, last
	gas   chain.Reserve
	err   error // why that is not known
}

func (c *collector) Describe(to chan<- *prometheus.Desc) { prometheus.DescribeByCollect(c, to) }

func (c *collector) Collect(to chan<- prometheus.Metric) {
	gauge := func(name, help string, v float64) {
		to <- prometheus.MustNewConstMetric(prometheus.NewDesc("ante_"+name, help, nil, nil), prometheus.GaugeValue, v)
	}
	open, connected, sent := 0, 0, 0
	for _, x := range c.node.Channels() {
		if x.Status != node.ChannelEnded {
			open++
		}
	}
	for _, p := range c.node.Network().Peers() {
		if p.Connected {
			connected++
		}
	}
	if list, err := c.node.Transactions(100); err == nil {
		for i := range list {
			if list[i].Progress == chain.Waiting {
				sent++
			}
		}
	}
	head := c.node.Head()
	gauge("alarms_standing", "Alarms that are not over. Above 0, a person is needed.", float64(len(c.node.Standing())))
	gauge("block", "Newest block that the node has handled.", float64(head.Block))
	gauge("clock", "The Arena's clock in that block, in its unit.", float64(head.Clock))
	gauge("channels", "Channels that are not closed.", float64(open))
	gauge("matches", "Matches that run.", float64(len(c.node.Matches())))
	gauge("peers", "Peers connected now.", float64(connected))
	gauge("transactions_waiting", "Transactions that were sent and are in no block.", float64(sent))
	if r, err := c.reserve(); err == nil {
		gauge("gas_wei", "What the account that pays for gas has. Missing while the chain does not answer.", r.Have.Float64())
		gauge("gas_reserve_wei", "What the worst dispute would cost now. Missing while the chain does not answer.", r.Need.Float64())
	}
}

// reserve asks the chain what gas there is, if that was not asked just now.
func (c *collector) reserve() (chain.Reserve, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if time.Since(c.asked) < patience {
		return c.gas, c.err
	}
	ctx, cancel := context.WithTimeout(chain.As(context.Background(), chain.User), patience)
	defer cancel()
	c.gas, c.err = c.node.Reserve(ctx)
	c.asked = time.Now()
	return c.gas, c.err
}

// Handler serves a node's metrics to programs on this machine.
func Handler(n *node.Node) http.Handler { return Serve(&collector{node: n}) }

// Serve serves metrics to programs on this machine: to requests that name it as a loopback address,
// which those that a browser can be tricked into do not.
func Serve(c prometheus.Collector) http.Handler {
	registry := prometheus.NewRegistry()
	registry.MustRegister(c, collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	serve := promhttp.HandlerFor(registry, promhttp.HandlerOpts{})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !chain.Loopback(r.Host) || r.Header.Get("Origin") != "" {
			http.Error(w, "metrics are for programs on this machine", http.StatusForbidden)
			return
		}
		serve.ServeHTTP(w, r)
	})
}
