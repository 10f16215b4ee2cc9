package main

import (
	"sync"

	"github.com/ante-games/ante/node"
	"github.com/ante-games/ante/node/dev"
	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"github.com/ethereum/go-ethereum/common"
)

// muzzle stands between mallory's node and the network, and ends what she says at the point that
// the scenario wants.
type muzzle struct {
	node.Network
	judge func(*antev1.Envelope) verdict // nil: everything passes

	mu    sync.Mutex
	mute  bool
	muted chan struct{} // closed when she fell silent
}

// verdict is what becomes of a message.
type verdict int

const (
	pass     verdict = iota
	lastWord         // it passes, and nothing after it
	silence          // it is kept back, and everything after it
)

// muzzleOn puts a muzzle on a node's network.
func muzzleOn(c *node.Config) *muzzle {
	m := &muzzle{muted: make(chan struct{})}
	dev.Wrap(c, func(net node.Network) node.Network { m.Network = net; return m })
	return m
}

// Send passes on what is said before the silence.
func (m *muzzle) Send(to common.Address, env *antev1.Envelope) error {
	m.mu.Lock()
	v := silence
	if !m.mute {
		v = pass
		if m.judge != nil {
			v = m.judge(env)
		}
	}
	m.mu.Unlock()
	var err error
	if v != silence {
		err = m.Network.Send(to, env)
	}
	if v != pass {
		m.shut()
	}
	return err
}

// shut keeps everything back from now on.
func (m *muzzle) shut() {
	m.mu.Lock()
	defer m.mu.Unlock()
	if !m.mute {
		m.mute = true
		close(m.muted)
	}
}
