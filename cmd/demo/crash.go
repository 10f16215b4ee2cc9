package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"strings"

	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/node"
	"github.com/ante-games/ante/node/dev"
	"github.com/ante-games/ante/store"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/crypto"
)

// childEnv, when set, makes this program a node of the crash scenario; its value is an orders.
const childEnv = "ANTE_DEMO_NODE"

// orders tell a child process where its world is. The key is of an account of a dev chain that ends
// with the demo.
type orders struct {
	Place dev.Place
	Key   hexutil.Bytes
	Store string // directory
	Peer  common.Address
	At    []string // where the peer is
}

// crash kills the other player's process in the middle of the match, and starts it again.
func crash(s *stage, _ variant) error {
	dir, err := os.MkdirTemp("", "ante-demo-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	c, err := s.config(0)
	if err != nil {
		return err
	}
	if s.alice, err = node.Start(s.ctx, c); err != nil {
		return err
	}
	s.nodes = []*node.Node{s.alice}
	o := orders{Place: s.world.Place, Key: crypto.FromECDSA(s.world.Chain.Key(1)), Store: dir, Peer: s.alice.Account(), At: s.alice.Network().Addresses()}
	bob, err := s.spawn(o)
	if err != nil {
		return err
	}
	defer func() { bob.kill() }()
	if err := s.open(s.alice, s.world.Chain.Address(1)); err != nil {
		return err
	}
	if err := s.propose(); err != nil {
		return err
	}
	if err := s.until(s.alice, func() bool {
		m := s.alice.Matches()
		return len(m) == 1 && m[0].Turn >= 7
	}); err != nil {
		return err
	}
	bob.kill()
	s.say("bob's process is killed with SIGKILL after turn %s; all he has is what was on his disk", s.alice.Matches()[0].Turn)
	if bob, err = s.spawn(o); err != nil {
		return err
	}
	s.say("his node is started again, syncs, and goes on where he was, with his hidden code and its salt")
	r, err := s.paid(0)
	if err != nil {
		return err
	}
	s.record(r)
	if r.Reason != "" || r.Guilty != 0 {
		return fmt.Errorf("the match did not end by its score: %s, guilty %b", r.Reason, r.Guilty)
	}
	if err := s.leave(); err != nil {
		return err
	}
	if err := s.only(s.opening("close")...); err != nil {
		return err
	}
	return s.aliceHas(r)
}

// process is a running child.
type process struct {
	cmd  *exec.Cmd
	done chan struct{}
}

// kill ends the child with SIGKILL and waits for it.
func (p *process) kill() {
	if p.cmd.Process.Kill() == nil {
		<-p.done
	}
}

// spawn starts a child and waits until it says that its node runs.
func (s *stage) spawn(o orders) (*process, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	value, err := json.Marshal(o)
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(s.ctx, self)
	cmd.Env = append(os.Environ(), childEnv+"="+string(value))
	var complaints strings.Builder
	cmd.Stderr = &complaints
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if _, err := cmd.StdinPipe(); err != nil { // closes with this process, which ends the child
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	p := &process{cmd, make(chan struct{})}
	go func() {
		defer close(p.done)
		_ = cmd.Wait() // killed: that is the point
	}()
	if err != nil || strings.TrimSpace(line) != ready {
		p.kill()
		return nil, fmt.Errorf("bob's process did not start: %q %s", line, complaints.String())
	}
	return p, nil
}

const ready = "ready"

// child runs a node as the orders say until its standard input ends.
func child(catalog games.Catalog) error {
	var o orders
	if err := json.Unmarshal([]byte(os.Getenv(childEnv)), &o); err != nil {
		return err
	}
	key, err := crypto.ToECDSA(o.Key)
	if err != nil {
		return err
	}
	c, err := o.Place.Config(key, catalog)
	if err != nil {
		return err
	}
	permit(&c, dev.NewSandglass())
	s, err := store.Open(o.Store, slog.New(slog.DiscardHandler))
	if err != nil {
		return err
	}
	defer s.Close()
	c.Store = s
	ctx := context.Background()
	n, err := node.Start(ctx, c)
	if err != nil {
		return err
	}
	if err := n.Network().Keep(o.Peer, o.At...); err != nil {
		return err
	}
	if err := fund(ctx, n); err != nil {
		return err
	}
	fmt.Println(ready)
	_, err = io.Copy(io.Discard, os.Stdin)
	return errors.Join(err, n.Close())
}

// fund deposits, unless that was done before the crash.
func fund(ctx context.Context, n *node.Node) error {
	if len(n.Channels()) > 0 {
		return nil
	}
	_, err := n.Deposit(ctx, common.Address{}, deposit)
	return err
}
