package cli

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/ante-games/ante/chain/devnet"
	"github.com/ante-games/ante/cmd/channeld/internal/config"
	"github.com/ante-games/ante/cmd/channeld/internal/faucet"
	"github.com/ante-games/ante/node"
	"github.com/ante-games/ante/node/dev"
	"github.com/ante-games/ante/node/keys"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
	"github.com/spf13/pflag"
)

// trialWindow is that of a trial's channels, in blocks of a second each.
const trialWindow = 20

// What each seat deposits in a trial's channels, and stakes in the first match, in wei.
var (
	trialDeposit = uint256.NewInt(1e18)
	trialStake   = uint256.NewInt(1e16)
)

// trialFile marks the directory of a trial's daemon.
const trialFile = "trial"

// trialYou is the first person's directory in a trial's.
const trialYou = "you"

var errTrialOver = errors.New("it belongs to a trial, and the chain is gone with that; begin another with the try command")

// ofTrial reports whether a directory is that of a trial's daemon.
func (a *app) ofTrial(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, trialFile))
	return err == nil
}

const (
	friendName = "friend" // the second person, for everybody
	hostName   = "host"   // the first person, for the second
)

type trialOptions struct {
	home   string // where everybody has a directory
	port   uint16
	friend bool
}

// listen is where the first person's page is.
func (o *trialOptions) listen() string { return fmt.Sprintf("127.0.0.1:%d", o.port) }

// trial is a chain and daemons on it, in this process: one for each person, one for each opponent.
type trial struct {
	*app
	trialOptions
	patience time.Duration // of the persons' daemons
	people   []*member

	ctx     context.Context // ends when the trial does
	cancel  context.CancelFunc
	world   *dev.World
	bots    []*member
	members []*member // all
	daemons sync.WaitGroup
	failed  chan error
}

// member is somebody's daemon in a trial.
type member struct {
	*app
	name    string
	ring    *keys.Ring
	account common.Address
	log     *os.File
	node    *node.Node
	rival   rival       // of an opponent, what it is
	channel common.Hash // with the first person
}

// startTrial makes a trial, with a channel between each person and each opponent, and a match. What
// it returns must be closed, with an error too, unless it is nil.
func (a *app) startTrial(ctx context.Context, o trialOptions) (t *trial, err error) {
	t = &trial{app: a, trialOptions: o, patience: 15 * time.Second, failed: make(chan error, 1)}
	if o.friend {
		t.patience = 5 * time.Minute // a person thinks for longer
	}
	t.ctx, t.cancel = context.WithCancel(ctx)
	if t.world, err = dev.Start(t.ctx, devnet.Config{BlockTime: time.Second}, a.Games); err != nil {
		return t, err
	}
	if err := faucet.Write(t.world, t.chainDir()); err != nil {
		return t, err
	}
	if err := t.assemble(); err != nil {
		return t, err
	}
	return t, t.open()
}

func (t *trial) chainDir() string { return filepath.Join(t.home, "chain") }

// assemble makes everybody's daemon, gives them money and starts them.
func (t *trial) assemble() error {
	names := []string{trialYou}
	if t.friend {
		names = append(names, friendName)
	}
	for i, name := range names {
		settings := map[string]string{"wait.patience": t.patience.String()}
		if i == 0 {
			settings["api.listen"] = t.listen()
		}
		m, err := t.member(name, settings)
		if err != nil {
			return err
		}
		t.people = append(t.people, m)
	}
	for _, o := range rivals {
		// A person thinks as long as it likes.
		m, err := t.member(o.name, map[string]string{"wait.patience": "24h", "play.accept": "true", "play.approve": "true", "play.bot": "true"})
		if err != nil {
			return err
		}
		if m.rival = o; o.adapt != nil {
			m.Adapt = func(c *node.Config) error { o.adapt(t.ctx, c); return nil }
		}
		t.bots = append(t.bots, m)
	}
	accounts := make([]common.Address, len(t.members))
	for i, m := range t.members {
		accounts[i] = m.account
	}
	if _, err := faucet.Fund(t.ctx, t.chainDir(), playMoney, accounts...); err != nil {
		return err
	}
	if err := together(t.members, t.start); err != nil {
		return err
	}
	return t.introduce()
}

// introduce gives each person a name for everybody else.
func (t *trial) introduce() error {
	for _, p := range t.people {
		for _, m := range t.members {
			name := m.name
			switch {
			case m == p:
				continue
			case m == t.people[0]:
				name = hostName
			}
			if err := p.node.SetContact(m.account, name); err != nil {
				return err
			}
		}
	}
	return nil
}

// member makes a daemon's directory.
func (t *trial) member(name string, settings map[string]string) (*member, error) {
	m := &member{name: name, app: &app{Terminal: t.Terminal, dir: filepath.Join(t.home, name)}}
	m.Out, m.Environ = io.Discard, nil
	flags := pflag.NewFlagSet(name, pflag.ContinueOnError)
	config.Flags(flags)
	for key, value := range map[string]string{
		"peers.listen": "/ip4/127.0.0.1/tcp/0", "peers.mdns": "false", "wait.confirmations": "1", "wait.poll": "200ms",
		"play.window": fmt.Sprint(trialWindow),
	} {
		settings[key] = value
	}
	for key, value := range settings {
		if err := flags.Set(key, value); err != nil {
			return nil, err
		}
	}
	if err := os.Mkdir(m.dir, 0o700); err != nil {
		return nil, err
	}
	err := os.WriteFile(m.path(trialFile), nil, 0o600)
	if err != nil {
		return nil, err
	}
	if m.log, err = os.OpenFile(m.path("log"), os.O_CREATE|os.O_WRONLY, 0o600); err != nil {
		return nil, err
	}
	m.Err = m.log
	t.members = append(t.members, m)
	m.account, _, err = m.setUp(flags, filepath.Join(t.chainDir(), faucet.Network), func(k *config.Keys) (*keys.Ring, error) {
		var err error
		m.ring, err = m.makeKeys(k, "", true, func(context.Context, *os.File, io.Writer) (keys.Password, error) {
			return keys.NewPassword(rand.Text()), nil
		})
		return m.ring, err
	})
	return m, err
}

// start runs a member's daemon until the trial ends. It returns once there is money in its bank.
func (t *trial) start(m *member) error {
	settings, err := config.Load(m.path(configFile), nil, nil)
	if err != nil {
		return err
	}
	ready, ended := make(chan *node.Node, 1), make(chan error, 1)
	t.daemons.Go(func() {
		err := m.serve(t.ctx, settings, m.ring, func(n *node.Node, _ string) { ready <- n })
		if err != nil {
			err = fmt.Errorf("the daemon of %s: %w", m.name, err)
			select {
			case t.failed <- err:
			default: // the first one is told
			}
		}
		ended <- err
	})
	select {
	case err := <-ended:
		return errors.Join(err, t.ctx.Err())
	case m.node = <-ready:
	}
	return dev.Deposit(t.ctx, m.node, playBank)
}

// open opens a channel between each person and everybody else, and begins a match.
func (t *trial) open() error {
	you := t.people[0]
	if t.friend {
		if _, err := t.channel(you, t.people[1]); err != nil {
			return err
		}
	}
	for _, p := range t.people {
		if err := together(t.bots, func(bot *member) error {
			from, to := p, bot
			if bot.rival.house {
				from, to = bot, p
			}
			id, err := t.channel(from, to)
			if p == you {
				bot.channel = id
			}
			return err
		}); err != nil {
			return err
		}
	}
	return you.node.Propose(t.bots[0].channel, node.MatchRequest{Game: "mastermind", Stakes: []uint256.Int{*trialStake}})
}

// channel opens a channel that a member offers to another.
func (t *trial) channel(from, to *member) (common.Hash, error) {
	if err := dev.Connect(t.ctx, from.node, to.node); err != nil {
		return common.Hash{}, fmt.Errorf("connect %s to %s: %w", from.name, to.name, err)
	}
	offer, err := from.node.Offer(t.ctx, node.OpenRequest{
		Peers: []common.Address{to.account}, Deposits: []uint256.Int{*trialDeposit, *trialDeposit}, Window: trialWindow, Memo: "to try it out",
	})
	if err == nil && slices.Contains(t.people, to) {
		err = t.accept(to, offer)
	}
	if err != nil {
		return common.Hash{}, fmt.Errorf("offer %s a channel: %w", to.name, err)
	}
	c, err := from.node.Opened(t.ctx, offer)
	if err != nil {
		return c.ID, fmt.Errorf("open the channel with %s: %w", to.name, err)
	}
	return c.ID, to.node.Wait(t.ctx, func() (bool, error) {
		theirs, err := to.node.Channel(c.ID)
		return theirs.Status == node.ChannelOpen, err
	})
}

// accept answers an offer for a person who could not have seen it yet.
func (t *trial) accept(to *member, offer common.Hash) error {
	if err := to.node.Wait(t.ctx, func() (bool, error) {
		list, err := to.node.Offers()
		return slices.ContainsFunc(list, func(o node.Offer) bool { return o.ID == offer }), err
	}); err != nil {
		return err
	}
	return to.node.Accept(t.ctx, offer)
}

// wait returns when the trial is interrupted, or a daemon of it fails.
func (t *trial) wait() error {
	select {
	case err := <-t.failed:
		return err
	case <-t.ctx.Done():
		return nil
	}
}

// close ends all daemons, and then the chain.
func (t *trial) close() error {
	t.cancel()
	t.daemons.Wait()
	var err error
	if t.world != nil {
		err = t.world.Close()
	}
	for _, m := range t.members {
		err = errors.Join(err, m.log.Close())
	}
	return err
}

// together does something with all members at once.
func together(all []*member, do func(*member) error) error {
	errs := make([]error, len(all))
	var wg sync.WaitGroup
	for i, m := range all {
		wg.Go(func() { errs[i] = do(m) })
	}
	wg.Wait()
	return errors.Join(errs...)
}
