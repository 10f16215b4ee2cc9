package gametest

import (
	"encoding/binary"
	"errors"
	"math/rand/v2"

	"github.com/ante-games/ante/games"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
)

// blocks is a made-up chain: games.Facts that know the hashes of blocks which are final and which
// the EVM still remembers. Blocks pass when told to.
type blocks struct {
	head  uint64
	seed  common.Hash
	r     *rand.Rand                     // how fast blocks pass, and who saw what
	noted func(r *rand.Rand) common.Hash // makes up what the rules contract has noted; nil: nothing
}

func newBlocks(seed common.Hash, noted func(r *rand.Rand) common.Hash) *blocks {
	r := rand.New(rand.NewChaCha8(seed))
	return &blocks{r.Uint64N(1 << 32), seed, r, noted}
}

const (
	finality = 2   // blocks after one until it is final
	memory   = 256 // of the EVM, in blocks
)

func (b *blocks) Head() uint64 { return b.head }

func (b *blocks) Sure() uint64 { return b.head }

func (b *blocks) BlockHash(number uint64) (common.Hash, bool) {
	if number+finality > b.head || number+memory <= b.head {
		return common.Hash{}, false
	}
	return crypto.Keccak256Hash(b.seed[:], binary.BigEndian.AppendUint64(nil, number)), true
}

func (b *blocks) Noted(slot common.Hash, before uint64) (common.Hash, bool) {
	if before+finality > b.head {
		return common.Hash{}, false
	}
	if b.noted == nil {
		return common.Hash{}, true
	}
	return b.noted(rand.New(rand.NewChaCha8(crypto.Keccak256Hash(b.seed[:], slot[:])))), true
}

// patience is how often a few blocks pass for a player side that waits for the chain.
const patience = 64

// pass lets a few blocks pass.
func (m *match) pass() { m.chain.head += 1 + m.chain.r.Uint64N(8) }

// wait lets blocks pass until there is a decision, as long as the seat isn't waiting for a person.
// It may return none.
func (m *match) wait(t games.Table, decide func() (*games.Decision, error)) (*games.Decision, error) {
	for range patience {
		d, err := decide()
		if d != nil || err != nil {
			return d, err
		}
		if ask, err := m.suite.Game.Player.Ask(t); ask != "" || err != nil {
			return nil, err
		}
		m.pass()
	}
	return nil, nil
}

// chance returns the chain's move as one of the seats makes it, nil if nobody can make it, or the
// chain doesn't tell any more.
func (m *match) chance(state []byte) []byte {
	p, ok := games.As[games.Chained](m.suite.Game.Player)
	if !ok {
		m.t.Fatalf("%sthe chain moves in 0x%x, but the player side is no games.Chained", m.where, state)
	}
	if m.chain.r.IntN(32) == 0 {
		m.chain.head += 2 * memory // nobody looked in time
	}
	for range patience {
		move, err := p.Chance(m.table(state, uint8(m.chain.r.IntN(len(m.secrets)))))
		if err == nil {
			return move
		}
		if !errors.Is(err, games.ErrNotYet) {
			m.t.Fatalf("%schance in 0x%x: %v", m.where, state, err)
		}
		m.pass()
	}
	return nil
}

// table is what a seat sees, after everybody has said what the bots would say.
func (m *match) table(state []byte, seat uint8) games.Table {
	return games.Table{
		Context: m.c, State: state, Seat: seat, Secrets: m.secrets[seat], Random: m.random,
		Notes: m.notes(state, seat), Sign: m.sign(seat),
	}
}

// notes is what the other seats' bots tell a seat.
func (m *match) notes(state []byte, to uint8) (list []games.Note) {
	p, talks := games.As[games.Talker](m.suite.Game.Player)
	for seat := range uint8(len(m.secrets)) {
		if !talks || seat == to {
			continue
		}
		said, err := p.Chat(games.Table{Context: m.c, State: state, Seat: seat, Random: m.random, Sign: m.sign(seat)})
		if err != nil {
			m.t.Fatalf("%sseat %d has nothing to say in 0x%x: %v", m.where, seat, state, err)
		}
		if said != nil && said.To == to {
			list = append(list, *said)
		}
	}
	return list
}

// sign signs with a seat's session key.
func (m *match) sign(seat uint8) func(common.Hash) ([]byte, error) {
	return func(digest common.Hash) ([]byte, error) {
		sig, err := crypto.Sign(digest[:], m.keys[seat])
		if err == nil {
			sig[64] += 27
		}
		return sig, err
	}
}

// witnessed makes up who signed the position at hand, and whether the Arena has it: most are signed
// by all.
func (m *match) witnessed() {
	m.c.Signed, m.c.Recorded = 1<<len(m.secrets)-1, 0
	if m.chain.r.IntN(4) == 0 {
		m.c.Signed &= uint16(m.chain.r.Uint32())
	}
	if m.chain.r.IntN(4) == 0 {
		m.c.Recorded = m.chain.head + 1 - min(m.chain.head, m.chain.r.Uint64N(16))
	}
}
