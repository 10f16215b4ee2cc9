package contracts_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/ante-games/ante/chain/codec"
	"github.com/ante-games/ante/contracts/bindings"
	"github.com/ante-games/ante/contracts/minichain"
	"github.com/ante-games/ante/games/gametest/toy"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/onchain"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
)

var (
	scoreboard = bindings.NewScoreboard()
	game       = common.Address{19: 0x6a}
)

// board is a table and the score board of its Arena.
type board struct {
	*table
	at common.Address
}

func newScoreboard(t *testing.T, seats int) *board {
	t.Helper()
	tb := newTable(t, seats).open()
	return &board{tb, tb.deploy(bindings.ScoreboardMetaData.Bin, scoreboard.PackConstructor(tb.arena))}
}

// result is a result of the table's channel, signed by the session signers of its seats.
func (b *board) result(nonce uint64, winners, losers, drawn uint16) protocol.SignedResult {
	r := protocol.Result{ChannelID: b.id, Nonce: nonce, Rules: game, Winners: winners, Losers: losers, Drawn: drawn}
	return b.signedBy(r, func(s seat) key { return s.signer })
}

func (b *board) signedBy(r protocol.Result, whose func(seat) key) protocol.SignedResult {
	signed := protocol.SignedResult{Result: r}
	for i, s := range b.seats {
		if (r.Winners|r.Losers|r.Drawn)>>i&1 == 1 {
			signed.Signatures = append(signed.Signatures, whose(s).sign(r.Digest(b.domain)))
		}
	}
	return signed
}

func (b *board) record(results ...protocol.SignedResult) (*types.Receipt, error) {
	b.Helper()
	data, err := codec.Record(&b.terms, results)
	b.ok(err)
	return b.chain.Send(minichain.Tx{From: b.sender, To: &b.at, Data: data})
}

// refuses fails unless the score board refuses the results, with this error.
func (b *board) refuses(name string, results ...protocol.SignedResult) {
	b.Helper()
	_, err := b.record(results...)
	b.wantRefused(name, err)
}

func (b *board) wantRefused(name string, err error) {
	b.Helper()
	var f *minichain.Failure
	if !errors.As(err, &f) || len(f.Data) < 4 {
		b.Fatalf("%v, want %s", err, name)
	}
	contract, err := bindings.ScoreboardMetaData.ParseABI()
	b.ok(err)
	if e, err := contract.ErrorByID([4]byte(f.Data)); err != nil || e.Name != name {
		b.Fatalf("%x, want %s", f.Data, name)
	}
}

// scores fails unless the players have so many wins, losses and draws.
func (b *board) scores(want ...[3]uint64) {
	b.Helper()
	b.scoresAt(game, want...)
}

// scoresAt is scores at the game of these rules.
func (b *board) scoresAt(rules common.Address, want ...[3]uint64) {
	b.Helper()
	for i := range want {
		out, err := b.chain.Call(b.sender, b.at, scoreboard.PackScoreOf(b.seats[i].player.address, rules))
		b.ok(err)
		s, err := scoreboard.UnpackScoreOf(out)
		b.ok(err)
		if got := [3]uint64{s.Wins, s.Losses, s.Draws}; got != want[i] {
			b.Errorf("seat %d has %v wins, losses and draws, want %v", i, got, want[i])
		}
	}
}

// Results count for the players, one or many at once, whoever sends them, and after the channel is
// closed too.
func TestScoreboard(t *testing.T) {
	b := newScoreboard(t, 3)
	_, err := b.record(b.result(2<<8, 1, 2, 0))
	b.ok(err)
	b.scores([3]uint64{1, 0, 0}, [3]uint64{0, 1, 0}, [3]uint64{})
	_, err = b.record(b.result(5<<8, 4, 3, 0), b.result(5<<8|1, 0, 0, 5), b.result(8<<8, 2, 4, 1))
	b.ok(err)
	b.scores([3]uint64{1, 1, 2}, [3]uint64{1, 2, 0}, [3]uint64{1, 1, 1})
	b.must(onchain.Close{Terms: b.terms, Ledger: b.closing(17, stake, stake, stake)})
	_, err = b.record(b.result(11<<8, 6, 1, 0))
	b.ok(err)
	b.scores([3]uint64{1, 2, 2}, [3]uint64{2, 2, 0}, [3]uint64{2, 1, 1})
}

// A result counts once: not again alone, in a batch, with other content, or twice in one batch. The
// others of its batch do.
func TestAttack_Replay_Score(t *testing.T) {
	b := newScoreboard(t, 2)
	r := b.result(2<<8, 1, 2, 0)
	for range 2 {
		_, err := b.record(r)
		b.ok(err)
		_, err = b.record(r, r, b.result(2<<8, 2, 1, 0))
		b.ok(err)
	}
	b.scores([3]uint64{1, 0, 0}, [3]uint64{0, 1, 0})
	_, err := b.record(r, b.result(5<<8, 1, 2, 0))
	b.ok(err)
	b.scores([3]uint64{2, 0, 0}, [3]uint64{0, 2, 0})
	// Every nonce has a place of its own: versions and indexes around where places are shared out.
	var many []protocol.SignedResult
	for _, version := range []uint64{31, 32, 33, 63, 64, 1 << 40} {
		for _, index := range []uint64{0, 1, 7, 8, 255} {
			many = append(many, b.result(version<<8|index, 1, 2, 0))
		}
	}
	_, err = b.record(many...)
	b.ok(err)
	n := uint64(len(many)) + 2
	b.scores([3]uint64{n, 0, 0}, [3]uint64{0, n, 0})
}

// A result counts only with the signature of each seat's session signer: nobody's, another's, the
// player's own and those of other seats do not stand for it.
func TestAttack_ForgedScore(t *testing.T) {
	b := newScoreboard(t, 3)
	good := b.result(2<<8, 1, 2, 0)
	mallory := newKey("mallory")
	for name, forge := range map[string]func(*protocol.SignedResult){
		"no signature":       func(r *protocol.SignedResult) { r.Signatures = nil },
		"one signature":      func(r *protocol.SignedResult) { r.Signatures = r.Signatures[:1] },
		"the winner's twice": func(r *protocol.SignedResult) { r.Signatures[1] = r.Signatures[0] },
		"swapped":            func(r *protocol.SignedResult) { slices.Reverse(r.Signatures) },
		"a stranger's":       func(r *protocol.SignedResult) { r.Signatures[1] = mallory.sign(r.Digest(b.domain)) },
		"the player's":       func(r *protocol.SignedResult) { r.Signatures[1] = b.seats[1].player.sign(r.Digest(b.domain)) },
		"zeros":              func(r *protocol.SignedResult) { r.Signatures[1] = protocol.Signature{} },
		"the other way":      func(r *protocol.SignedResult) { r.Winners, r.Losers = r.Losers, r.Winners },
		"another game":       func(r *protocol.SignedResult) { r.Rules[0]++ },
		"another match":      func(r *protocol.SignedResult) { r.Nonce++ },
	} {
		r := good
		r.Signatures = slices.Clone(good.Signatures)
		forge(&r)
		t.Log(name)
		b.refuses("BadSignature", r)
	}
	for _, masks := range [][3]uint16{{}, {1, 0, 0}, {0, 0, 4}, {1, 1, 0}, {3, 2, 0}, {1, 2, 2}, {1, 8, 0}, {0x8000, 1, 0}} {
		b.refuses("BadResult", b.result(2<<8, masks[0], masks[1], masks[2]))
	}
	data, err := codec.Record(&b.terms, []protocol.SignedResult{good})
	b.ok(err)
	if _, err := b.chain.Send(minichain.Tx{From: b.sender, To: &b.at, Data: data[:len(data)-96]}); err == nil {
		t.Error("a result that is cut off counts")
	}
	b.scores([3]uint64{}, [3]uint64{}, [3]uint64{})
	_, err = b.record(good)
	b.ok(err)
}

// A session signer counts for the player who opened a channel with it, and for nobody else: terms
// that name another player with it were never opened, nor were those of another Arena.
func TestAttack_ForgedScore_Sessions(t *testing.T) {
	b := newScoreboard(t, 2)
	honest := b.terms
	b.terms.Players = slices.Clone(honest.Players)
	b.terms.Players[1] = newKey("victim").address
	b.id = b.terms.ID(b.domain)
	b.refuses("UnknownChannel", b.result(2<<8, 1, 2, 0))

	b.terms, b.id = honest, honest.ID(b.domain)
	elsewhere := b.domain
	elsewhere.Arena[0]++
	r := b.result(2<<8, 1, 2, 0)
	for i, s := range b.seats {
		r.Signatures[i] = s.signer.sign(r.Digest(elsewhere))
	}
	b.refuses("BadSignature", r)
	elsewhere = b.domain
	elsewhere.ChainID++
	for i, s := range b.seats {
		r.Signatures[i] = s.signer.sign(r.Digest(elsewhere))
	}
	b.refuses("BadSignature", r)
	b.scores([3]uint64{}, [3]uint64{})
}

// One channel's results keep no other's out.
func TestAttack_ForgedScore_OtherChannel(t *testing.T) {
	b := newScoreboard(t, 2)
	_, err := b.record(b.result(2<<8, 1, 2, 0))
	b.ok(err)
	b.bank(b.seats[0].player.address, eth, stake)
	b.bank(b.seats[1].player.address, eth, stake)
	b.setTerms(eth, func(t *protocol.Terms) { t.Salt = crypto.Keccak256Hash([]byte("another")) })
	b.open()
	_, err = b.record(b.result(2<<8, 2, 1, 0))
	b.ok(err)
	b.scores([3]uint64{1, 1, 0}, [3]uint64{1, 1, 0})
}

// gasOfScores: one result alone, the first of both players, and twenty more in one transaction, as
// a channel's matches have them (a ledger that locks and one that books each); and one that the
// Arena paid.
func gasOfScores(t *testing.T, used map[string]uint64) {
	b := newScoreboard(t, 2)
	_, r, err := b.chain.Deploy(b.sender, append(common.FromHex(bindings.ScoreboardMetaData.Bin), scoreboard.PackConstructor(b.arena)...))
	b.ok(err)
	used["deploy_scoreboard"] = r.GasUsed
	r, err = b.record(b.result(2<<8, 1, 2, 0))
	b.ok(err)
	used["score_1"] = r.GasUsed
	var many []protocol.SignedResult
	for i := range uint64(20) {
		many = append(many, b.result((4+2*i)<<8, 1, 2, 0))
	}
	r, err = b.record(many...)
	b.ok(err)
	used["score_20"] = r.GasUsed

	paid, m := boardMatch(t, 2)
	m.play(toy.Win(1))
	paid.must(m.advance(m.support(0, 1, m.everyone(0), m.everyone(1))))
	paid.paid(m)
	r, err = paid.recordPaid(m, nil)
	paid.ok(err)
	used["score_paid"] = r.GasUsed
}
