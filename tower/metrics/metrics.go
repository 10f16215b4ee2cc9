// Package metrics tells a monitor, in Prometheus' terms, what it needs to know of a tower. It holds
// numbers only.
package metrics

import (
	"github.com/ante-games/ante/tower"
	"github.com/prometheus/client_golang/prometheus"
)

// collector reads a tower whenever it is asked.
type collector struct{ tower *tower.Tower }

// Collector returns a tower's metrics.
func Collector(t *tower.Tower) prometheus.Collector { return collector{t} }

func (c collector) Describe(to chan<- *prometheus.Desc) { prometheus.DescribeByCollect(c, to) }

func (c collector) Collect(to chan<- prometheus.Metric) {
	set := func(kind prometheus.ValueType, name, help string, v float64) {
		to <- prometheus.MustNewConstMetric(prometheus.NewDesc("ante_tower_"+name, help, nil, nil), kind, v)
	}
	gauge := func(name, help string, v float64) { set(prometheus.GaugeValue, name, help, v) }
	counter := func(name, help string, v float64) { set(prometheus.CounterValue, name, help, v) }
	head, n := c.tower.Head(), c.tower.Counts()
	wrong := 0.0
	if c.tower.Err() != nil {
		wrong = 1
	}
	gauge("trouble", "1 while nobody may be defended: the chain can't be followed, or stands still while clocks run in seconds, or the account is short of ETH. Otherwise 0.", wrong)
	gauge("block", "Newest block that the tower has handled.", float64(head.Block))
	gauge("clock", "The Arena's clock in that block, in its unit.", float64(head.Clock))
	gauge("seats", "Seats for which evidence is held.", float64(n.Seats))
	gauge("bytes", "Bytes of evidence held.", float64(n.Bytes))
	gauge("disputes", "Channels in which something is due on-chain, or may soon be.", float64(n.Disputes))
	counter("answers_total", "Transactions since the start that did something, finally.", float64(n.Answered))
	counter("failures_total", "Transactions since the start that did nothing: somebody else was first, or they were refused.", float64(n.Failed))
}
