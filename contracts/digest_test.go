package contracts_test

import (
	"bytes"
	"encoding/binary"
	"math/big"
	"slices"
	"testing"

	"github.com/ante-games/ante/channel"
	"github.com/ante-games/ante/contracts/bindings/testbindings"
	"github.com/ante-games/ante/contracts/minichain"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/holiman/uint256"
	"pgregory.net/rapid"
)

// judge is a chain with the Arena's hashing and signature predicate on it.
type judge struct {
	*testing.T
	chain *minichain.Chain
	at    common.Address
	abi   *testbindings.SignedStructs
}

func newJudge(t *testing.T) *judge {
	t.Helper()
	chain, err := minichain.New(chainID)
	if err != nil {
		t.Fatal(err)
	}
	at, _, err := chain.Deploy(newKey("deployer").address, common.FromHex(testbindings.SignedStructsMetaData.Bin))
	if err != nil {
		t.Fatal(err)
	}
	return &judge{T: t, chain: chain, at: at, abi: testbindings.NewSignedStructs()}
}

func (j *judge) ask(data []byte) common.Hash {
	j.Helper()
	out, err := j.chain.Call(j.at, j.at, data)
	if err != nil || len(out) != 32 {
		j.Fatalf("%x: %v", out, err)
	}
	return common.Hash(out)
}

// TestDigestsAgree compares what Go and Solidity say is signed, for every struct: 1,500 draws of eight digests each.
func TestDigestsAgree(t *testing.T) {
	j := newJudge(t)
	compared := 0
	check := func(t *rapid.T, what string, inGo common.Hash, data []byte) {
		if inSolidity := j.ask(data); inGo != inSolidity {
			t.Fatalf("%s: %s in Go, %s in Solidity", what, inGo, inSolidity)
		}
		compared++
	}
	draw := func(t *rapid.T) {
		d := channel.Domain{ChainID: rapid.Uint64().Draw(t, "chain"), Arena: drawAddress(t)}
		domain := d.Separator()
		terms := drawTerms(t)
		check(t, "terms", terms.ID(d), j.abi.PackTerms(domain, packTerms(&terms)))
		id := drawHash(t)
		l := drawLedger(t, id)
		check(t, "ledger", l.Digest(d), j.abi.PackLedger(domain, id, packLedger(&l)))
		seats := rapid.SliceOfNDistinct(rapid.Byte(), 2, 16, rapid.ID[byte]).Draw(t, "seats")
		slices.Sort(seats)
		m := channel.MatchTerms{
			ChannelID: id, Nonce: rapid.Uint64().Draw(t, "nonce"), Rules: drawAddress(t), Seats: seats,
			Stakes: drawSome(t, len(seats)), Params: rapid.SliceOfN(rapid.Byte(), 0, 200).Draw(t, "params"),
		}
		check(t, "match terms", m.ID(d), j.abi.PackMatchTerms(domain, id, packMatch(&m)))
		turn, state := rapid.Uint64().Draw(t, "turn"), drawHash(t)
		check(t, "position", channel.Position{MatchID: id, Turn: channel.Turn(turn), State: state}.Digest(d),
			j.abi.PackPosition(domain, id, turn, state))
		a := channel.Agreement{MatchID: id, Turn: channel.Turn(turn), Payouts: drawAmounts(t)}
		check(t, "agreement", a.Digest(d), j.abi.PackAgreement(domain, id, turn, bigs(a.Payouts)))
		check(t, "contest", channel.Contest{ChannelID: id, Version: turn}.Digest(d), j.abi.PackContest(domain, id, turn))
		check(t, "demand", channel.Demand{MatchID: id, Turn: channel.Turn(turn)}.Digest(d), j.abi.PackDemand(domain, id, turn))
	}
	for range 15 {
		rapid.Check(t, draw) // 100 draws each
	}
	if compared < 10_000/effort() {
		t.Errorf("compared %d digests", compared)
	}
}

// effort is by how much less rapid tries under go test -short.
func effort() int {
	if testing.Short() {
		return 5
	}
	return 1
}

// TestSignaturePredicatesAgree compares what Go and Solidity recover from good, bent and random signatures.
func TestSignaturePredicatesAgree(t *testing.T) {
	j := newJudge(t)
	good, bad := 0, 0
	draw := func(t *rapid.T) {
		digest := drawHash(t)
		k := newKey(rapid.StringN(1, 8, -1).Draw(t, "key"))
		raw := bend(t, k.sign(digest))
		var inGo common.Address
		if s, err := channel.ParseSignature(raw); err == nil {
			inGo, _ = s.Recover(digest)
		}
		inSolidity := common.BytesToAddress(j.ask(j.abi.PackRecover(digest, raw, new(big.Int))).Bytes())
		if len(raw) > 65 {
			inSolidity = common.Address{} // recover reads a signature out of a longer string; byAccount minds the length
		}
		if inGo != inSolidity {
			t.Fatalf("%x of %s: %s in Go, %s in Solidity", raw, digest, inGo, inSolidity)
		}
		accepted := j.ask(j.abi.PackByAccount(k.address, digest, raw)) != common.Hash{}
		if s, err := channel.ParseSignature(raw); accepted != (err == nil && s.Verify(digest, k.address) == nil) {
			t.Fatalf("%x of %s: Solidity accepts: %v", raw, digest, accepted)
		}
		if accepted {
			good++
		} else {
			bad++
		}
	}
	for range 20 {
		rapid.Check(t, draw)
	}
	if good < 200/effort() || bad < 500/effort() {
		t.Errorf("only %d good and %d bad signatures were tried", good, bad)
	}
}

// bend returns a signature, or something that is nearly one.
func bend(t *rapid.T, s channel.Signature) []byte {
	n := crypto.S256().Params().N
	word := func(at int, v *big.Int) []byte {
		v.FillBytes(s[at : at+32])
		return s[:]
	}
	half := new(big.Int).Rsh(n, 1)
	switch rapid.IntRange(0, 15).Draw(t, "bend") {
	case 0:
		s = highS(s)
	case 1:
		s[64] = rapid.SampledFrom([]byte{0, 1, 26, 29, 27 + 35, 28 + 35, 255}).Draw(t, "v")
	case 2:
		return word(0, new(big.Int))
	case 3:
		return word(32, new(big.Int))
	case 4:
		return word(0, new(big.Int).Add(n, big.NewInt(rapid.Int64Range(-2, 2).Draw(t, "r"))))
	case 5:
		return word(32, new(big.Int).Add(n, big.NewInt(rapid.Int64Range(-2, 2).Draw(t, "s"))))
	case 6:
		return word(32, half.Add(half, big.NewInt(rapid.Int64Range(-2, 2).Draw(t, "s"))))
	case 7:
		return s[:rapid.IntRange(0, 64).Draw(t, "length")]
	case 8:
		return append(s[:], rapid.SliceOfN(rapid.Byte(), 1, 40).Draw(t, "tail")...)
	case 9:
		s[rapid.IntRange(0, 64).Draw(t, "at")] ^= 1 << rapid.IntRange(0, 7).Draw(t, "bit")
	case 10:
		return rapid.SliceOfN(rapid.Byte(), 65, 65).Draw(t, "random")
	case 11:
		s[64] = 27 + 28 - s[64]
	case 12:
		return bytes.Repeat([]byte{0xff}, 65)
	}
	return s[:]
}

// The layouts of contracts/src/Types.sol, written a second time so that the codec is not its own judge.

func packTerms(c *channel.Terms) []byte {
	out := append([]byte{byte(len(c.Players))}, c.Asset[:]...)
	out = binary.BigEndian.AppendUint64(out, c.Window)
	for _, a := range slices.Concat(c.Players, c.Signers) {
		out = append(out, a[:]...)
	}
	out = binary.BigEndian.AppendUint64(appendAmounts(out, c.Deposits), c.OpenBy)
	return append(out, c.Salt[:]...)
}

func packLedger(l *channel.Ledger) []byte {
	out := append(binary.BigEndian.AppendUint64(nil, l.Version), 0, byte(len(l.Balances)))
	if l.Closing {
		out[8] = 1
	}
	out = append(appendAmounts(out, l.Balances), byte(len(l.Locks)))
	for _, lock := range l.Locks {
		out = append(out, lock.MatchID[:]...)
		out = appendAmounts(append(out, byte(len(lock.Stakes))), lock.Stakes)
	}
	return out
}

func packMatch(m *channel.MatchTerms) []byte {
	out := append(binary.BigEndian.AppendUint64(nil, m.Nonce), m.Rules[:]...)
	out = append(append(out, byte(len(m.Seats))), m.Seats...)
	return append(appendAmounts(out, m.Stakes), m.Params...)
}

func appendAmounts(out []byte, list []uint256.Int) []byte {
	for i := range list {
		word := list[i].Bytes32()
		out = append(out, word[:]...)
	}
	return out
}

func drawHash(t *rapid.T) common.Hash {
	return common.Hash(rapid.SliceOfN(rapid.Byte(), 32, 32).Draw(t, "hash"))
}

func drawAddress(t *rapid.T) common.Address {
	return common.Address(rapid.SliceOfN(rapid.Byte(), 20, 20).Draw(t, "address"))
}

func drawAmounts(t *rapid.T) []uint256.Int {
	return drawSome(t, rapid.IntRange(0, 16).Draw(t, "amounts"))
}

func drawSome(t *rapid.T, n int) []uint256.Int {
	list := make([]uint256.Int, n)
	for i := range list {
		list[i].SetBytes(rapid.SliceOfN(rapid.Byte(), 0, 32).Draw(t, "amount"))
	}
	return list
}

func drawTerms(t *rapid.T) channel.Terms {
	n := rapid.IntRange(0, 16).Draw(t, "seats")
	return channel.Terms{
		Players: rapid.SliceOfN(rapid.Custom(drawAddress), n, n).Draw(t, "players"),
		Signers: rapid.SliceOfN(rapid.Custom(drawAddress), n, n).Draw(t, "signers"),
		Asset:   drawAddress(t), Deposits: drawSome(t, n),
		Window: rapid.Uint64().Draw(t, "window"), OpenBy: rapid.Uint64().Draw(t, "openBy"), Salt: drawHash(t),
	}
}

func drawLedger(t *rapid.T, id common.Hash) channel.Ledger {
	l := channel.Ledger{
		ChannelID: id, Version: rapid.Uint64().Draw(t, "version"), Closing: rapid.Bool().Draw(t, "closing"),
		Balances: drawAmounts(t),
	}
	for range rapid.IntRange(0, 4).Draw(t, "locks") {
		l.Locks = append(l.Locks, channel.Lock{MatchID: drawHash(t), Stakes: drawAmounts(t)})
	}
	return l
}

func bigs(list []uint256.Int) []*big.Int {
	out := make([]*big.Int, len(list))
	for i := range list {
		out[i] = list[i].ToBig()
	}
	return out
}
