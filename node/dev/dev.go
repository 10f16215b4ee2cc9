// Package dev makes small worlds to develop, test and demonstrate in: a dev chain in this process
// with an Arena and the rules contracts, and nodes on it that talk over libp2p on loopback.
// Everything is real but the money.
package dev

import (
	"context"
	"crypto/ecdsa"
	"crypto/hkdf"
	"crypto/sha256"
	"errors"
	"fmt"
	"time"

	"github.com/ante-games/ante/chain"
	"github.com/ante-games/ante/chain/devnet"
	"github.com/ante-games/ante/contracts/bindings"
	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/node"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/store"
	"github.com/ante-games/ante/transport"
	"github.com/ante-games/ante/transport/p2p"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/holiman/uint256"
)

// Bounds of the windows that a world's Arena takes, in blocks.
const (
	MinWindow = 4
	MaxWindow = 100_000
)

// Place is where a world's chain and contracts are. It can be told to another process.
type Place struct {
	URL   string
	Arena common.Address
	From  uint64                    // block of the Arena
	Rules map[string]common.Address // by game
	Board common.Address            // the score board
}

// World is a dev chain with everything deployed that channels need.
type World struct {
	Place
	Chain    *devnet.Chain
	Games    games.Catalog
	Deployed map[string]uint64 // gas of each deployment, by contract: "arena" or the game's name

	auditor *auditor
}

// Start makes a world. Close it when done.
func Start(ctx context.Context, config devnet.Config, catalog games.Catalog) (*World, error) {
	c, err := devnet.Start(config)
	if err != nil {
		return nil, err
	}
	w := &World{Place: Place{URL: c.URL(), Rules: map[string]common.Address{}}, Chain: c, Games: catalog, Deployed: map[string]uint64{}}
	if err := w.deploy(ctx); err != nil {
		return nil, errors.Join(err, c.Close())
	}
	return w, nil
}

func (w *World) deploy(ctx context.Context) error {
	arena, err := w.Chain.DeployArena(ctx, true, MinWindow, MaxWindow)
	if err != nil {
		return err
	}
	w.Arena, w.From, w.Deployed["arena"] = arena.ContractAddress, arena.BlockNumber.Uint64(), arena.GasUsed
	w.watch()
	names := []string{"the score board"}
	codes := [][]byte{append(common.FromHex(bindings.ScoreboardMetaData.Bin), bindings.NewScoreboard().PackConstructor(w.Arena)...)}
	for _, g := range w.Games {
		names, codes = append(names, g.Name), append(codes, g.Contract)
	}
	made, err := w.Chain.DeployAll(ctx, codes...)
	if err != nil {
		return fmt.Errorf("deploy %s: %w", names[len(made)], err)
	}
	w.Board, w.Deployed["scoreboard"] = made[0].ContractAddress, made[0].GasUsed
	for i, g := range w.Games {
		w.Rules[g.Name], w.Deployed[g.Name] = made[i+1].ContractAddress, made[i+1].GasUsed
	}
	return nil
}

// Close stops the chain. It fails when Audit does.
func (w *World) Close() error {
	w.Chain.Watch(nil)
	w.auditor.client.Close()
	return errors.Join(w.Audit(), w.Chain.Close())
}

// Config returns a node's configuration for one of the chain's funded accounts. See Place.Config.
func (w *World) Config(account int) (node.Config, error) {
	return w.Place.Config(w.Chain.Key(account), w.Games)
}

// Config returns a node's configuration for an account: a store in memory, a libp2p host on
// loopback, quick polling, one confirmation. Change what you like before node.Start.
func (p Place) Config(key *ecdsa.PrivateKey, catalog games.Catalog) (node.Config, error) {
	identity, err := p2p.IdentityFromSeed(derive(key, "identity"))
	if err != nil {
		return node.Config{}, err
	}
	player := protocol.NewKey(key)
	return node.Config{
		Store:    store.NewMemory(),
		Chain:    chain.Config{URL: p.URL},
		Arena:    p.Arena,
		From:     p.From,
		Player:   player,
		GasPayer: chain.KeySigner(key),
		Games:    catalog,
		Rules:    p.Rules,

		Scoreboard: p.Board,
		Sessions:   func(salt common.Hash) (protocol.Signer, error) { return Session(key, salt) },
		Network: func(d protocol.Domain, h transport.Handler) (node.Network, error) {
			return p2p.New(p2p.Config{Identity: identity, Signer: player, Domain: d, Handler: h})
		},
		Policy: node.Policy{Confirmations: 1, Poll: 50 * time.Millisecond},
	}, nil
}

// Node starts a node for one of the chain's funded accounts. It accepts every offer, and its bot
// plays every match that is proposed.
func (w *World) Node(ctx context.Context, account int) (*node.Node, error) {
	c, err := w.Config(account)
	if err != nil {
		return nil, err
	}
	c.Policy.Accept = func(node.Offer) bool { return true }
	c.Policy.Approve = func(node.Proposal) bool { return true }
	c.Policy.Bot = true
	return node.Start(ctx, c)
}

// Wrap has the node of a configuration use what a function makes of its network.
func Wrap(c *node.Config, wrap func(node.Network) node.Network) {
	join := c.Network
	c.Network = func(d protocol.Domain, h transport.Handler) (node.Network, error) {
		net, err := join(d, h)
		return wrap(net), err
	}
}

// Session returns the session key that an account's node uses in the channel with that salt.
func Session(key *ecdsa.PrivateKey, salt common.Hash) (*protocol.Key, error) {
	k, err := crypto.ToECDSA(derive(key, "session"+salt.Hex()))
	if err != nil {
		return nil, err
	}
	return protocol.NewKey(k), nil
}

// Connect makes a node know where another is, and waits until they are connected. A busy machine
// may let a dial run into its time limit, so it dials a few times.
func Connect(ctx context.Context, n, to *node.Node) error {
	if err := n.Network().Keep(to.Account(), to.Network().Addresses()...); err != nil {
		return err
	}
	var err error
	for range 5 {
		if err = n.Network().Connect(ctx, to.Account()); !errors.Is(err, transport.ErrUnreachable) {
			break
		}
	}
	return err
}

// Deposit puts ether of a node's wallet into its bank balance, and waits until it is there.
func Deposit(ctx context.Context, n *node.Node, wei *uint256.Int) error {
	r, err := n.Deposit(ctx, common.Address{}, wei)
	if err != nil {
		return err
	}
	_, err = n.Mined(ctx, r.Key)
	return err
}

// derive returns 32 bytes that follow from a key. Dev accounts hold no money, so one key may serve
// for everything.
func derive(key *ecdsa.PrivateKey, purpose string) []byte {
	b, err := hkdf.Key(sha256.New, crypto.FromECDSA(key), nil, "ante dev "+purpose, 32)
	if err != nil {
		panic(err) // 32 bytes are never too many
	}
	return b
}
