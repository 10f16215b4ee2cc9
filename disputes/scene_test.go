package disputes_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/ante-games/ante/chain/codec"
	"github.com/ante-games/ante/contracts/bindings"
	"github.com/ante-games/ante/contracts/bindings/testbindings"
	"github.com/ante-games/ante/contracts/minichain"
	"github.com/ante-games/ante/disputes"
	"github.com/ante-games/ante/games/gametest/toy"
	"github.com/ante-games/ante/internal/audit"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/onchain"
	"github.com/ante-games/ante/protocol/protocoltest"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

const (
	window  = 40 // blocks
	deposit = 100
	stake   = 20 // of each seat in a match
)

var arenaABI = bindings.NewArena() // making one reads its whole ABI

// testingT is what *testing.T and *rapid.T have in common.
type testingT interface {
	Helper()
	Fatal(...any)
	Fatalf(string, ...any)
	Errorf(string, ...any)
	Context() context.Context
}

// scene is a chain with the real Arena and the toy rules on it, and an open channel. Seats are
// honest, that is run by a watcher, or cheat, that is do what the test says, in front of everybody
// else in every block.
type scene struct {
	testingT
	*board
	chain   *minichain.Chain
	codec   *codec.Codec
	auditor *audit.Auditor // checked after every transaction
	said    []said
	honest  []*honest
	sent    int     // transactions by honest seats
	sender  *honest // who sends now; nil: a cheat
}

type said struct {
	block  uint64
	event  onchain.Event
	honest bool // an honest seat's transaction said it
}

func newScene(t testingT, seats int, honestSeats ...int) *scene {
	t.Helper()
	chain, err := minichain.New(1337)
	c := &scene{testingT: t, chain: chain}
	c.ok(err)
	arena := c.deploy(bindings.ArenaMetaData.Bin, arenaABI.PackConstructor(true, 8, 100_000))
	toyRules := c.deploy(testbindings.ToyRulesMetaData.Bin, nil)
	c.board = newBoard(protocol.Domain{ChainID: 1337, Arena: arena}, toyRules, seats, window, deposit)
	c.terms.OpenBy = chain.Block() + 1_000_000
	c.id = c.terms.ID(c.domain)
	c.codec = codec.New(c.domain)
	c.auditor = audit.New(c)
	c.chain.OnTransaction = c.audit
	for _, seat := range honestSeats {
		h := &honest{scene: c, seat: seat, matches: map[common.Hash]*match{}, signed: map[protocol.Turn]common.Hash{}}
		h.evidence.Matches = map[common.Hash]disputes.Match{}
		h.wishes.Demand = map[common.Hash]bool{}
		h.reply = func(m *match, _ []byte) []byte { return toy.Pass((m.seatOf(seat) + 1) % uint8(len(m.terms.Seats))) }
		h.watcher = watch(c.board, seat, h)
		c.honest = append(c.honest, h)
	}
	open := onchain.Open{Terms: c.terms}
	for i := range seats {
		player := protocoltest.Key("player " + string(rune('0'+i)))
		chain.Fund(player.Address(), uint256.NewInt(deposit))
		c.must(player.Address(), onchain.Deposit{Account: player.Address(), Amount: *uint256.NewInt(deposit)})
		sig, err := player.Sign(c.id)
		c.ok(err)
		open.Signatures = append(open.Signatures, sig[:])
	}
	c.must(c.terms.Players[0], open)
	return c
}

func (m *match) seatOf(seat int) uint8 { return uint8(slices.Index(m.terms.Seats, uint8(seat))) }

func (c *scene) ok(err error) {
	c.Helper()
	if err != nil {
		c.Fatal(err)
	}
}

func (c *scene) deploy(code string, arguments []byte) common.Address {
	c.Helper()
	at, _, err := c.chain.Deploy(common.Address{19: 0xde}, append(common.FromHex(code), arguments...))
	c.ok(err)
	return at
}

// send does an action now, and takes down what the Arena said.
func (c *scene) send(from common.Address, a onchain.Action) error {
	c.Helper()
	return c.sendWithin(from, a, minichain.MaxGas)
}

// sendWithin does an action with so much gas.
func (c *scene) sendWithin(from common.Address, a onchain.Action, gas uint64) error {
	c.Helper()
	call, err := c.codec.Encode(a)
	c.ok(err)
	r, err := c.chain.Send(minichain.Tx{From: from, To: &c.domain.Arena, Value: call.Value, Data: call.Data, Gas: gas})
	var f *minichain.Failure
	if errors.As(err, &f) {
		return codec.Explain(f.Data)
	}
	c.ok(err)
	for _, ev := range c.read(r) {
		c.said = append(c.said, said{r.BlockNumber.Uint64(), ev, c.sender != nil})
		if _, ok := ev.(onchain.Banked); ok {
			continue
		}
		for _, h := range c.honest {
			if h == c.sender {
				h.watcher.Answered(r.BlockNumber.Uint64(), ev)
			} else {
				h.watcher.Happened(r.BlockNumber.Uint64(), ev)
			}
		}
	}
	return nil
}

func (c *scene) must(from common.Address, a onchain.Action) {
	c.Helper()
	if err := c.send(from, a); err != nil {
		c.Fatalf("%T: %v", a, err)
	}
}

// block lets the honest seats plan on the newest block, and makes the next, in which the cheats
// come first.
func (c *scene) block(cheats ...func()) {
	c.Helper()
	for _, h := range c.honest {
		h.step()
	}
	before := len(c.said)
	for _, f := range cheats {
		f()
	}
	cheated := len(c.said) > before
	for _, h := range c.honest {
		c.sender = h
		for _, s := range h.box {
			if err := c.sendWithin(c.terms.Players[h.seat], s.Action, s.Usual); err != nil {
				h.watcher.Failed(s.ID, err)
				if !cheated && len(c.honest) == 1 {
					c.Errorf("block %d: the Arena refused, though nobody was faster: %s: %v", c.chain.Block(), s.Why, err)
				}
			}
			c.sent++
		}
		h.box = nil
	}
	c.sender = nil
	c.chain.Mine(1)
}

// run makes blocks until a condition holds, at most so many.
func (c *scene) run(blocks int, until func() bool) {
	c.Helper()
	for range blocks {
		if until() {
			return
		}
		c.block()
	}
	if !until() {
		for _, h := range c.honest {
			c.Errorf("seat %d's last plan: %+v", h.seat, h.plan)
		}
		c.Fatalf("nothing came of it in %d blocks", blocks)
	}
}

func (m *match) replay(s *protocol.Support) []byte {
	state := s.Base
	for _, move := range s.Moves {
		next, err := m.game.Play(m.context(), state, move)
		if err != nil {
			return nil
		}
		state = next
	}
	return state
}

// lock has all seats sign a ledger that locks a match of theirs, and gives it to the honest ones.
func (c *scene) lock(params []byte) *match {
	n := len(c.keys)
	seats, stakes, left := make([]uint8, n), make([]uint64, n), make([]uint64, n)
	for i := range n {
		seats[i], stakes[i], left[i] = uint8(i), stake, deposit-stake
	}
	m := c.match(2<<8, seats, params, stakes...)
	l := c.ledger(2, false, left, m)
	for _, h := range c.honest {
		h.evidence.Ledger = l
		h.evidence.Matches[m.id] = disputes.Match{Terms: m.terms, Ledger: l}
		h.matches[m.id] = m
	}
	return m
}

// play plays moves off-chain as honest seats do: they hold the newest position, and know that they
// signed what is theirs.
func (c *scene) play(m *match, moves ...[]byte) {
	m.play(moves...)
	last := len(m.line) - 1
	for _, h := range c.honest {
		for i, p := range m.line {
			if seat := m.seatOf(h.seat); i == 0 || p.by == seat || len(m.terms.Seats) > 2 && i < last {
				h.sign(m, p.turn, p.state)
			}
		}
		h.hold(m, m.newest())
	}
}

// newest returns the support of the last position as honest seats keep it: with two seats the last
// move on top of what both signed; with more, the last move on top of the position that all signed.
func (m *match) newest() *protocol.Support {
	last := len(m.line) - 1
	if last == 0 {
		return m.support(0, 0, m.all(0))
	}
	base := last - 1
	return m.support(base, last, m.all(base))
}

// bank returns a seat's bank balance.
func (c *scene) bank(seat int) uint64 {
	c.Helper()
	out, err := c.chain.Call(common.Address{}, c.domain.Arena, arenaABI.PackBalanceOf(common.Address{}, c.terms.Players[seat]))
	c.ok(err)
	return new(uint256.Int).SetBytes(out).Uint64()
}

// over reports whether the channel is closed, or settled with every lock paid.
func (c *scene) over() bool {
	v := c.honest[0].watcher.View()
	if v.Status() == disputes.Closed {
		return true
	}
	l, _ := v.Ledger()
	if v.Status() != disputes.Settled {
		return false
	}
	return !slices.ContainsFunc(l.Locks, func(k protocol.Lock) bool { return !v.Paid(k.MatchID) })
}

// ends runs the scene until the channel is over, and checks what each seat got and that nothing is
// left.
func (c *scene) ends(blocks int, want ...uint64) {
	c.Helper()
	c.run(blocks, c.over)
	var total uint64
	for seat := range want {
		got := c.bank(seat)
		total += got
		if got != want[seat] {
			c.Errorf("seat %d ends with %d, want %d", seat, got, want[seat])
		}
	}
	if held := c.chain.Balance(c.domain.Arena).Uint64(); held != total || held != uint64(len(c.keys)*deposit) {
		c.Errorf("the Arena holds %d and owes %d", held, total)
	}
}

// gone makes honest seats want everything from the chain: out, and an answer in every match.
func (c *scene) gone() {
	for _, h := range c.honest {
		h.wishes.Exit = true
		for id := range h.matches {
			h.wishes.Demand[id] = true
		}
	}
}

// convicted returns which seats of matches were convicted, as a bit mask.
func (c *scene) convicted() (mask uint16) {
	for _, s := range c.said {
		if r, ok := s.event.(onchain.Recorded); ok {
			mask |= r.Guilty
		}
	}
	return mask
}

var _ testingT = (*testing.T)(nil)

// reorg takes the chain back to a checkpoint. What honest seats had sent since is lost.
func (c *scene) reorg(to *minichain.Checkpoint) {
	c.chain.Rewind(to)
	for _, h := range c.honest {
		h.watcher.Unhappened(c.chain.Block())
		for _, id := range h.ids {
			h.watcher.Failed(id, errors.New("lost in a reorg"))
		}
		h.ids, h.box = nil, nil
	}
}
