package evm

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"math/big"
	"strings"
	"testing"

	"github.com/ante-games/ante/games"
	"github.com/ethereum/go-ethereum/accounts/abi"
	"github.com/ethereum/go-ethereum/common"
	"github.com/google/go-cmp/cmp"
	"github.com/holiman/uint256"
)

var context = &games.Context{
	MatchID:  common.HexToHash("0x1234"),
	Params:   []byte{1, 2, 3},
	Stakes:   []uint256.Int{*uint256.NewInt(5), *new(uint256.Int).SetAllOne()},
	Signers:  []common.Address{{1}, {2}},
	Domain:   common.HexToHash("0x99"),
	Signed:   3,
	Recorded: 1 << 40,
}

// at is the contract of some hand-written code.
func at(t *testing.T, code string) *Contract {
	t.Helper()
	b, err := hex.DecodeString(strings.ReplaceAll(code, " ", ""))
	if err != nil {
		t.Fatal(err)
	}
	c, err := At(b)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// returning is code that returns the given words.
func returning(words ...string) string {
	code := ""
	for i, w := range words {
		code += fmt.Sprintf("7f%064s 61%04x 52", w, 32*i) // PUSH32 word PUSH2 at MSTORE
	}
	return code + fmt.Sprintf("61%04x 6000 f3", 32*len(words))
}

// Every call of every hostile contract is an error that wraps ErrIllegal.
func refuses(t *testing.T, c *Contract) {
	t.Helper()
	r := c.Rules()
	_, start := r.Start(context)
	_, play := r.Play(context, []byte{1}, []byte{2})
	_, expire := r.Expire(context, []byte{1})
	_, mover := r.Mover([]byte{1})
	_, outcome := r.Outcome([]byte{1}, context.Stakes[:1])
	for name, err := range map[string]error{"start": start, "play": play, "expire": expire, "mover": mover, "outcome": outcome} {
		if !errors.Is(err, games.ErrIllegal) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestAttack_BadRules(t *testing.T) {
	for name, code := range map[string]string{
		"reverts":              "6000 6000 fd",
		"invalid":              "fe",
		"returns nothing":      "00",
		"short":                "60ff 6000 52 601f 6000 f3",
		"writes storage":       "6001 6000 55 " + returning("40", "ff", "0"),
		"logs":                 "6000 6000 a0 " + returning("40", "ff", "0"),
		"creates":              "6000 6000 6000 f0 " + returning("40", "ff", "0"),
		"wild offset":          returning("ffffffff", "1", "0", "0"),
		"wild length":          returning("40", "8000000000000000", "8000000000000000", "8000000000000000"),
		"nobody's seat":        returning("40", "2", "0"),
		"negative":             returning(strings.Repeat("f", 64), strings.Repeat("f", 64), "0", "0"),
		"length behind itself": returning("40", "a0", "21", "0"),
	} {
		t.Run(name, func(t *testing.T) { refuses(t, at(t, code)) })
	}
}

// TestAttack_BadRules_AnyInstruction: a constructor, which nobody vets, may use every instruction
// there is. It makes code or an error, and never ends the program.
func TestAttack_BadRules_AnyInstruction(t *testing.T) {
	for op := range 256 {
		for _, word := range []string{strings.Repeat("00", 32), "01", strings.Repeat("ff", 32)} {
			push := fmt.Sprintf("%02x%s", 0x5f+len(word)/2, word)
			code, err := hex.DecodeString(strings.Repeat(push, 17) + fmt.Sprintf("%02x", op) + "5f5ff3")
			if err != nil {
				t.Fatal(err)
			}
			if _, err := Runtime(code); err != nil && !errors.Is(err, games.ErrIllegal) {
				t.Errorf("%#x after %s: %v", op, word, err)
			}
		}
	}
}

func TestAttack_LoopingRules(t *testing.T) {
	c := at(t, "5b 6000 56")
	refuses(t, c)
	if p, err := c.Start(context); err == nil || p.Gas != Allowance {
		t.Errorf("a loop used %d gas of %d: %v", p.Gas, Allowance, err)
	}
}

// A state one byte too long for the Arena to read, and half a megabyte.
func TestAttack_ReturnBomb(t *testing.T) {
	bomb := func(size, length int) string {
		return fmt.Sprintf("6040 6000 52 60ff 6020 52 62%06x 6040 52 62%06x 6000 f3", length, size)
	}
	if p, err := at(t, bomb(4192, games.MaxState)).Start(context); err != nil || len(p.State) != games.MaxState {
		t.Errorf("the largest state: %d bytes, %v", len(p.State), err)
	}
	refuses(t, at(t, bomb(4193, games.MaxState)))
	refuses(t, at(t, bomb(4224, games.MaxState+1)))
	refuses(t, at(t, bomb(1<<19, games.MaxState)))
}

// Payouts must be those of the seats there are, and sum to the stakes.
func TestAttack_BadRules_Outcome(t *testing.T) {
	stakes := []uint256.Int{*uint256.NewInt(3), *uint256.NewInt(4)}
	good := []string{"60", "2", "6c696520000000000000000000000000000000000000000000000000000000", "2", "7", "0"}
	for name, change := range map[string]func([]string){
		"too much":   func(w []string) { w[4] = "8" },
		"too little": func(w []string) { w[4] = "6" },
		"wraps":      func(w []string) { w[4], w[5] = strings.Repeat("f", 64), "8" },
		"one seat":   func(w []string) { w[3] = "1" },
		"three":      func(w []string) { w[3] = "3" },
		"guilty":     func(w []string) { w[1] = "4" },
		"offset":     func(w []string) { w[0] = "80" },
	} {
		words := append([]string(nil), good...)
		change(words)
		if o, _, err := at(t, returning(words...)).Outcome(nil, stakes); !errors.Is(err, games.ErrIllegal) {
			t.Errorf("%s: %+v, %v", name, o, err)
		}
	}
	o, _, err := at(t, returning(good...)).Outcome(nil, stakes)
	if err != nil || o.Guilty != 2 || !o.Payouts[0].Eq(uint256.NewInt(7)) || !o.Payouts[1].IsZero() {
		t.Errorf("%+v, %v", o, err)
	}
	if _, _, err := at(t, returning("60", "0", "0", "2", "0", "0")).Outcome(nil, []uint256.Int{
		*new(uint256.Int).SetAllOne(), *uint256.NewInt(1),
	}); err == nil {
		t.Error("stakes that overflow are paid out")
	}
}

// The Arena goes by the mover that comes with a state, a node by that of the state: a contract that
// names two is refused.
func TestAttack_BadRules_TwoMovers(t *testing.T) {
	for _, state := range []string{"0", "1"} {
		// mover, whose argument lies at 0x20, names one seat; play and expire name seat 1
		r := at(t, "6004 35 6020 14 6100a4 57"+returning("40", "1", "1", "0")+"5b"+returning(state)).Rules()
		for name, call := range map[string]func() ([]byte, error){
			"play":   func() ([]byte, error) { return r.Play(context, []byte{1}, []byte{2}) },
			"expire": func() ([]byte, error) { return r.Expire(context, []byte{1}) },
		} {
			if _, err := call(); errors.Is(err, games.ErrIllegal) != (state == "0") {
				t.Errorf("%s to a state whose mover is seat %s: %v", name, state, err)
			}
		}
	}
}

// What a contract says when it reverts reaches people.
func TestRevertReason(t *testing.T) {
	text := "08c379a0" + fmt.Sprintf("%064x%064x", 32, 3) + hex.EncodeToString([]byte("why")) + strings.Repeat("0", 58)
	words := (len(text)/2 + 31) / 32
	code := ""
	for i := range words {
		part := text[64*i : min(len(text), 64*i+64)]
		code += fmt.Sprintf("7f%s 60%02x 52", part+strings.Repeat("0", 64-len(part)), 32*i)
	}
	_, err := at(t, code+fmt.Sprintf("60%02x 6000 fd", len(text)/2)).Start(context)
	if err == nil || !strings.Contains(err.Error(), `"why"`) {
		t.Error(err)
	}
}

// TestAttack_BadRules_Wordy: why a contract reverts is told in brief, however much it says: a peer
// that moves against the rules has it logged each time.
func TestAttack_BadRules_Wordy(t *testing.T) {
	const long = "092700" // bytes of zeros, each of which is written with four letters
	_, err := at(t, "63 08c379a0 60e0 1b 5f 52 6020 6004 52 62"+long+" 6024 52 62 092800 5f fd").Start(context)
	if err == nil || !strings.Contains(err.Error(), `\x00`) || len(err.Error()) > 2048 {
		t.Errorf("%d bytes: %.99v", len(fmt.Sprint(err)), err)
	}
}

func TestDeploy_Refuses(t *testing.T) {
	for name, init := range map[string]string{
		"no code":          "00",
		"reverts":          "6000 6000 fd",
		"stores something": "6001 6000 55 6001 6000 f3",
	} {
		b, err := hex.DecodeString(strings.ReplaceAll(init, " ", ""))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Deploy(b); err == nil {
			t.Errorf("%s: deployed", name)
		}
	}
	if _, _, err := new(Contract).Mover(nil); err == nil {
		t.Error("a zero Contract answers")
	}
}

const rulesABI = `[
{"type":"function","name":"play","inputs":[{"name":"c","type":"tuple","components":[
 {"name":"matchId","type":"bytes32"},{"name":"params","type":"bytes"},{"name":"stakes","type":"uint256[]"},
 {"name":"signers","type":"address[]"},{"name":"domain","type":"bytes32"},{"name":"signed","type":"uint16"},
 {"name":"recorded","type":"uint64"}]},{"name":"state","type":"bytes"},{"name":"move","type":"bytes"}]},
{"type":"function","name":"mover","inputs":[{"name":"state","type":"bytes"}]},
{"type":"function","name":"outcome","inputs":[{"name":"state","type":"bytes"},{"name":"stakes","type":"uint256[]"}]}]`

// go-ethereum reads what is encoded. It orders the context's lists otherwise than the Arena does,
// so it encodes again what it read.
func TestEncode(t *testing.T) {
	parsed, err := abi.JSON(strings.NewReader(rulesABI))
	if err != nil {
		t.Fatal(err)
	}
	stakes := []*big.Int{context.Stakes[0].ToBig(), context.Stakes[1].ToBig()}
	tuple := struct {
		MatchId  [32]byte
		Params   []byte
		Stakes   []*big.Int
		Signers  []common.Address
		Domain   [32]byte
		Signed   uint16
		Recorded uint64
	}{context.MatchID, context.Params, stakes, context.Signers, context.Domain, context.Signed, context.Recorded}
	for _, n := range []int{0, 1, 31, 32, 33, 100} {
		state, move := make([]byte, n), []byte{1, 2, 3}
		for name, test := range map[string]struct {
			got  []byte
			args []any
		}{
			"play":    {encode(playSelector, contextArg{context}, bytesArg(state), bytesArg(move)), []any{tuple, state, move}},
			"mover":   {encode(moverSelector, bytesArg(state)), []any{state}},
			"outcome": {encode(outcomeSelector, bytesArg(state), uintsArg(context.Stakes)), []any{state, stakes}},
		} {
			want, err := parsed.Pack(name, test.args...)
			if err != nil {
				t.Fatal(err)
			}
			read, err := parsed.Methods[name].Inputs.Unpack(test.got[4:])
			if err != nil {
				t.Fatal(err)
			}
			again, err := parsed.Pack(name, read...)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, again); diff != "" || len(test.got) != len(want) {
				t.Errorf("%s of %d bytes, %d long: %s", name, n, len(test.got), diff)
			}
		}
	}
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte{})
	f.Add(make([]byte, 96))
	f.Fuzz(func(t *testing.T, b []byte) {
		if state, _, err := decodeNext(b, 2); err == nil && len(state) > len(b) {
			t.Errorf("a state of %d bytes out of %d", len(state), len(b))
		}
		if o, err := decodeOutcome(b, context.Stakes[:1]); err == nil && !o.Payouts[0].Eq(&context.Stakes[0]) {
			t.Errorf("payouts %v", o.Payouts)
		}
		_, _ = decodeMover(b, 2)
	})
}

// noted are facts: the hash of block 7, and what was noted before it.
type noted map[common.Hash]common.Hash

func (noted) Head() uint64 { return 9 }

func (noted) Sure() uint64 { return 9 }

func (noted) BlockHash(n uint64) (common.Hash, bool) { return common.Hash{31: 70}, n == 7 }

func (n noted) Noted(slot common.Hash, before uint64) (common.Hash, bool) {
	word, known := n[slot]
	return word, known && before == 7
}

// TestNoted: after the hash of a block the contract reads what was noted before it. What isn't
// known yet is no empty storage. Without such a hash the storage is empty, and nobody asks for it.
func TestNoted(t *testing.T) {
	// a state of one byte, and the mover: seat 0
	state := " 60f8 1b 6060 52 6040 6000 52 6001 6040 52 6000 6020 52 6080 6000 f3"
	for _, c := range []struct {
		name, code string
		want       byte
		refused    bool
	}{
		{"known", "6007 40 50 6001 54" + state, 5, false},
		{"nothing", "6007 40 50 6002 54" + state, 0, false},
		{"not yet", "6007 40 50 6003 54" + state, 0, true},
		{"not yet, then known", "6007 40 50 6003 54 50 6001 54" + state, 0, true},
		{"of no block", "6003 54" + state, 0, false},
		{"of an unknown block", "6006 40 50 6003 54" + state, 0, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			ctx := *context
			ctx.Facts = noted{{31: 1}: {31: 5}, {31: 2}: {}}
			contract := at(t, c.code)
			for range 2 { // the machine is used again
				p, err := contract.Start(&ctx)
				if errors.Is(err, games.ErrIllegal) != c.refused || err == nil && !bytes.Equal(p.State, []byte{c.want}) {
					t.Errorf("%x, %v", p.State, err)
				}
			}
			ctx.Facts = nil
			if p, err := contract.Start(&ctx); err != nil || !bytes.Equal(p.State, []byte{0}) {
				t.Errorf("without facts: %x, %v", p.State, err)
			}
		})
	}
}
