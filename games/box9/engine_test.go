package box9

import (
	"cmp"
	"crypto/ecdsa"
	"encoding/binary"
	"math/rand/v2"
	"testing"

	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/games/eip712"
	"github.com/ante-games/ante/games/gametest"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/holiman/uint256"
)

// engines runs a test with the Go rules and with the contract.
func engines(t *testing.T, test func(t *testing.T, r games.Rules)) {
	t.Helper()
	gametest.Engines(t, Game(), test)
}

// ledger is the chain as a test wants it.
type ledger struct {
	head   uint64
	sure   uint64 // 0: head
	hashes map[uint64]common.Hash
	notes  map[common.Hash]common.Hash // what the contract has noted, by slot
	unread bool                        // it is not known what is noted
}

func (l *ledger) Head() uint64 { return l.head }

func (l *ledger) Sure() uint64 { return cmp.Or(l.sure, l.head) }

func (l *ledger) BlockHash(n uint64) (common.Hash, bool) {
	h, known := l.hashes[n]
	return h, known && n < l.head
}

func (l *ledger) Noted(slot common.Hash, before uint64) (common.Hash, bool) {
	if l.unread || before >= l.head {
		return common.Hash{}, false
	}
	return l.notes[slot], true
}

// board is a match moved by hand. Its failures are the test's.
type board struct {
	gametest.Board[Params, State, Move]
	keys  []*ecdsa.PrivateKey
	chain *ledger
}

var usual = Params{Rounds: 3, Margin: 6, Coins: 10, Coin: 100}

// newBoard seats a house that stakes nothing and players that stake 100,000 each; a box is 1,000.
func newBoard(t *testing.T, r games.Rules, p Params, players int) *board {
	t.Helper()
	b := &board{chain: &ledger{head: 990, hashes: map[uint64]common.Hash{}, notes: map[common.Hash]common.Hash{}}}
	c := &games.Context{MatchID: common.HexToHash("0xb9"), Params: p.Bytes(), Domain: common.HexToHash("0xd0"), Facts: b.chain}
	for i := range players + 1 {
		key, err := crypto.ToECDSA(crypto.Keccak256([]byte{byte(i)}))
		if err != nil {
			t.Fatal(err)
		}
		b.keys = append(b.keys, key)
		c.Signers = append(c.Signers, crypto.PubkeyToAddress(key.PublicKey))
		stake := uint256.NewInt(100_000)
		if i == House {
			stake.Clear()
		}
		c.Stakes = append(c.Stakes, *stake)
	}
	b.Board = gametest.NewBoard(t, rules{}, r, p, c)
	return b
}

// named is a board on which the house has named block 1010.
func named(t *testing.T, r games.Rules, p Params, players int) *board {
	t.Helper()
	return newBoard(t, r, p, players).play(Name(1010))
}

func (b *board) play(m Move) *board {
	b.T.Helper()
	b.Play(m)
	return b
}

// refuse fails unless the move is illegal.
func (b *board) refuse(m Move) *board {
	b.T.Helper()
	b.Refuse(m)
	return b
}

func (b *board) expire() *board {
	b.T.Helper()
	b.Expire()
	return b
}

// ends fails unless the match is over with these payouts.
func (b *board) ends(reason string, payouts ...uint64) {
	b.T.Helper()
	b.Pays(0, reason, payouts...)
}

// has fails unless the seats' pockets hold these amounts.
func (b *board) has(pockets ...uint64) *board {
	b.T.Helper()
	for seat, want := range pockets {
		if got := b.Now().Pocket[seat]; !got.Eq(uint256.NewInt(want)) {
			b.T.Errorf("seat %d has %s, want %d", seat, got.Dec(), want)
		}
	}
	return b
}

func (b *board) rolled() *uint256.Int {
	s := b.Now()
	return s.pot(Whole)
}

// bet signs a bet for this round.
func (b *board) bet(seat uint8, m Mask) Bet {
	b.T.Helper()
	return b.betOf(seat, m, BetDigest(b.C, b.Now().Round, m))
}

func (b *board) betOf(seat uint8, m Mask, digest common.Hash) Bet {
	b.T.Helper()
	sig, err := crypto.Sign(digest[:], b.keys[seat])
	if err != nil {
		b.T.Fatal(err)
	}
	sig[64] += 27
	return Bet{seat, m, eip712.Signature(sig)}
}

// close ends the round's betting; masks are by player, from seat 1, 0 for none.
func (b *board) close(masks ...Mask) *board {
	b.T.Helper()
	var m Close
	for i, mask := range masks {
		if mask != 0 {
			m = append(m, b.bet(uint8(i+1), mask))
		}
	}
	return b.play(m)
}

// at is the match as a seat sees it, which has a key, with what was said to it.
func (b *board) at(n uint8, notes ...games.Note) seat {
	b.T.Helper()
	sign := func(digest common.Hash) ([]byte, error) {
		sig, err := crypto.Sign(digest[:], b.keys[n])
		if err == nil {
			sig[64] += 27
		}
		return sig, err
	}
	c := *b.C
	return seat{Context: &c, Params: b.P, State: b.Now(), Seat: n, Notes: notes, Random: rand.NewChaCha8([32]byte{9}), Sign: sign}
}

// signed says who signed the position at hand, and in which block it was recorded.
func (b *board) signed(by uint16, recorded uint64) *board {
	b.C.Signed, b.C.Recorded = by, recorded
	return b
}

func (b *board) all() *board { return b.signed(1<<len(b.keys)-1, 0) }

// mine makes the round's block known, with a hash that fills these boxes.
func (b *board) mine(gold, silver1, silver2 uint8) common.Hash {
	b.T.Helper()
	h := hashFor(b.P.Coins, gold, silver1, silver2)
	b.chain.hashes[b.Now().Block] = h
	b.chain.head = b.Now().Block + 1
	return h
}

// note has bets noted for this round, by player from seat 1, 0 for none.
func (b *board) note(masks ...Mask) *board {
	var bets Masks
	copy(bets[1:], masks)
	s := b.Now()
	b.chain.notes[s.noteKey(b.C)] = bets.word()
	return b
}

// draw draws with a hash that fills these boxes, with the closed bets.
func (b *board) draw(counts Counts, gold, silver1, silver2 uint8) *board {
	b.T.Helper()
	return b.play(Reveal{counts, b.mine(gold, silver1, silver2), b.Now().Bets})
}

// hashFor finds a hash that fills these boxes: one in 504 does.
func hashFor(coins uint32, gold, silver1, silver2 uint8) common.Hash {
	for i := uint64(1); ; i++ {
		h := crypto.Keccak256Hash(binary.BigEndian.AppendUint64(nil, i))
		if r := Draw(h, coins); r.Gold == gold && r.Silver == [2]uint8{silver1, silver2} {
			return h
		}
	}
}

// on is the mask of these boxes.
func on(boxes ...uint8) (m Mask) {
	for _, box := range boxes {
		m |= 1 << (box - 1)
	}
	return m
}
