package nodetest

import (
	"github.com/ante-games/ante/node"
	"github.com/ante-games/ante/node/dev"
	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"github.com/ethereum/go-ethereum/common"
)

// Lose has messages of the node of a configuration get lost on their way: those of which a
// function, safe for concurrent use, says so.
func Lose(c *node.Config, lost func(*antev1.Envelope) bool) {
	dev.Wrap(c, func(net node.Network) node.Network { return lossy{net, lost} })
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
