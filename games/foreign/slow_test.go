package foreign

import (
	"crypto/rand"
	"encoding/binary"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/games/evm"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/holiman/uint256"
)

// armed is code of rules whose state is the mover and whether they are armed, a byte each. A move
// that begins with 0xaa arms them: every move takes all gas from then on.
const armed = `
	PUSH0 CALLDATALOAD PUSH1 0xe0 SHR
	DUP1 PUSH4 $mover EQ PUSH2 @mover JUMPI DUP1 PUSH4 $start EQ PUSH2 @start JUMPI
	DUP1 PUSH4 $play EQ PUSH2 @play JUMPI DUP1 PUSH4 $expire EQ PUSH2 @expire JUMPI
	PUSH1 0x60 PUSH0 MSTORE PUSH1 0x24 CALLDATALOAD PUSH1 4 ADD DUP1 CALLDATASIZE SUB DUP1 SWAP2 PUSH1 0x60 CALLDATACOPY
	PUSH1 0x60 ADD PUSH0 RETURN
mover: PUSH1 4 CALLDATALOAD PUSH1 0x24 ADD CALLDATALOAD PUSH0 BYTE PUSH0 MSTORE PUSH1 0x20 PUSH0 RETURN
start: PUSH0 PUSH2 @return JUMP
expire: PUSH1 0xff PUSH1 248 SHL PUSH2 @return JUMP
play: PUSH1 0x24 CALLDATALOAD PUSH1 0x24 ADD CALLDATALOAD DUP1 PUSH1 1 BYTE PUSH2 @loop JUMPI
	PUSH0 BYTE PUSH1 1 SUB PUSH1 248 SHL
	PUSH1 0x44 CALLDATALOAD PUSH1 0x24 ADD CALLDATALOAD PUSH0 BYTE PUSH1 0xaa EQ PUSH1 240 SHL OR PUSH2 @return JUMP
return: DUP1 PUSH1 0x60 MSTORE PUSH0 BYTE PUSH1 0x20 MSTORE PUSH1 0x40 PUSH0 MSTORE PUSH1 2 PUSH1 0x40 MSTORE PUSH1 0x80 PUSH0 RETURN
loop: PUSH2 @loop JUMP`

// assemble translates instructions: name: is a place to jump to, @name its address, $name the
// selector of a call of IRules.
func assemble(t *testing.T, text string) []byte {
	t.Helper()
	const c = "(bytes32,bytes,uint256[],address[],bytes32,uint16,uint64)"
	calls := map[string]string{"mover": "mover(bytes)", "start": "start(" + c + ")", "play": "play(" + c + ",bytes,bytes)", "expire": "expire(" + c + ",bytes)"}
	places, jumps := map[string]int{}, map[int]string{}
	var code []byte
	operand := 0
	for word := range strings.FieldsSeq(text) {
		switch name := strings.Trim(word, ":@$"); {
		case strings.HasSuffix(word, ":"):
			places[name] = len(code)
			code = append(code, byte(vm.JUMPDEST))
		case word[0] == '@':
			jumps[len(code)] = name
			code = append(code, 0, 0)
		case word[0] == '$':
			code = append(code, crypto.Keccak256([]byte(calls[name]))[:4]...)
		case operand > 0:
			n, err := strconv.ParseUint(word, 0, 8)
			if err != nil {
				t.Fatal(err)
			}
			code = append(code, byte(n))
		default:
			code = append(code, byte(vm.StringToOp(word)))
			operand = 0
			if op := vm.StringToOp(word); op.IsPush() {
				operand = int(op) - int(vm.PUSH0)
			}
			continue
		}
		operand = 0
	}
	for at, name := range jumps {
		binary.BigEndian.PutUint16(code[at:], uint16(places[name]))
	}
	return code
}

// armedGame has 25 kinds of 1024 moves each, of which the last arms it.
func armedGame(t *testing.T) games.Game {
	t.Helper()
	var kinds []string
	for i := range 25 {
		prefix := i
		if i == 24 {
			prefix = 0xaa
		}
		kinds = append(kinds, fmt.Sprintf(`{"name":"k%d","prefix":"0x%02x","fields":[{"name":"n","size":2,"max":1023}]}`, i, prefix))
	}
	m, err := readManifest(strings.NewReader(`{"name":"armed","summary":"s","seats":2,"turns":100,"params":[],"position":[],"moves":[` +
		strings.Join(kinds, ",") + `]}`))
	if err != nil {
		t.Fatal(err)
	}
	g, err := Game(m, assemble(t, armed))
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// TestAttack_SlowGame_Budget: what a question tries out is bounded over all kinds of moves, by
// moves and by gas.
func TestAttack_SlowGame_Budget(t *testing.T) {
	g := armedGame(t)
	p := g.Player.(player)
	c := &games.Context{Stakes: make([]uint256.Int, 2), Signers: make([]common.Address, 2)}
	start, err := g.Rules.Start(c)
	if err != nil {
		t.Fatal(err)
	}
	if list, err := p.Moves(c, start); err != nil || len(list) != maxTries {
		t.Errorf("%d moves are listed, %v; want %d", len(list), err, maxTries)
	}
	state, err := g.Rules.Play(c, start, []byte{0xaa, 0, 0})
	if err != nil {
		t.Fatal(err)
	}
	s := p.search()
	if list, err := s.legal(c, state); err != nil || len(list) != 0 || !s.cut {
		t.Errorf("%d moves are legal once the rules are armed, %v", len(list), err)
	}
	if tried, used := maxTries-s.tries, evm.Used(s.rules); tried > maxGas/evm.Allowance+1 || used >= maxGas+evm.Allowance {
		t.Errorf("%d moves were tried with %d gas", tried, used)
	}
	at := games.Table{Context: c, State: state, Seat: 1, Random: rand.Reader}
	if ask, err := p.Ask(at); err != nil || ask == "" {
		t.Errorf("%q, %v", ask, err)
	}
	if d, err := p.Bot(at); err == nil {
		t.Errorf("the bot moves %x", d.Move)
	}
}

// Asking for a move in any position tries out as little as listing its moves: the bot's look at
// replies included.
func TestAttack_SlowGame_Bot(t *testing.T) {
	p := armedGame(t).Player.(player)
	counted := &counting{Rules: p.rules}
	p.rules = counted
	at := games.Table{Context: &games.Context{Stakes: make([]uint256.Int, 2), Signers: make([]common.Address, 2)}, State: []byte{0, 0}, Random: rand.Reader}
	if _, err := p.Bot(at); err != nil {
		t.Fatal(err)
	}
	if counted.plays > maxTries {
		t.Errorf("%d moves were tried", counted.plays)
	}
}

// counting counts the moves that are tried out.
type counting struct {
	games.Rules
	plays int
}

func (r *counting) Play(c *games.Context, state, move []byte) ([]byte, error) {
	r.plays++
	return r.Rules.Play(c, state, move)
}

// TestAttack_SlowGame_Trial: rules that burn gas only after a certain first move are found, within
// the gas of a trial.
func TestAttack_SlowGame_Trial(t *testing.T) {
	g := armedGame(t)
	got := Try(g, 50, rand.Reader)
	if got.Wrong == nil || !strings.Contains(got.Wrong.Error(), "every move that was tried takes") {
		t.Errorf("%+v", got)
	}
}

// A manifest with more kinds of moves than people can be asked about is refused.
func TestAttack_SlowGame_Manifest(t *testing.T) {
	const kind = `{"name":"k","fields":[]}`
	for n, fine := range map[int]bool{maxKinds: true, maxKinds + 1: false} {
		text := `{"name":"x","summary":"s","seats":2,"turns":9,"params":[],"position":[],"moves":[` + strings.Repeat(kind+",", n-1) + kind + `]}`
		if _, err := readManifest(strings.NewReader(text)); (err == nil) != fine {
			t.Errorf("%d kinds: %v", n, err)
		}
	}
}
