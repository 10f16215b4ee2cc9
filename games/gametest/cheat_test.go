package gametest

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ante-games/ante/contracts/bindings/testbindings"
	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/games/commit"
	"github.com/ante-games/ante/games/gametest/toy"
	"github.com/ante-games/ante/games/mastermind"
	"github.com/ethereum/go-ethereum/common"
)

// toyPlayer makes the moves that it is told to: the toy's rules let any move name the winner, or a
// culprit.
type toyPlayer struct {
	games.Player
	move func(seat uint8, state []byte) []byte
}

func (p toyPlayer) Auto(t games.Table) (*games.Decision, error) {
	return &games.Decision{Move: p.move(t.Seat, t.State), Secrets: t.Secrets}, nil
}
func (toyPlayer) View(games.Table) (games.View, error) { return toyView{"only", "joker"}, nil }
func (toyPlayer) Ask(games.Table) (string, error)      { return "", nil }
func (toyPlayer) Choose(games.Table, string) (*games.Decision, error) {
	return nil, games.ErrText
}
func (toyPlayer) Describe(*games.Context, []byte, []byte) (string, error) { return "", nil }

type toyView struct {
	Phase string `json:"phase"`
	Role  string `json:"role"`
}

func (toyView) String() string { return "" }

func toySuite(expire uint8, move func(seat uint8, state []byte) []byte) Suite {
	return Suite{
		Game: games.Game{
			Name: "toy", Rules: toy.Rules{}, Player: toyPlayer{move: move}, Contract: common.FromHex(testbindings.ToyRulesMetaData.Bin),
			Turns: func([]byte) (uint64, error) { return 4, nil },
		},
		Params: [][]byte{toy.Params(0, toy.Fine, expire)}, Transitions: 100,
	}
}

// The toy's rules are right by the first half of the kit, whatever they let a seat gain.
func TestSuite_FindsCheats(t *testing.T) {
	other := func(seat uint8, _ []byte) []byte { return toy.Win(1 - seat) }
	for name, test := range map[string]struct {
		want  string
		suite Suite
	}{
		"nothing": {"", toySuite(toy.Fine, other)},
		// Who must say that the other wins had better say nothing.
		"silence pays": {`(joker) "falls silent" in phase "only", and is paid 2000; by honest play it is 0`, toySuite(toy.Skip, other)},
		"the honest are convicted": {"honest seats are convicted: guilty 10", toySuite(toy.Skip, func(seat uint8, state []byte) []byte {
			if seat == 1 {
				return toy.Lie(1)
			}
			return toy.Win(0)
		})},
		"silence without end": {"the match is never over", toySuite(toy.Again, other)},
	} {
		t.Run(name, func(t *testing.T) {
			got := failure(t, func(t testing.TB) { test.suite.Cheats(t) })
			if (got == "") != (test.want == "") || !strings.Contains(got, test.want) {
				t.Errorf("the kit says %q, want %q", got, test.want)
			}
		})
	}
	endless := toySuite(toy.Again, other)
	if got := failure(t, endless.engines); !strings.Contains(got, "not over after 5 expiries") {
		t.Errorf("a match that can't be run out: %q", got)
	}
}

// What pays may be fair, if the suite says why; the page says so too.
func TestSuite_Page(t *testing.T) {
	s := toySuite(toy.Skip, func(seat uint8, _ []byte) []byte { return toy.Win(1 - seat) })
	s.Allowed = map[string]string{"only/falls silent": "It is a joke.", "only/lets one move time out": "It is one, too."}
	s.Page = filepath.Join(t.TempDir(), "page.md")
	if err := os.WriteFile(s.Page, []byte("# Page\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	page := func(t testing.TB) { s.page(t, s.Cheats(t)) }
	if got := failure(t, page); !strings.Contains(got, "-gametest.update") {
		t.Errorf("a page without the game: %q", got)
	}
	with := s.Page
	s.Page = filepath.Join(t.TempDir(), "none.md")
	if got := failure(t, page); !strings.Contains(got, "-gametest.update") {
		t.Errorf("a page that is not there: %q", got)
	}
	*updateFlag = true
	page(t)
	*updateFlag = false
	page(t)
	if b, err := os.ReadFile(s.Page); err != nil || !strings.HasPrefix(string(b), "<!-- begin toy -->\n") {
		t.Errorf("the page that was made: %q, %v", b, err)
	}
	s.Page = with
	*updateFlag = true
	page(t)
	*updateFlag = false
	page(t)
	b, err := os.ReadFile(s.Page)
	if want := "| only | joker | falls silent | played on: the score decides. It is a joke. | 100 % | 0 |\n"; err != nil || !strings.Contains(string(b), want) {
		t.Errorf("%s, %v; want a line %s", b, err, want)
	}
	for i := range b[len("# Page\n\n<!-- begin toy -->\n") : len(b)-len("<!-- end toy -->\n")] {
		if b[len("# Page\n\n<!-- begin toy -->\n")+i] != '0' {
			continue
		}
		b[len("# Page\n\n<!-- begin toy -->\n")+i] = '1'
		if err := os.WriteFile(s.Page, b, 0o600); err != nil {
			t.Fatal(err)
		}
		if got := failure(t, page); !strings.Contains(got, "is not what came of cheating") {
			t.Errorf("a page that is not true: %q", got)
		}
		break
	}
}

// leaky is a player side with a hole.
type leaky struct {
	games.Player
	view     func(games.Table, games.View) games.View
	describe func(move []byte) string
	random   func(t *games.Table)
	decide   func(t games.Table, d *games.Decision)
}

func (l leaky) View(t games.Table) (games.View, error) {
	v, err := l.Player.View(t)
	if l.view != nil {
		v = l.view(t, v)
	}
	return v, err
}

func (l leaky) Describe(c *games.Context, state, move []byte) (string, error) {
	if l.describe != nil {
		return l.describe(move), nil
	}
	return l.Player.Describe(c, state, move)
}

func (l leaky) Auto(t games.Table) (*games.Decision, error) {
	if l.random != nil {
		l.random(&t)
	}
	d, err := l.Player.Auto(t)
	if d != nil && l.decide != nil {
		l.decide(t, d)
	}
	return d, err
}

// stuck is a random source that always reads the same.
type stuck struct{}

func (stuck) Read(b []byte) (int, error) {
	for i := range b {
		b[i] = 0x5a + byte(i)
	}
	return len(b), nil
}

type loud struct {
	games.View
	Said string `json:"said"`
}

func (l loud) String() string { return l.View.String() }

func (l loud) MarshalJSON() ([]byte, error) { return json.Marshal(map[string]string{"said": l.Said}) }

func TestAttack_LoggedSecret(t *testing.T) {
	var seen []commit.Opening // of any seat, as a bug that keeps something between calls would have
	remember := func(t games.Table, d *games.Decision) {
		list, _ := d.Secrets.Openings(t.Context.MatchID, t.Seat)
		seen = append(seen, list...)
	}
	for name, test := range map[string]struct {
		want string
		hole leaky
	}{
		"nothing": {"", leaky{}},
		"the view shows the own secret": {"depends on its secrets", leaky{view: func(t games.Table, v games.View) games.View {
			text, _ := mastermind.Game().Player.Recall(t)
			return loud{v, text}
		}}},
		"the view shows another's salt": {"holds the salt of seat 0's commitment (ante.mastermind.coin, round 0)", leaky{
			view: func(t games.Table, v games.View) games.View {
				if len(seen) == 0 {
					return v
				}
				return loud{v, fmt.Sprintf("%X", seen[len(seen)-1].Salt[:])}
			}, decide: remember,
		}},
		"a description shows a salt": {"the description of move", leaky{describe: func([]byte) string {
			if len(seen) == 0 {
				return ""
			}
			return seen[len(seen)-1].Salt.Big().String()
		}, decide: remember}},
		"salts that repeat": {"under a salt that was used before", leaky{random: func(t *games.Table) { t.Random = stuck{} }}},
	} {
		t.Run(name, func(t *testing.T) {
			seen = nil
			s := suite()
			test.hole.Player = s.Game.Player
			s.Game.Player = test.hole
			got := failure(t, s.honest)
			if (got == "") != (test.want == "") || !strings.Contains(got, test.want) {
				t.Errorf("the kit says %q, want %q", got, test.want)
			}
		})
	}
}

// A move that commits says nothing but what the salt hides.
func TestSamples_Tell(t *testing.T) {
	s := newSamples()
	for i := range byte(8) {
		secret := common.Hash{31: i % 2}
		s.add(nil, []byte{0}, []byte{i * 37, 5, 255 - i*91}, []commit.Opening{{Secret: secret}})
	}
	if got := s.tell(); got != "" {
		t.Errorf("nothing follows from the secret, but %s", got)
	}
	s = newSamples()
	for i := range byte(8) {
		s.add(nil, []byte{0}, []byte{i * 37, 5, i%2 ^ 0x55}, []commit.Opening{{Secret: common.Hash{31: i % 2}}})
	}
	if got := s.tell(); !strings.Contains(got, "byte 2 follows from the secret") {
		t.Errorf("byte 2 is the secret, but %q", got)
	}
}

// A salt is shown with its secret, and not where it commits.
func TestKeeper_Move(t *testing.T) {
	scope := commit.Scope{Seat: 1}
	o := commit.Opening{Scope: scope, Secret: common.Hash{30: 7, 31: 9}, Salt: common.MaxHash}
	for name, test := range map[string]struct {
		want string
		move []byte
	}{
		"opens":      {"", append([]byte{7, 9}, o.Salt[:]...)},
		"other move": {"", []byte{1}},
		"salt alone": {"but not the secret", o.Salt[:]},
	} {
		got := failure(t, func(t testing.TB) {
			s := toySuite(toy.Fine, nil)
			m := s.newMatch(t, s.pair(t), 0)
			m.told = newSamples()
			k := keeper{match: m, hidden: []hidden{hide(o)}}
			k.move([]byte{0}, test.move, 1, commit.Secrets{}, commit.Secrets{})
		})
		if (got == "") != (test.want == "") || !strings.Contains(got, test.want) {
			t.Errorf("%s: the kit says %q, want %q", name, got, test.want)
		}
	}
}
