package splitsteal

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"errors"
	"math/big"
	mathrand "math/rand/v2"
	"strings"
	"testing"

	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/games/commit"
	"github.com/google/go-cmp/cmp"
	"github.com/holiman/uint256"
)

func tableAt(b *board, seat uint8, s commit.Secrets) games.Table {
	return games.Table{Context: b.C, State: b.State, Seat: seat, Secrets: s, Random: rand.Reader}
}

// Two people play a match; each move is made by a side that knows only what it stored, as after a
// crash.
func TestPlayer_WholeMatch(t *testing.T) {
	for typed, want := range map[[2]string]string{
		{"split", "steal"}:   "Now: you (split), opponent (steal).\nThe match is over: you 25, opponent 135, house 40.\n",
		{" Steal ", "SPLIT"}: "Now: you (steal), opponent (split).\nThe match is over: you 145, opponent 15, house 40.\n",
		{"0", "9"}:           "Now: you (steal), opponent (split).\nThe match is over: you 145, opponent 15, house 40.\n",
		{"41", "115792089237316195423570985008687907853269984665640564039457584007913129639935"}: "Now: you (split), opponent (split).\nThe match is over: you 115, opponent 85, house 0.\n",
	} {
		g := Game()
		b := newBoard(t, g.Rules, defaults, wei(100), wei(60))
		var stored [2][]byte
		var said []string
		for b.Now().Phase != Over {
			seat, _ := g.Rules.Mover(b.State)
			table := tableAt(b, seat, commit.Load(stored[seat]))
			d, err := g.Player.Auto(table)
			if d == nil && err == nil {
				if ask, _ := g.Player.Ask(table); ask == "" {
					t.Fatal("a choice that is not asked for")
				}
				d, err = g.Player.Choose(table, typed[seat])
			}
			if err != nil {
				t.Fatal(err)
			}
			stored[seat] = d.Secrets.Expose()
			text, err := g.Player.Describe(b.C, b.State, d.Move)
			if err != nil {
				t.Fatal(err)
			}
			said = append(said, text)
			if b.State, err = g.Rules.Play(b.C, b.State, d.Move); err != nil {
				t.Fatal(err)
			}
		}
		if said[0] != "commits to a choice" || said[1] != said[0] || !strings.HasPrefix(said[2], "opens the choice: ") || !strings.HasPrefix(said[3], "opens the choice: ") {
			t.Errorf("%q: %q", typed, said)
		}
		v, err := g.Player.View(tableAt(b, 0, commit.Secrets{}))
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasSuffix(v.String(), want) {
			t.Errorf("%q: %s", typed, v)
		}
	}
}

// What is at stake, and the whole matrix, can be seen by every seat before anybody chooses.
func TestView_MatrixBeforeChoosing(t *testing.T) {
	ether := uint256.NewInt(1e18)
	b := newBoard(t, Game().Rules, defaults, ether, new(uint256.Int).Rsh(ether, 1))
	show := func(seat uint8) games.View {
		v, err := Game().Player.View(tableAt(b, seat, commit.Secrets{}))
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	want := `Bets: you 5e17, opponent 1e18; the house stakes 3.75e17. Everybody gets, in all:
if you         if opponent    you      opponent   house
split          split          7.5e17   1.125e18   0
split          steal          1.25e17  1.375e18   3.75e17
steal          split          1.25e18  2.5e17     3.75e17
steal          steal          2.5e17   5e17       1.125e18
disqualified   either         0        1.5e18     3.75e17
either         disqualified   1.5e18   0          3.75e17
disqualified   disqualified   0        0          1.875e18
Now: you (choosing), opponent (choosing).
`
	squeeze := func(s string) string { return strings.Join(strings.Fields(s), " ") }
	rows := func(s string) []string {
		lines := strings.Split(s, "\n")
		for i := range lines {
			lines[i] = squeeze(lines[i])
		}
		// The rows of Y's view come in X's order.
		return lines
	}
	got, wanted := rows(show(1).String()), rows(want)
	wanted[3], wanted[4] = wanted[4], wanted[3]
	wanted[6], wanted[7] = wanted[7], wanted[6]
	if diff := cmp.Diff(wanted, got); diff != "" {
		t.Error(diff)
	}
	if first := rows(show(2).String())[0]; first != "Bets: X 1e18, Y 5e17; the house stakes 3.75e17. Everybody gets, in all:" {
		t.Error(first)
	}
	object, err := json.Marshal(show(0))
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{
		`"phase":"commit","role":"X","mover":"X","x":"choosing","y":"choosing","house":true`,
		`"stakes":{"x":"1000000000000000000","y":"500000000000000000","house":"375000000000000000"}`,
		`{"x":"split","y":"steal","gets":{"x":"250000000000000000","y":"1250000000000000000","house":"375000000000000000"}}`,
	} {
		if !bytes.Contains(object, []byte(part)) {
			t.Errorf("%s lacks %s", object, part)
		}
	}
}

// Every amount is written as the caller says.
func TestView_Text(t *testing.T) {
	v := View{
		Role: "Y", X: "choosing", Y: "committed", House: true, Stakes: Amounts{"100", "200", "30"},
		Matrix: []Cell{{"split", "steal", Amounts{"1", "2", "3"}}}, Gets: &Amounts{"4", "5", "6"},
	}
	text := games.ViewText(v, func(decimal string) string { return decimal + "u" })
	for _, want := range []string{"you 200u, opponent 100u; the house stakes 30u", "steal    split         2u    1u         3u", "you 5u, opponent 4u, house 6u"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}

// Where there is no house, nothing is said of one.
func TestView_TextWithoutHouse(t *testing.T) {
	v := View{Role: "X", X: "split", Y: "steal", Matrix: []Cell{{"split", "steal", Amounts{"1", "2", "0"}}}, Gets: &Amounts{"1", "2", "0"}}
	if text := v.Text(exact); strings.Contains(text, "house") || !strings.Contains(text, "Now: you (split), opponent (steal).") {
		t.Error(text)
	}
}

func TestPlayer_ChooseExplains(t *testing.T) {
	p := Game().Player
	b := newBoard(t, Game().Rules, defaults, wei(100), wei(60))
	for _, text := range []string{"", "s", "spli", "-1", "+1", "0x1", "1.0", "1 2", strings.Repeat("9", 78), strings.Repeat("0", 78) + "1"} {
		if _, err := p.Choose(tableAt(b, 0, commit.Secrets{}), text); !errors.Is(err, games.ErrText) {
			t.Errorf("%q: %v", text, err)
		}
	}
	for _, seat := range []uint8{1, 2} {
		if _, err := p.Choose(tableAt(b, seat, commit.Secrets{}), "split"); !errors.Is(err, games.ErrNotYourTurn) {
			t.Errorf("out of turn: %v", err)
		}
	}
}

// A choice once committed to stays: the same commitment comes again after a restart, another choice
// is refused.
func TestPlayer_CommitTwice(t *testing.T) {
	p := Game().Player
	b := newBoard(t, Game().Rules, defaults, wei(100), wei(60))
	if d, err := p.Auto(tableAt(b, 0, commit.Secrets{})); d != nil || err != nil {
		t.Fatalf("a choice made by nobody: %v, %v", d, err)
	}
	first, err := p.Choose(tableAt(b, 0, commit.Secrets{}), "split")
	if err != nil {
		t.Fatal(err)
	}
	table := tableAt(b, 0, commit.Load(first.Secrets.Expose()))
	again, err := p.Choose(table, "split")
	if err != nil || !bytes.Equal(again.Move, first.Move) {
		t.Errorf("chosen again: %v", err)
	}
	for name, choose := range map[string]func(games.Table) (*games.Decision, error){"auto": p.Auto, "bot": p.Bot} {
		if d, err := choose(table); err != nil || !bytes.Equal(d.Move, first.Move) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, other := range []string{"steal", "41"} {
		if _, err := p.Choose(table, other); !errors.Is(err, commit.ErrCommitted) {
			t.Errorf("another choice: %v", err)
		}
	}
	b.play(Commit(first.Move)).play(b.commitment(Y, odd))
	for name, open := range map[string]func(games.Table) (*games.Decision, error){"auto": p.Auto, "bot": p.Bot} {
		if _, err := open(tableAt(b, 0, commit.Secrets{})); !errors.Is(err, commit.ErrNoSecret) {
			t.Errorf("%s without secrets: %v", name, err)
		}
	}
}

// Once the other is disqualified, nobody needs to be asked any more.
func TestPlayer_ClaimsByItself(t *testing.T) {
	p := Game().Player
	b := newBoard(t, Game().Rules, defaults, wei(100), wei(60)).expire()
	d, err := p.Auto(tableAt(b, 1, commit.Secrets{}))
	if err != nil || d == nil {
		t.Fatalf("%v, %v", d, err)
	}
	if text, err := p.Describe(b.C, b.State, d.Move); text != "is there, and takes both bets" || err != nil {
		t.Errorf("%q, %v", text, err)
	}
	b.play(Commit(d.Move)).ends("silence", 0, 160, 40)
}

// The bot's mix leaves the other nothing to gain from either choice, or is the only sensible choice
// there is.
func TestBot_Equilibrium(t *testing.T) {
	r := mathrand.New(mathrand.NewPCG(1, 2))
	mixed := 0
	for range 2000 {
		n1 := 1 + r.Uint32N(50)
		n2 := n1 + 1 + r.Uint32N(50)
		p := Params{n1, n2, n1 + n2, 1 + r.Uint32N(n1+n2-1), uint8(r.IntN(4))}
		s := Stakes{X: *wei(r.Uint64N(1e9)), Y: *wei(r.Uint64N(1e9))}
		for _, role := range []Role{X, Y} {
			split, of := s.mix(p, role)
			ownSteal, ownSplit := s.gains(p, role)
			if split.Sign() == 0 {
				if ownSteal.Sign() < 0 || ownSplit.Sign() > 0 {
					t.Fatalf("%+v, %s of %+v: it always steals, and should not", p, role, s)
				}
				continue
			}
			if split.Cmp(of) == 0 {
				continue
			}
			mixed++
			// The other's gain from stealing, where it is split with so often, is its loss from
			// stealing otherwise.
			steal, other := s.gains(p, role.other())
			steal.Mul(steal, split)
			other.Mul(other, new(big.Int).Sub(of, split))
			if steal.Cmp(other) != 0 {
				t.Fatalf("%+v, %s of %+v: %d in %d is no equilibrium", p, role, s, split, of)
			}
		}
	}
	if mixed < 500 {
		t.Errorf("only %d mixed strategies tried", mixed)
	}
	// The bot draws as it should.
	p := Params{1, 2, 3, 2, 2}
	p.D2, p.N1, p.N2, p.D1 = 4, 2, 3, 5 // 2/5 > 1/4: both dare or both yield
	b := newBoard(t, Game().Rules, p, wei(1000), wei(1000))
	splits := 0
	random := mathrand.NewChaCha8([32]byte{})
	for range 4000 {
		table := tableAt(b, 0, commit.Secrets{})
		table.Random = random
		d, err := Game().Player.Bot(table)
		if err != nil {
			t.Fatal(err)
		}
		kept, _ := commit.Open(d.Secrets, b.C.MatchID, 0, random)
		number, _, _ := kept.Secret(Tag, 0)
		splits += int(ChoiceOf(number))
	}
	if splits < 1600 || splits > 1828 { // 3 in 7 of 4000, give or take 3.6 standard deviations
		t.Errorf("%d splits of 4000, want about 1714", splits)
	}
	steals := newBoard(t, Game().Rules, defaults, wei(100), wei(60))
	for range 20 {
		d, err := Game().Player.Bot(tableAt(steals, 0, commit.Secrets{}))
		if err != nil {
			t.Fatal(err)
		}
		kept, _ := commit.Open(d.Secrets, steals.C.MatchID, 0, random)
		if number, _, _ := kept.Secret(Tag, 0); ChoiceOf(number) != Steal {
			t.Error("the bot splits where stealing is always better")
		}
	}
}

func TestParams(t *testing.T) {
	g := Game()
	params, err := g.Params.Encode(nil)
	if err != nil || !bytes.Equal(params, defaults.Bytes()) {
		t.Fatalf("defaults %x, %v", params, err)
	}
	object, err := g.Params.Decode(params)
	if want := `{"n1":1,"n2":3,"d1":4,"d2":2,"house":2}`; err != nil || string(object) != want {
		t.Errorf("%s, %v", object, err)
	}
	if _, err := g.Params.Decode(Params{1, 3, 5, 2, 2}.Bytes()); !errors.Is(err, games.ErrParams) {
		t.Errorf("parameters that break the rule: %v", err)
	}
	if turns, err := g.Turns(params); turns != 4 || err != nil {
		t.Errorf("%d turns, %v", turns, err)
	}
	for _, bad := range [][]byte{params[:16], nil, append(bytes.Clone(params[:16]), 4)} {
		if _, err := g.Turns(bad); err == nil {
			t.Errorf("turns of %x", bad)
		}
		if _, err := g.Stakes(bad); err == nil {
			t.Errorf("stakes of %x", bad)
		}
	}
}
