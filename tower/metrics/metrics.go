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

func describe(name, help string) *prometheus.Desc {
	return prometheus.NewDesc("ante_tower_"+name, help, nil, nil)
}

var (
	trouble  = describe("trouble", "1 while nobody may be defended: the chain can't be followed, or stands still while clocks run in seconds, or the account is short of ETH. Otherwise 0.")
	block    = describe("block", "Newest block that the tower has handled.")
	clock    = describe("clock", "The Arena's clock in that block, in its unit.")
	seats    = describe("seats", "Seats for which evidence is held.")
	size     = describe("bytes", "Bytes of evidence held.")
	disputes = describe("disputes", "Channels in which something is due on-chain, or may soon be.")
	answered = describe("answers_total", "Transactions since the start that did something, finally.")
	failed   = describe("failures_total", "Transactions since the start that did nothing: somebody else was first, or they were refused.")
)

func (c collector) Describe(to chan<- *prometheus.Desc) { prometheus.DescribeByCollect(c, to) }

func (c collector) Collect(to chan<- prometheus.Metric) {
	set := func(d *prometheus.Desc, kind prometheus.ValueType, v float64) {
		to <- prometheus.MustNewConstMetric(d, kind, v)
	}
	head, n := c.tower.Head(), c.tower.Counts()
	wrong := 0.0
	if c.tower.Err() != nil {
		wrong = 1
	}
	set(trouble, prometheus.GaugeValue, wrong)
	set(block, prometheus.GaugeValue, float64(head.Block))
	set(clock, prometheus.GaugeValue, float64(head.Clock))
	set(seats, prometheus.GaugeValue, float64(n.Seats))
	set(size, prometheus.GaugeValue, float64(n.Bytes))
	set(disputes, prometheus.GaugeValue, float64(n.Disputes))
	set(answered, prometheus.CounterValue, float64(n.Answered))
	set(failed, prometheus.CounterValue, float64(n.Failed))
}
