package contracts_test

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"slices"
	"testing"

	"github.com/ante-games/ante/chain/codec"
	"github.com/ante-games/ante/contracts/bindings"
	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/games/evm"
	"github.com/ante-games/ante/games/gametest/toy"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/onchain"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
)

// These tests hold bounds to the unit: the last that is taken, and the first that is not.

// answering puts a contract on the chain that answers, whatever it is told, with these very bytes:
// calls whose one argument is dynamic (start, mover), and all others.
func (tb *table) answering(one, others []byte) common.Address {
	tb.Helper()
	two := func(n int) []byte { return binary.BigEndian.AppendUint16(nil, uint16(n)) }
	// PUSH2 size PUSH2 from PUSH0 CODECOPY PUSH2 size PUSH0 RETURN
	give := func(from int, b []byte) []byte {
		size := two(len(b))
		return slices.Concat([]byte{0x61}, size, []byte{0x61}, two(from), []byte{0x5f, 0x39, 0x61}, size, []byte{0x5f, 0xf3})
	}
	const code = 10 + 13 + 1 + 13
	runtime := slices.Concat(
		// if the first argument lies at 0x20
		[]byte{0x60, 4, 0x35, 0x60, 0x20, 0x14, 0x61, 0, 10 + 13, 0x57},
		give(code+len(one), others), []byte{0x5b}, give(code, one), one, others,
	)
	creation := slices.Concat([]byte{0x61}, two(len(runtime)), []byte{0x80, 0x60, 10, 0x5f, 0x39, 0x5f, 0xf3}, runtime)
	return tb.deploy(hex.EncodeToString(creation), nil)
}

// encoded returns numbers as words.
func encoded(list ...int) (b []byte) {
	for _, n := range list {
		b = binary.BigEndian.AppendUint64(append(b, make([]byte, 24)...), uint64(n))
	}
	return b
}

// answered is a match of two under rules that answer so, which starts with a state.
func answered(t *testing.T, one, others, state, params []byte) (*table, *match) {
	t.Helper()
	tb := newTable(t, 2).open()
	m := tb.matchOf(toy.Rules{}, protocol.MatchTerms{
		ChannelID: tb.id, Nonce: 2 << 8, Rules: tb.answering(one, others), Seats: []uint8{0, 1},
		Stakes: amounts(stake/2, stake/2), Params: params,
	})
	m.line = []position{{state: state}}
	tb.ledger(2, []uint64{stake / 2, stake / 2}, m)
	return tb, m
}

// Rules may return a state of so many bytes, where it is due, and nothing else than the encoding of
// it and of a mover.
func TestStatesThatRulesReturn(t *testing.T) {
	full := bytes.Repeat([]byte{7}, games.MaxState)
	for name, tc := range map[string]struct {
		answer, state []byte
		fine          bool
	}{
		"longest":             {append(encoded(0x40, 1, games.MaxState), full...), full, true},
		"a byte more":         {append(append(encoded(0x40, 1, games.MaxState), full...), 0), full, false},
		"empty":               {encoded(0x40, 1, 0), nil, true},
		"no length":           {encoded(0x40, 1, 0)[:95], nil, false},
		"not padded":          {append(encoded(0x40, 1, 1), 7), []byte{7}, true},
		"longer than told":    {append(encoded(0x40, 1, 2), 7), []byte{7}, false},
		"elsewhere":           {append(encoded(0x41, 1, 1), 7), []byte{7}, false},
		"the chain moves":     {append(encoded(0x40, int(games.Chance), 1), 7), []byte{7}, true},
		"nobody moves":        {append(encoded(0x40, int(games.Nobody), 1), 7), []byte{7}, true},
		"a seat that isn't":   {append(encoded(0x40, 2, 1), 7), []byte{7}, false},
		"nearly the chain":    {append(encoded(0x40, int(games.Chance)-1, 1), 7), []byte{7}, false},
		"more than a seat is": {append(encoded(0x40, 256, 1), 7), []byte{7}, false},
	} {
		t.Run(name, func(t *testing.T) {
			tb, m := answered(t, tc.answer, nil, tc.state, nil)
			tb.must(m.advance(m.support(0, 0), m.demand(0, 1)))
			want := protocol.MatchFinal // void
			if tc.fine {
				want = protocol.MatchUnsigned
			}
			if r := m.record(); r.Status != want {
				t.Errorf("record %+v", *r)
			}
		})
	}
}

// So with movers.
func TestMoversThatRulesReturn(t *testing.T) {
	for name, tc := range map[string]struct {
		answer []byte
		fine   bool
	}{
		"a word":              {encoded(1), true},
		"less":                {encoded(1)[:31], false},
		"nothing":             {nil, false},
		"much":                {append(encoded(1), make([]byte, games.MaxState+96-32)...), true},
		"too much":            {append(encoded(1), make([]byte, games.MaxState+96-31)...), false},
		"a seat that isn't":   {encoded(2), false},
		"more than a seat is": {encoded(256), false},
	} {
		t.Run(name, func(t *testing.T) {
			tb, m := answered(t, tc.answer, nil, []byte{7}, nil)
			a := m.advance(m.support(0, 0, m.everyone(0)))
			if tc.fine {
				tb.must(a)
			} else {
				tb.refused(codec.ErrRulesFailed, a)
			}
		})
	}
}

// And with outcomes.
func TestOutcomesThatRulesReturn(t *testing.T) {
	for name, tc := range map[string]struct {
		answer []byte
		fine   bool
	}{
		"an outcome":         {encoded(0x60, 0, 0, 2, stake, 0), true},
		"less":               {encoded(0x60, 0, 0, 2, stake, 0)[:191], false},
		"much":               {append(encoded(0x60, 0, 0, 2, stake, 0), make([]byte, games.MaxState+96-192)...), true},
		"too much":           {append(encoded(0x60, 0, 0, 2, stake, 0), make([]byte, games.MaxState+96-191)...), false},
		"elsewhere":          {encoded(0x61, 0, 0, 2, stake, 0), false},
		"all guilty":         {encoded(0x60, 3, 0, 2, stake, 0), true},
		"guilty who isn't":   {encoded(0x60, 4, 0, 2, stake, 0), false},
		"of one":             {encoded(0x60, 0, 0, 1, stake, 0), false},
		"of three":           {encoded(0x60, 0, 0, 3, stake, 0, 0), false},
		"less than the pot":  {encoded(0x60, 0, 0, 2, stake-1, 0), false},
		"more than is there": {encoded(0x60, 0, 0, 2, stake, 1), false},
	} {
		t.Run(name, func(t *testing.T) {
			tb, m := answered(t, encoded(int(games.Nobody)), tc.answer, []byte{7}, nil)
			a := m.advance(m.support(0, 0, m.everyone(0)))
			if !tc.fine {
				tb.refused(codec.ErrRulesFailed, a)
				return
			}
			tb.must(a)
			m.pays(stake, 0)
		})
	}
}

// The longest state, move and parameters are judged; what is a byte longer is not.
func TestLengthsThatAreJudged(t *testing.T) {
	for more := range 2 {
		t.Run(fmt.Sprintf("%d more", more), func(t *testing.T) {
			check := func(tb *table, a onchain.Action, want error) {
				t.Helper()
				if more == 0 {
					tb.must(a)
				} else {
					tb.refused(want, a)
				}
			}
			tb, m := newMatch(t, 2)
			m.play(toy.Pass(1, make([]byte, games.MaxMove-2+more)...))
			check(tb, m.advance(m.support(0, 1, m.everyone(0))), codec.ErrBadSupport)

			tb, m = answered(t, encoded(1), nil, make([]byte, games.MaxState+more), nil)
			check(tb, m.advance(m.support(0, 0, m.everyone(0))), codec.ErrBadSupport)

			tb, m = answered(t, encoded(1), nil, []byte{7}, make([]byte, protocol.MaxParams+more))
			check(tb, m.advance(m.support(0, 0, m.everyone(0))), codec.ErrBadTerms)
		})
	}
}

// A contract wallet has signed if it answers with a word that says so, and with nothing less or
// else.
func TestWalletsThatAnswer(t *testing.T) {
	magic := append([]byte{0x16, 0x26, 0xba, 0x7e}, make([]byte, 28)...)
	for name, tc := range map[string]struct {
		answer []byte
		fine   bool
	}{
		"a word":        {magic, true},
		"more":          {append(magic, 1), true},
		"less":          {magic[:31], false},
		"another word":  {append(slices.Clone(magic[:31]), 1), false},
		"the low bytes": {append(make([]byte, 28), magic[:4]...), false},
	} {
		t.Run(name, func(t *testing.T) {
			tb := newTable(t, 2)
			wallet := tb.answering(nil, tc.answer)
			tb.chain.Fund(tb.sender, &amounts(stake)[0])
			tb.must(onchain.Deposit{Account: wallet, Amount: amounts(stake)[0]})
			tb.setTerms(eth, func(t *protocol.Terms) { t.Players[0] = wallet })
			if tc.fine {
				tb.open()
			} else {
				tb.refused(codec.ErrBadSignature, tb.opening())
			}
		})
	}
}

// An Arena may have windows of four units at least, of one length, and as long as its deadlines
// allow.
func TestArenasThatCanBe(t *testing.T) {
	tb := bareTable(t, 2)
	for bounds, fine := range map[[2]uint64]bool{
		{4, 4}: true, {3, 4}: false, {8, 1<<40 - 1}: true, {8, 1 << 40}: false,
	} {
		code := append(common.FromHex(bindings.ArenaMetaData.Bin), arenaABI.PackConstructor(true, bounds[0], bounds[1])...)
		if _, _, err := tb.chain.Deploy(tb.sender, code); (err == nil) != fine {
			t.Errorf("an Arena with windows of %d to %d: %v", bounds[0], bounds[1], err)
		}
	}
}

// hashing is the code of rules whose states are the hashes of the calls that made them: each move
// leads to the hash of what play was told, and the first seat is to move.
const hashing = "602c8060095f395ff3" +
	"600435606014601057" + "5f5f5260205ff3" + // not told three arguments, so no play: seat 0
	"5b365f5f37365f20" + "60605260405f525f602052602060405260805ff3" // the hash, encoded

// expiring is the code of rules that hash what expire was told, instead.
var expiring = "603180" + "60095f395ff3" +
	"5f3560e01c63" + hex.EncodeToString(bindings.NewIRules().GetABI().Methods["expire"].ID) + "14601557" + "5f5f5260205ff3" +
	"5b365f5f37365f20" + "60605260405f525f602052602060405260805ff3"

// told is the call of a method with a state, and a move if it takes one, with the context's lists
// before its parameters.
func (m *match) told(method string, c *games.Context, list ...[]byte) []byte {
	padded := func(b []byte) []byte {
		return slices.Concat(encoded(len(b)), b, make([]byte, -len(b)&31))
	}
	stakes, signers := encoded(len(c.Stakes)), encoded(len(c.Signers))
	for i := range c.Stakes {
		stake := c.Stakes[i].Bytes32()
		stakes = append(stakes, stake[:]...)
		signers = append(signers, common.LeftPadBytes(c.Signers[i][:], 32)...)
	}
	tail := slices.Concat(c.MatchID[:], encoded(0xe0+len(stakes)+len(signers), 0xe0, 0xe0+len(stakes)), c.Domain[:],
		encoded(int(c.Signed), int(c.Recorded)), stakes, signers, padded(c.Params))
	start := 32 * (1 + len(list))
	head := encoded(start)
	for _, b := range list {
		head = append(head, encoded(start+len(tail))...)
		tail = append(tail, padded(b)...)
	}
	return slices.Concat(bindings.NewIRules().GetABI().Methods[method].ID, head, tail)
}

// What rules are told is the ABI's encoding of it to the last byte, whatever the lengths of
// parameters, state and move.
func TestRulesAreToldExactly(t *testing.T) {
	tb := newTable(t, 2).open()
	rules := tb.deploy(hashing, nil)
	rewind := tb.checkpoint()
	lengths := []int{0, 1, 31, 32, 33, 64, 65}
	for _, params := range lengths {
		for _, state := range lengths {
			for _, move := range lengths {
				rewind()
				fill := func(n int) []byte { return bytes.Repeat([]byte{0xff}, n) }
				m := tb.matchOf(toy.Rules{}, protocol.MatchTerms{
					ChannelID: tb.id, Nonce: 2 << 8, Rules: rules, Seats: []uint8{0, 1}, Stakes: amounts(stake/2, stake/2), Params: fill(params),
				})
				told := m.told("play", m.context(3, 0), fill(state), fill(move))
				m.line = []position{{state: fill(state)}, {turn: 1, state: crypto.Keccak256(told), move: fill(move)}}
				tb.ledger(2, []uint64{stake / 2, stake / 2}, m)
				tb.must(m.advance(m.support(0, 1, m.everyone(0))))
			}
		}
	}
}

// Code that is a function of its input judges in a node as it does in the Arena: it is told the
// same bytes.
func TestAttack_BadRules_Told(t *testing.T) {
	tb := newTable(t, 2).open()
	contract := func(init string) *evm.Contract {
		c, err := evm.Deploy(common.FromHex(init))
		tb.ok(err)
		return c
	}
	params, state, move := []byte{1, 2, 3}, []byte("state"), []byte("move")
	of := func(nonce uint64, rules common.Address) *match {
		m := tb.matchOf(toy.Rules{}, protocol.MatchTerms{
			ChannelID: tb.id, Nonce: nonce, Rules: rules, Seats: []uint8{0, 1}, Stakes: amounts(stake/4, stake/4), Params: params,
		})
		m.line = []position{{state: state}}
		return m
	}
	played, silent := of(2<<8, tb.deploy(hashing, nil)), of(2<<8|1, tb.deploy(expiring, nil))
	tb.ledger(2, []uint64{stake / 2, stake / 2}, played, silent)

	p, err := contract(hashing).Play(played.context(3, 0), state, move)
	tb.ok(err)
	played.line = append(played.line, position{turn: 1, state: p.State, move: move})
	tb.must(played.advance(played.support(0, 1, played.everyone(0))))

	tb.must(silent.advance(silent.support(0, 0, silent.everyone(0)), silent.demand(0, 1)))
	if p, err = contract(expiring).Expire(silent.context(3, silent.record().Block), state); err != nil {
		t.Fatal(err)
	}
	tb.until(silent.record().Deadline, 0)
	tb.must(silent.expire(0))
	if silent.record().State != hash(p.State) {
		t.Error("expire is told something else in a node")
	}
}

// Rules that decide what silence means are told who signed, and since when that is recorded.
func TestAttack_Withhold_Told(t *testing.T) {
	tb := newTable(t, 2).open()
	m := tb.matchOf(toy.Rules{}, protocol.MatchTerms{
		ChannelID: tb.id, Nonce: 2 << 8, Rules: tb.deploy(expiring, nil), Seats: []uint8{0, 1}, Stakes: amounts(stake/2, stake/2),
	})
	m.line = []position{{state: []byte("silent")}}
	tb.ledger(2, []uint64{stake / 2, stake / 2}, m)
	tb.must(m.advance(m.support(0, 0, m.everyone(0)), m.demand(0, 1)))
	want := crypto.Keccak256(m.told("expire", m.context(3, m.record().Block), m.at(0).state))
	tb.until(m.record().Deadline, 0)
	tb.must(m.expire(0))
	if m.record().State != hash(want) {
		t.Errorf("expire was not told what is so: %+v", *m.record())
	}
}
