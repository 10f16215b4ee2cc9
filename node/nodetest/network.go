package nodetest

import (
	"github.com/ante-games/ante/node"
	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/transport"
	"github.com/ethereum/go-ethereum/common"
)

// Wrap has the node of a configuration use what a function makes of its network.
func Wrap(c *node.Config, wrap func(node.Network) node.Network) {
	join := c.Network
	c.Network = func(d protocol.Domain, h transport.Handler) (node.Network, error) {
		net, err := join(d, h)
		return wrap(net), err
	}
}

// Lose has messages of the node of a configuration get lost on their way: those of which a
// function, safe for concurrent use, says so.
func Lose(c *node.Config, lost func(*antev1.Envelope) bool) {
	Wrap(c, func(net node.Network) node.Network { return lossy{net, lost} })
}

type lossy struct {
	node.Network
	lost func(*antev1.Envelope) bool
}

func (l lossy) Send(to common.Address, env *antev1.Envelope) error {
	if l.lost(env) {
		return nil
	}
	return l.Network.Send(to, env)
}
