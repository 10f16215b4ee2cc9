package sandbox

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/games/commit"
	"github.com/ante-games/ante/protocol"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/holiman/uint256"
)

// ErrLines means that some lines were no moves, or illegal, or did not come to what they say.
var ErrLines = errors.New("bad lines")

// Match is what is played.
type Match struct {
	Game    games.Game
	Rules   games.Rules // as Engine returns them
	Context *games.Context
	Seat    uint8     // whose view is shown
	Random  io.Reader // for the player sides' secrets
}

// Position is what is printed, one a line.
type Position struct {
	Line    int             `json:"line"` // of the input; 0 for the start
	Turn    uint64          `json:"turn"` // epoch << 32 | moves
	Move    string          `json:"move,omitempty"`
	Said    string          `json:"said,omitempty"` // what the move was
	Phase   string          `json:"phase"`
	Mover   any             `json:"mover"` // a seat, "nobody" or "chance"
	View    json.RawMessage `json:"view"`
	State   string          `json:"state"`
	Digest  string          `json:"digest"` // keccak256(state), which is what is signed
	Verdict *Verdict        `json:"verdict"`
	Payouts []string        `json:"payouts"` // null until the match is over
}

// Verdict is why a match is over.
type Verdict struct {
	Guilty []int  `json:"guilty"`
	Reason string `json:"reason"`
}

// refusal is printed for a line that is not played.
type refusal struct {
	Line  int    `json:"line"`
	Error string `json:"error"`
}

// play is a match in progress.
type play struct {
	Match
	state   []byte
	turn    protocol.Turn
	secrets []commit.Secrets
}

// Run plays the moves that it reads, and prints every position. What is wrong with a line is
// printed in its place, and the next one is read; in the end that is ErrLines. It stops with
// ErrDiffer.
func (m Match) Run(in io.Reader, out io.Writer) error {
	p := &play{Match: m, secrets: make([]commit.Secrets, len(m.Context.Stakes))}
	var err error
	if p.state, err = m.Rules.Start(m.Context); err != nil {
		return fmt.Errorf("start: %w", err)
	}
	print := json.NewEncoder(out)
	first, err := p.position()
	if err != nil {
		return err
	}
	if err := print.Encode(first); err != nil {
		return err
	}
	lines, bad := bufio.NewScanner(in), 0
	for n := 1; lines.Scan(); n++ {
		line := bytes.TrimSpace(lines.Bytes())
		if len(line) == 0 {
			continue
		}
		now, err := p.line(line)
		switch {
		case errors.Is(err, ErrDiffer):
			return fmt.Errorf("line %d: %w", n, err)
		case err != nil:
			bad++
			err = print.Encode(refusal{n, err.Error()})
		default:
			now.Line = n
			err = print.Encode(now)
		}
		if err != nil {
			return err
		}
	}
	if err := lines.Err(); err != nil {
		return fmt.Errorf("read moves: %w", err)
	}
	if bad > 0 {
		return fmt.Errorf("%w: %d", ErrLines, bad)
	}
	return nil
}

func (p *play) line(line []byte) (*Position, error) {
	o, err := readOrder(line)
	if err != nil {
		return nil, err
	}
	mover, err := p.Rules.Mover(p.state)
	if err != nil {
		return nil, err
	}
	if mover == games.Nobody {
		return nil, errors.New("the match is over")
	}
	before := *p
	before.secrets = slices.Clone(p.secrets)
	var move []byte
	if o.Expire {
		p.state, err = p.Rules.Expire(p.Context, p.state)
		p.turn = protocol.Turn(uint64(p.turn)>>32+1) << 32
	} else if move, err = p.decide(o, mover); err == nil {
		p.state, err = p.Rules.Play(p.Context, p.state, move)
		p.turn++
	}
	if err == nil && o.Digest != "" && o.Digest != digest(p.state) {
		err = fmt.Errorf("the position's digest is %s, not %s", digest(p.state), o.Digest)
	}
	var now *Position
	if err == nil {
		now, err = p.position()
	}
	if err != nil {
		*p = before
		return nil, err
	}
	if move != nil {
		now.Move = hexutil.Encode(move)
		now.Said, err = p.Game.Player.Describe(p.Context, before.state, move)
	}
	return now, err
}

// decide finds the move that an order means, and keeps what it hides.
func (p *play) decide(o order, mover uint8) ([]byte, error) {
	if o.Move != "" {
		return hexutil.Decode(o.Move)
	}
	if int(mover) >= len(p.secrets) {
		return nil, errors.New("it is the chain's turn: write the move as bytes")
	}
	t := games.Table{Context: p.Context, State: p.state, Seat: mover, Secrets: p.secrets[mover], Random: p.Random}
	var d *games.Decision
	var err error
	switch {
	case o.Auto:
		if d, err = p.Game.Player.Auto(t); d == nil && err == nil {
			err = errors.New("this move is for a person or the bot to choose")
		}
	case o.Bot:
		if d, err = p.Game.Player.Auto(t); d == nil && err == nil {
			d, err = p.Game.Player.Bot(t)
		}
	default:
		d, err = p.Game.Player.Choose(t, o.Text)
	}
	if err != nil {
		return nil, err
	}
	p.secrets[mover] = d.Secrets
	return d.Move, nil
}

// position describes where the match stands.
func (p *play) position() (*Position, error) {
	mover, err := p.Rules.Mover(p.state)
	if err != nil {
		return nil, err
	}
	at := &Position{Turn: uint64(p.turn), Mover: mover, State: hexutil.Encode(p.state), Digest: digest(p.state)}
	view, err := p.Game.Player.View(games.Table{Context: p.Context, State: p.state, Seat: p.Seat, Random: p.Random})
	if err != nil {
		return nil, err
	}
	if at.View, err = json.Marshal(view); err != nil {
		return nil, fmt.Errorf("show the position: %w", err)
	}
	var said struct{ Phase string }
	if json.Unmarshal(at.View, &said) == nil { // another form has no phase
		at.Phase = said.Phase
	}
	switch mover {
	case games.Chance:
		at.Mover = "chance"
	case games.Nobody:
		at.Mover = "nobody"
		return at, p.ended(at)
	}
	return at, nil
}

func (p *play) ended(at *Position) error {
	o, err := p.Rules.Outcome(p.state, p.Context.Stakes)
	if err != nil {
		return err
	}
	at.Verdict = &Verdict{Guilty: []int{}, Reason: o.ReasonText()}
	for seat := range o.Payouts {
		at.Payouts = append(at.Payouts, o.Payouts[seat].Dec())
		if o.Guilty>>seat&1 == 1 {
			at.Verdict.Guilty = append(at.Verdict.Guilty, seat)
		}
	}
	return nil
}

func digest(state []byte) string { return crypto.Keccak256Hash(state).Hex() }

// Context returns a match to play: with the least stakes, or those given, and signers and an id
// that stand for nobody's. The id may be given, for transcripts: commitments are bound to it.
func Context(g games.Game, params []byte, stakes []uint256.Int, id common.Hash) (*games.Context, error) {
	c := &games.Context{MatchID: id, Params: params, Stakes: stakes}
	if len(stakes) == 0 {
		c.Stakes = make([]uint256.Int, 2)
		if g.Stakes != nil {
			var err error
			if c.Stakes, err = g.Stakes(params); err != nil {
				return nil, err
			}
		}
	}
	for seat := range c.Stakes {
		c.Signers = append(c.Signers, common.Address{19: byte(seat + 1)})
	}
	return c, nil
}
