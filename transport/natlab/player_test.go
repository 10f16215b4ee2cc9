package natlab

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"

	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/transport"
	"github.com/ante-games/ante/transport/p2p"
)

// order is what the test tells a player's process to be, in its first line of input.
type order struct {
	Seed   byte
	Relay  bool
	Relays []string
	Places int      // of them, at which it is to be reached
	Meet   []string // the addresses of the player whose seed is one less; none: be met
}

// found is what a player's process tells in return.
type found struct {
	Addresses   []string
	Connect     time.Duration // until connected
	First, Last way
	Direct      time.Duration // until the way was direct; 0: never
	Lost        int           // moves without an answer
	Err         string
}

type way struct {
	Relayed bool
	Move    time.Duration // a move and its answer, the median
}

// punching is how long a direct way is waited for: longer than libp2p's three tries.
const punching = 25 * time.Second

// rounds is how many moves are answered for a median.
const rounds = 15

func key(seed byte) *protocol.Key {
	k, err := crypto.ToECDSA(bytes.Repeat([]byte{seed}, 32))
	if err != nil {
		panic(err)
	}
	return protocol.NewKey(k)
}

// player answers each move at once, or counts the answers.
type player struct {
	met   bool
	host  chan *p2p.Host // one, once there is one
	up    chan struct{}
	heard chan uint64
}

// Connected is transport.Handler's.
func (p *player) Connected(common.Address) {
	select {
	case p.up <- struct{}{}:
	default:
	}
}

// Disconnected is transport.Handler's.
func (*player) Disconnected(common.Address, error) {}

// Receive is transport.Handler's.
func (p *player) Receive(from common.Address, env *antev1.Envelope) {
	if p.met {
		h := <-p.host
		_ = h.Send(from, env)
		p.host <- h
		return
	}
	select {
	case p.heard <- env.GetMove().GetTurn():
	default:
	}
}

// play is the main function of a player's process.
func play() error {
	in := bufio.NewReader(os.Stdin)
	line, err := in.ReadBytes('\n')
	if err != nil {
		return err
	}
	var o order
	if err := json.Unmarshal(line, &o); err != nil {
		return err
	}
	identity, err := p2p.IdentityFromSeed(bytes.Repeat([]byte{o.Seed}, 32))
	if err != nil {
		return err
	}
	p := &player{met: o.Meet == nil, host: make(chan *p2p.Host, 1), up: make(chan struct{}, 1), heard: make(chan uint64, 1)}
	h, err := p2p.New(p2p.Config{
		Identity: identity, Signer: key(o.Seed), Domain: protocol.Domain{ChainID: 1}, Handler: p, Relay: o.Relay, Relays: o.Relays,
		Listen: []string{"/ip4/0.0.0.0/udp/4101/quic-v1", "/ip4/0.0.0.0/tcp/4101"},
	})
	if err != nil {
		return err
	}
	p.host <- h
	var f found
	if p.met {
		f.Addresses, err = reachable(h, o.Places)
	} else {
		f, err = p.meet(h, key(o.Seed-1).Address(), o.Meet)
	}
	if err != nil {
		f.Err = err.Error()
	}
	if err := json.NewEncoder(os.Stdout).Encode(f); err != nil {
		return err
	}
	_, err = io.Copy(io.Discard, in) // until the test has done
	return errors.Join(err, h.Close())
}

// reachable waits until a host can be reached through some relays, and returns its addresses.
func reachable(h *p2p.Host, relays int) ([]string, error) {
	for late := time.After(time.Minute); ; {
		through := map[string]bool{}
		for _, a := range h.Addresses() {
			if relay, _, ok := strings.Cut(a, "/p2p-circuit"); ok {
				through[path.Base(relay)] = true
			}
		}
		if len(through) >= relays {
			return h.Addresses(), nil
		}
		select {
		case <-time.After(20 * time.Millisecond):
		case <-late:
			return h.Addresses(), fmt.Errorf("places at %d relays of %d", len(through), relays)
		}
	}
}

// meet connects to somebody, and plays on as the way changes.
func (p *player) meet(h *p2p.Host, whom common.Address, at []string) (f found, err error) {
	begun := time.Now()
	if err := h.Keep(whom, at...); err != nil {
		return f, err
	}
	select {
	case <-p.up:
	case <-time.After(time.Minute):
		return f, h.Peers()[0].Err
	}
	f.Connect = time.Since(begun)
	f.First = p.playOn(h, whom, &f.Lost)
	if !h.Peers()[0].Relayed && f.First.Relayed {
		f.Direct = time.Since(begun)
	}
	for f.First.Relayed && f.Direct == 0 && time.Since(begun) < punching {
		if !h.Peers()[0].Relayed {
			f.Direct = time.Since(begun)
		}
		time.Sleep(20 * time.Millisecond)
	}
	f.Last = p.playOn(h, whom, &f.Lost)
	return f, nil
}

// playOn makes some moves and waits for their answers, as long as the way stays the same.
func (p *player) playOn(h *p2p.Host, whom common.Address, lost *int) way {
	relayed := func() bool {
		return slices.ContainsFunc(h.Peers(), func(p transport.Peer) bool { return p.Account == whom && p.Relayed })
	}
	w := way{Relayed: relayed()}
	var took []time.Duration
	for turn := uint64(0); turn < rounds && w.Relayed == relayed(); turn++ {
		begun := time.Now()
		if err := h.Send(whom, &antev1.Envelope{Body: &antev1.Envelope_Move{Move: &antev1.Move{
			MatchId: make([]byte, 32), Turn: turn, Move: make([]byte, 185), Signature: make([]byte, 65),
		}}}); err != nil {
			*lost++
			continue
		}
		select {
		case <-p.heard:
			took = append(took, time.Since(begun))
		case <-time.After(200 * time.Millisecond):
			*lost++
		}
	}
	if slices.Sort(took); len(took) > 0 {
		w.Move = took[len(took)/2]
	}
	return w
}
