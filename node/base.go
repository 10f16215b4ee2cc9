package node

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"slices"
	"sync"
	"time"

	"github.com/ante-games/ante/chain"
	"github.com/ante-games/ante/driver"
	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/message"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// base is what every part of a node works with: what it was started with, the chain, the network,
// the store with the event log, and the alarms. Its fields are set before messages and blocks
// arrive, and never after.
type base struct {
	*alarms
	config  Config
	domain  protocol.Domain
	drive   *driver.Driver // of the chain
	log     *eventLog
	net     Network
	wallets *chain.Wallets // players that are contracts
	began   time.Time      // when the node started

	run  context.Context // ends with the node
	stop context.CancelFunc
	done sync.WaitGroup
}

// Account returns the player's address, by which peers know this node.
func (n *base) Account() common.Address { return n.config.account() }

// Domain returns where the node's signatures are valid.
func (n *base) Domain() protocol.Domain { return n.domain }

// Network returns the node's peers and addresses.
func (n *base) Network() Network { return n.net }

// Events yields the events after a cursor (0: from the oldest kept), and further ones as they
// happen, until the context ends; its error comes last.
func (n *base) Events(ctx context.Context, after uint64) iter.Seq2[Event, error] {
	return n.log.read(ctx, after)
}

// Past returns the events after a cursor (0: from the oldest kept) that have happened by now,
// oldest first.
func (n *base) Past(after uint64) ([]Event, error) {
	list, _, err := n.log.past(eventPrefix, after)
	return list, err
}

// Alarms returns the alarms that are kept, newest first. They are kept longer than other events.
func (n *base) Alarms() ([]Event, error) {
	list, _, err := n.log.past(alarmPrefix, 0)
	slices.Reverse(list)
	return list, err
}

// Wait waits until ready returns true. It asks again after every event and block.
func (n *base) Wait(ctx context.Context, ready func() (bool, error)) error {
	for {
		_, woken := n.log.visible()
		ok, err := ready()
		if ok || err != nil {
			return err
		}
		select {
		case <-woken:
		case <-ctx.Done():
			return ctx.Err()
		case <-n.run.Done():
			return ErrClosed
		}
	}
}

// BankBalance returns the player's free balance in the Arena, in wei or token units.
func (n *base) BankBalance(ctx context.Context, asset common.Address) (*uint256.Int, error) {
	return n.drive.Arena.Bank(ctx, asset, n.Account())
}

// Bank returns an account's free balance in the Arena, in wei or token units.
func (n *base) Bank(ctx context.Context, asset, account common.Address) (*uint256.Int, error) {
	return n.drive.Arena.Bank(ctx, asset, account)
}

// Balance returns what an account holds outside the Arena, in wei.
func (n *base) Balance(ctx context.Context, account common.Address) (*uint256.Int, error) {
	return n.drive.Client.Balance(ctx, account)
}

// Wallet returns the account that pays for gas.
func (n *base) Wallet() common.Address { return n.config.GasPayer.Address() }

// commit makes changes and events durable together.
func (n *base) commit(changes map[string][]byte, events []Event) error {
	done, err := n.log.write(changes, events)
	if err != nil {
		return err
	}
	defer done()
	if len(changes) == 0 {
		return nil
	}
	return n.config.Store.Commit(changes)
}

// persist makes a value durable under a key.
func (n *base) persist(key string, v any) error {
	value, err := json.Marshal(v)
	if err == nil {
		err = n.config.Store.Commit(map[string][]byte{key: value})
	}
	if err != nil {
		return fmt.Errorf("%w: %w", ErrStore, err)
	}
	return nil
}

// poke puts a token into a channel that holds one; where there is one already, whoever takes it
// looks anyway.
func poke(tokens chan struct{}) {
	select {
	case tokens <- struct{}{}:
	default:
	}
}

func (n *base) random(b []byte) error {
	if _, err := io.ReadFull(n.config.Rand, b); err != nil {
		return fmt.Errorf("read randomness: %w", err)
	}
	return nil
}

// send queues a message that is about no channel: an offer or a reply to one.
func (n *base) send(to common.Address, m message.Message) error {
	return n.net.Send(to, message.Envelope(common.Hash{}, m))
}

// authority checks what is signed in players' names.
func (n *base) authority() protocol.Authority {
	return protocol.Authority{Domain: n.domain, Now: uint64(n.config.Now().Unix()), Wallets: n.wallet}
}

// wallet asks the chain whether a contract wallet accepts a signature.
func (n *base) wallet(account common.Address, digest common.Hash, signature []byte) error {
	return n.wallets.Signed(n.run, account, digest, signature)
}

func (n *base) gameName(rules common.Address) string {
	if game, err := n.drive.Game(rules); err == nil {
		return game.Name
	}
	return rules.Hex()
}

// deployed returns a game and where its rules contract is, by its name.
func (n *base) deployed(name string) (games.Game, common.Address, error) {
	game, err := n.config.Games.Find(name)
	if err != nil {
		return game, common.Address{}, err
	}
	at, deployed := n.config.Rules[name]
	if !deployed {
		return game, at, fmt.Errorf("%w: this chain has no rules contract of %s that the node was told of", games.ErrUnknownGame, name)
	}
	return game, at, nil
}

// publishes reports whether the node publishes its wins by itself.
func (n *base) publishes() bool {
	return n.config.Policy.PublishWins != 0 && n.config.Scoreboard != (common.Address{})
}
