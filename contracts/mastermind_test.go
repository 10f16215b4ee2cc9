package contracts_test

import (
	"encoding/binary"

	"github.com/ante-games/ante/contracts/bindings"
	"github.com/ante-games/ante/games/commit"
	"github.com/ante-games/ante/games/mastermind"
	"github.com/ante-games/ante/protocol"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
)

const (
	secretCode = 1 | 2<<3 | 3<<6 | 4<<9
	guesses    = 12
)

// mastermind returns a match of Mastermind with the usual parameters between the first two seats.
func (tb *table) mastermind(nonce uint64, stakes ...uint64) *match {
	tb.Helper()
	game := mastermind.Game()
	rules := tb.deploy(bindings.MastermindMetaData.Bin, nil)
	return tb.matchOf(game.Rules, protocol.MatchTerms{
		ChannelID: tb.id, Nonce: nonce, Rules: rules, Seats: []uint8{0, 1}, Stakes: amounts(stakes...),
		Params: mastermind.Params{Pegs: 4, Colours: 6, Rounds: 4, Guesses: guesses, Bonus: 6}.Bytes(),
	})
}

// salt is a fixed salt for each seat and round.
func (m *match) salt(seat uint8, round uint32) common.Hash {
	return crypto.Keccak256Hash(m.id[:], []byte{seat, byte(round)})
}

// coin plays the toss for who makes the first code.
func (m *match) coin() *match {
	m.tb.Helper()
	salt := m.salt(0, 99)
	tails := common.Hash{31: 1}
	c := commit.Scope{Tag: commit.NewTag("ante.mastermind.coin"), MatchID: m.id}.Hash(tails, salt)
	return m.play(c[:], []byte{0}, append([]byte{1}, salt[:]...))
}

// makeCode plays a round's commitment.
func (m *match) makeCode(round uint32) *match {
	m.tb.Helper()
	maker := m.at(-1).mover
	c := commit.Scope{Tag: commit.NewTag("ante.mastermind.code"), MatchID: m.id, Seat: maker, Round: round}.
		Hash(common.Hash{30: secretCode >> 8, 31: secretCode & 255}, m.salt(maker, round))
	return m.play(c[:])
}

// guess plays n wrong guesses and their answers.
func (m *match) guess(n int) *match {
	m.tb.Helper()
	for i := range n {
		wrong := mastermind.Code(i%6 | (i+1)%6<<3 | 5<<6 | 5<<9)
		m.play(binary.BigEndian.AppendUint16(nil, uint16(wrong)))
		m.play([]byte{byte(mastermind.Answer(secretCode, wrong, 4))})
	}
	return m
}

// reveal opens the code of a round.
func (m *match) reveal(round uint32) *match {
	m.tb.Helper()
	salt := m.salt(m.at(-1).mover, round)
	return m.play(append(binary.BigEndian.AppendUint16(nil, secretCode), salt[:]...))
}

// rounds plays whole rounds, in which no code is found.
func (m *match) rounds(n int) *match {
	m.tb.Helper()
	for r := range n {
		m.makeCode(uint32(r)).guess(guesses).reveal(uint32(r))
	}
	return m
}
