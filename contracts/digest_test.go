package contracts_test

import (
	"bytes"
	"encoding/binary"
	"flag"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/ante-games/ante/contracts/bindings/testbindings"
	"github.com/ante-games/ante/contracts/minichain"
	"github.com/ante-games/ante/protocol"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/holiman/uint256"
	"pgregory.net/rapid"
)

// judge is a chain with the Arena's hashing and signature predicate on it.
type judge struct {
	testing.TB
	chain *minichain.Chain
	at    common.Address
	abi   *testbindings.SignedStructs

	compared, good, bad int
}

func newJudge(t testing.TB) *judge {
	t.Helper()
	chain, err := minichain.New(chainID)
	if err != nil {
		t.Fatal(err)
	}
	at, _, err := chain.Deploy(newKey("deployer").address, common.FromHex(testbindings.SignedStructsMetaData.Bin))
	if err != nil {
		t.Fatal(err)
	}
	return &judge{TB: t, chain: chain, at: at, abi: testbindings.NewSignedStructs()}
}

func (j *judge) ask(t *rapid.T, data []byte) common.Hash {
	t.Helper()
	out, err := j.chain.Call(j.at, j.at, data)
	if err != nil || len(out) != 32 {
		t.Fatalf("%x: %v", out, err)
	}
	return common.Hash(out)
}

// How much is compared. make agreement compares far more.
var (
	digestsFlag    = flag.Int("contracts.digests", 10_000, "compare this many digests in Go and Solidity")
	signaturesFlag = flag.Int("contracts.signatures", 2_000, "compare this many signatures in Go and Solidity, good ones and bad ones")
)

// TestDigestsAgree compares what Go and Solidity say is signed, for every struct.
func TestDigestsAgree(t *testing.T) {
	j := newJudge(t)
	for j.compared < *digestsFlag {
		rapid.Check(t, j.digests)
	}
	t.Logf("%d digests", j.compared)
}

func FuzzDigests(f *testing.F) {
	seedDraws(f, 8192)
	f.Fuzz(rapid.MakeFuzz(newJudge(f).digests))
}

// seedDraws starts the fuzzer with enough bytes for what is drawn.
func seedDraws(f *testing.F, n int) {
	for i := range byte(8) {
		b := make([]byte, n)
		_, _ = rand.NewChaCha8([32]byte{i}).Read(b) // never fails
		f.Add(b)
	}
}

// digests compares one digest of every struct.
func (j *judge) digests(t *rapid.T) {
	check := func(what string, inGo common.Hash, data []byte) {
		if inSolidity := j.ask(t, data); inGo != inSolidity {
			t.Fatalf("%s: %s in Go, %s in Solidity", what, inGo, inSolidity)
		}
		j.compared++
	}
	d := protocol.Domain{ChainID: rapid.Uint64().Draw(t, "chain"), Arena: drawAddress(t)}
	domain := d.Separator()
	terms := drawTerms(t)
	check("terms", terms.ID(d), j.abi.PackTerms(domain, packTerms(&terms)))
	id := drawHash(t)
	l := drawLedger(t, id)
	check("ledger", l.Digest(d), j.abi.PackLedger(domain, id, packLedger(&l)))
	seats := rapid.SliceOfNDistinct(rapid.Byte(), 2, 16, rapid.ID[byte]).Draw(t, "seats")
	slices.Sort(seats)
	m := protocol.MatchTerms{
		ChannelID: id, Nonce: rapid.Uint64().Draw(t, "nonce"), Rules: drawAddress(t), Seats: seats,
		Stakes: drawSome(t, len(seats)), Params: rapid.SliceOfN(rapid.Byte(), 0, 200).Draw(t, "params"),
	}
	check("match terms", m.ID(d), j.abi.PackMatchTerms(domain, id, packMatch(&m)))
	turn, state := rapid.Uint64().Draw(t, "turn"), drawHash(t)
	check("position", protocol.Position{MatchID: id, Turn: protocol.Turn(turn), State: state}.Digest(d),
		j.abi.PackPosition(domain, id, turn, state))
	a := protocol.Agreement{MatchID: id, Turn: protocol.Turn(turn), Payouts: drawAmounts(t)}
	check("agreement", a.Digest(d), j.abi.PackAgreement(domain, id, turn, bigs(a.Payouts)))
	check("contest", protocol.Contest{ChannelID: id, Version: turn}.Digest(d), j.abi.PackContest(domain, id, turn))
	check("demand", protocol.Demand{MatchID: id, Turn: protocol.Turn(turn)}.Digest(d), j.abi.PackDemand(domain, id, turn))
}

// TestSignaturePredicatesAgree compares what Go and Solidity recover from good, bent and random
// signatures.
func TestSignaturePredicatesAgree(t *testing.T) {
	j := newJudge(t)
	for j.good+j.bad < *signaturesFlag {
		rapid.Check(t, j.signature)
	}
	if n := j.good + j.bad; j.good < n/10 || j.bad < n/4 {
		t.Errorf("only %d good and %d bad signatures were tried", j.good, j.bad)
	}
	t.Logf("%d good signatures, %d bad ones", j.good, j.bad)
}

func FuzzSignatures(f *testing.F) {
	seedDraws(f, 1024)
	f.Fuzz(rapid.MakeFuzz(newJudge(f).signature))
}

// signature compares what becomes of one signature.
func (j *judge) signature(t *rapid.T) {
	digest := drawHash(t)
	k := newKey(rapid.StringN(1, 8, -1).Draw(t, "key"))
	raw := bend(t, k.sign(digest))
	var inGo common.Address
	if s, err := protocol.ParseSignature(raw); err == nil {
		inGo, _ = s.Recover(digest)
	}
	inSolidity := common.BytesToAddress(j.ask(t, j.abi.PackRecover(digest, raw, new(big.Int))).Bytes())
	if len(raw) > 65 {
		// recover reads a signature out of a longer string; byAccount minds the length
		inSolidity = common.Address{}
	}
	if inGo != inSolidity {
		t.Fatalf("%x of %s: %s in Go, %s in Solidity", raw, digest, inGo, inSolidity)
	}
	accepted := j.ask(t, j.abi.PackByAccount(k.address, digest, raw)) != common.Hash{}
	if s, err := protocol.ParseSignature(raw); accepted != (err == nil && s.Verify(digest, k.address) == nil) {
		t.Fatalf("%x of %s: Solidity accepts: %v", raw, digest, accepted)
	}
	if accepted {
		j.good++
	} else {
		j.bad++
	}
}

// bend returns a signature, or something that is nearly one.
func bend(t *rapid.T, s protocol.Signature) []byte {
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

// The layouts of contracts/src/Types.sol, written a second time so that the codec is not its own
// judge.

func packTerms(c *protocol.Terms) []byte {
	out := append([]byte{byte(len(c.Players))}, c.Asset[:]...)
	out = binary.BigEndian.AppendUint64(out, c.Window)
	for _, a := range slices.Concat(c.Players, c.Signers) {
		out = append(out, a[:]...)
	}
	out = binary.BigEndian.AppendUint64(appendAmounts(out, c.Deposits), c.OpenBy)
	return append(out, c.Salt[:]...)
}

func packLedger(l *protocol.Ledger) []byte {
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

func packMatch(m *protocol.MatchTerms) []byte {
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

func drawTerms(t *rapid.T) protocol.Terms {
	n := rapid.IntRange(0, 16).Draw(t, "seats")
	return protocol.Terms{
		Players: rapid.SliceOfN(rapid.Custom(drawAddress), n, n).Draw(t, "players"),
		Signers: rapid.SliceOfN(rapid.Custom(drawAddress), n, n).Draw(t, "signers"),
		Asset:   drawAddress(t), Deposits: drawSome(t, n),
		Window: rapid.Uint64().Draw(t, "window"), OpenBy: rapid.Uint64().Draw(t, "openBy"), Salt: drawHash(t),
	}
}

func drawLedger(t *rapid.T, id common.Hash) protocol.Ledger {
	l := protocol.Ledger{
		ChannelID: id, Version: rapid.Uint64().Draw(t, "version"), Closing: rapid.Bool().Draw(t, "closing"),
		Balances: drawAmounts(t),
	}
	for range rapid.IntRange(0, 4).Draw(t, "locks") {
		l.Locks = append(l.Locks, protocol.Lock{MatchID: drawHash(t), Stakes: drawAmounts(t)})
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
