package node

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"slices"
	"testing"
	"time"

	"github.com/ante-games/ante/chain"
	"github.com/ante-games/ante/channel"
	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/games/box9"
	"github.com/ante-games/ante/games/gametest/toy"
	"github.com/ante-games/ante/games/splitsteal"
	"github.com/ante-games/ante/node/lobby"
	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/message"
	"github.com/ante-games/ante/protocol/onchain"
	"github.com/ante-games/ante/store"
	"github.com/ante-games/ante/transport/memory"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/holiman/uint256"
)

// lab is where nodes run without a chain and without doing anything by themselves, on a network in
// memory, at a time that stands still: a test of one part of a node calls that part, and hands it
// what the chain would say.
type lab struct {
	t     *testing.T
	net   *memory.Network
	nodes map[*channels]*Node
	now   time.Time
	keys  uint64
	logs  uint
}

func newLab(t *testing.T) *lab {
	t.Helper()
	return &lab{t: t, nodes: map[*channels]*Node{}, net: memory.New(1, memory.Faults{}), now: time.Unix(1_700_000_000, 0)}
}

// key returns a key that nobody in the lab has yet: the first is that of player 1.
func (l *lab) key() *protocol.Key {
	l.t.Helper()
	l.keys++
	return playerKey(l.t, byte(l.keys))
}

// playerKey is the key of a player.
func playerKey(t testing.TB, number byte) *protocol.Key {
	t.Helper()
	return keyOf(t, []byte{number})
}

func keyOf(t testing.TB, of ...[]byte) *protocol.Key {
	t.Helper()
	private, err := crypto.ToECDSA(crypto.Keccak256(of...))
	if err != nil {
		t.Fatal(err)
	}
	return protocol.NewKey(private)
}

func (l *lab) must(err error) {
	l.t.Helper()
	if err != nil {
		l.t.Fatal(err)
	}
}

var toyRules = common.Address{0x70}

// node adds a node, which plays toy and rounds, for any stake, and accepts and approves everything;
// change may say otherwise.
func (l *lab) node(change func(*Config)) *Node {
	l.t.Helper()
	key := l.key()
	c := Config{
		Store: store.NewMemory(), Player: key, Games: games.Catalog{toy.Game(), splitsteal.Game(), box9.Game()},
		Rules:    map[string]common.Address{toy.Game().Name: toyRules, splitsteal.Name: {0x51}, box9.GameName: {0xb9}},
		Sessions: func(salt common.Hash) (protocol.Signer, error) { return keyOf(l.t, key.Bytes(), salt[:]), nil },
		Now:      func() time.Time { return l.now }, Rand: secureRandom, Log: slog.New(slog.DiscardHandler),
		Policy: Policy{
			AnyStake: true, Patience: time.Minute, Confirmations: 1,
			Accept: func(Offer) bool { return true }, Approve: func(Proposal) bool { return true },
		},
	}
	if change != nil {
		change(&c)
	}
	n := newNode(l.t.Context(), c)
	l.nodes[n.channels] = n
	n.domain, n.whole = protocol.Domain{ChainID: 1, Arena: common.Address{0xa1}}, true
	n.board = lobby.NewBoard(n.domain)
	var err error
	n.log, err = openEventLog(c.Store, func() int64 { return l.now.Unix() })
	l.must(err)
	n.drive.Facts, err = chain.NewFacts(nil, c.Store, 0)
	l.must(err)
	n.net = l.net.Join(n.Account(), handler{n})
	close(n.ready)
	l.t.Cleanup(func() {
		n.stop()
		n.done.Wait()
	})
	return n
}

// of returns the node of a session.
func (l *lab) of(s *session) *Node { return l.nodes[s.node] }

// settle has everything arrive that is on its way.
func (l *lab) settle() { l.net.Run(100 * time.Millisecond) }

// guest is a peer that only listens, and notes what it is told.
type guest struct {
	*protocol.Key
	lab   *lab
	heard []message.Message
}

// guest adds a peer that is connected to a node, with a key of its own or a player's.
func (l *lab) guest(n *Node, number ...byte) *guest {
	l.t.Helper()
	g := &guest{lab: l}
	if len(number) > 0 {
		g.Key = playerKey(l.t, number[0])
	} else {
		g.Key = l.key()
	}
	at := l.net.Join(g.Address(), g)
	l.must(at.Keep(n.Account(), n.net.Addresses()...))
	l.settle()
	return g
}

func (g *guest) Connected(common.Address)           {}
func (g *guest) Disconnected(common.Address, error) {}

func (g *guest) Receive(_ common.Address, env *antev1.Envelope) {
	_, m, err := message.FromEnvelope(env)
	if err != nil {
		g.lab.t.Error(err)
	}
	g.heard = append(g.heard, m)
}

// told returns what the guest was told since it was last asked.
func (g *guest) told() []message.Message {
	g.lab.settle()
	heard := g.heard
	g.heard = nil
	return heard
}

// channel opens a channel between nodes in which each has so much.
func (l *lab) channel(asset common.Address, deposits []uint64, nodes ...*Node) common.Hash {
	l.t.Helper()
	l.keys++
	t := protocol.Terms{Asset: asset, Deposits: stakes(deposits...), Window: 20, OpenBy: 100, Salt: common.Hash{byte(l.keys)}}
	for i, n := range nodes {
		signer, err := n.config.Sessions(t.Salt)
		l.must(err)
		t.Players, t.Signers = append(t.Players, n.Account()), append(t.Signers, signer.Address())
		for _, other := range nodes[:i] {
			l.must(n.net.Keep(other.Account(), other.net.Addresses()...))
		}
	}
	l.settle()
	for seat, n := range nodes {
		_, err := n.found(t, seat)
		l.must(err)
	}
	for _, n := range nodes {
		l.says(n, t.ID(n.domain), onchain.Opened{ChannelID: t.ID(n.domain), Terms: t})
	}
	l.settle()
	return t.ID(nodes[0].domain)
}

// says tells a node what the chain says of a channel, for good.
func (l *lab) says(n *Node, id common.Hash, e onchain.Event) {
	l.t.Helper()
	l.logs++
	for _, stage := range []chain.Stage{chain.Seen, chain.Final} {
		l.must(l.session(n, id).happened(&chain.Event{
			Event: e, Stage: stage, Block: chain.Block{Number: 1}, Log: types.Log{Index: l.logs, Topics: []common.Hash{}},
		}))
	}
}

func (l *lab) session(n *Node, id common.Hash) *session {
	l.t.Helper()
	s, err := n.session(id)
	l.must(err)
	return s
}

// match locks a match of toy in a channel, by a node that plays it.
func (l *lab) match(n *Node, id common.Hash, stake uint64, seats ...uint8) common.Hash {
	l.t.Helper()
	before := l.session(n, id).machine.Matches()
	l.must(l.session(n, id).step(channel.ProposeMatch{
		Rules: toyRules, Params: toy.Params(0), Seats: seats, Stakes: stakes(slices.Repeat([]uint64{stake}, len(seats))...),
	}))
	l.settle()
	for _, m := range l.session(n, id).machine.Matches() {
		if !slices.ContainsFunc(before, func(had channel.MatchView) bool { return had.ID == m.ID }) {
			return m.ID
		}
	}
	l.t.Fatal("no match is locked")
	return common.Hash{}
}

// events returns the texts of the events of a kind.
func (l *lab) events(n *Node, kind Kind) (texts []string) {
	l.t.Helper()
	list, _, err := n.log.past(eventPrefix, 0)
	l.must(err)
	for _, e := range list {
		if e.Kind == kind {
			texts = append(texts, e.Text)
		}
	}
	return texts
}

// spoil makes what a node's store holds under a key unreadable.
func (l *lab) spoil(n *Node, key string) {
	l.t.Helper()
	l.must(n.config.Store.Commit(map[string][]byte{key: bytes.Repeat([]byte{'?'}, 3)}))
}

// put has a node's store hold a value, as JSON.
func (l *lab) put(n *Node, key string, value any) {
	l.t.Helper()
	text, err := json.Marshal(value)
	l.must(err)
	l.must(n.config.Store.Commit(map[string][]byte{key: text}))
}

func (l *lab) putRound(n *Node, r *Round) {
	l.t.Helper()
	l.put(n, roundPrefix+r.ID.Hex(), r)
}

func (l *lab) putOffer(n *Node, o *Offer) {
	l.t.Helper()
	l.put(n, offerPrefix+o.ID.Hex(), o)
}

// invite has a node hold an invite to a match of toy for five each, as change leaves it.
func (l *lab) invite(n *Node, id byte, change func(*Invite)) *Invite {
	l.t.Helper()
	i := &Invite{ID: common.Hash{id}, Mine: true, State: InviteOpen}
	i.Player, i.Rules, i.Params, i.Window, i.Expiry = n.Account(), toyRules, toy.Params(0), 20, uint64(l.now.Unix())+3600
	i.Least, i.Most, i.Stake = *uint256.NewInt(5), *uint256.NewInt(5), *uint256.NewInt(5)
	if change != nil {
		change(i)
	}
	l.must(n.saveInvite(i))
	return i
}
