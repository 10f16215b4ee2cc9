package sumscows

import (
	"encoding/json"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/games/commit"
)

// sitting is a match between player sides, by their seats.
type sitting struct {
	*board
	secrets [2]commit.Secrets
	random  *rand.ChaCha8
}

func sit(t *testing.T, p Params) *sitting {
	t.Helper()
	return &sitting{board: newBoard(t, Game().Rules, p), random: rand.NewChaCha8([32]byte{7})}
}

func (s *sitting) table(seat uint8) games.Table {
	return games.Table{Context: s.C, State: s.State, Seat: seat, Secrets: s.secrets[seat], Random: s.random}
}

func (s *sitting) made(seat uint8, d *games.Decision, err error) *sitting {
	s.T.Helper()
	if err != nil || d == nil {
		s.T.Fatalf("seat %d in %+v: %v, %v", seat, s.Now(), d, err)
	}
	s.secrets[seat] = d.Secrets
	if s.State, err = s.Rules.Play(s.C, s.State, d.Move); err != nil {
		s.T.Fatal(err)
	}
	return s
}

func (s *sitting) auto(seat uint8) *sitting {
	s.T.Helper()
	d, err := Game().Player.Auto(s.table(seat))
	return s.made(seat, d, err)
}

func (s *sitting) types(text string) *sitting {
	s.T.Helper()
	d, err := Game().Player.Choose(s.table(Player), text)
	return s.made(Player, d, err)
}

func (s *sitting) view(seat uint8) (View, string) {
	s.T.Helper()
	v, err := Game().Player.View(s.table(seat))
	if err != nil {
		s.T.Fatal(err)
	}
	return v.(View), v.String()
}

func TestPlayer_Match(t *testing.T) {
	s := sit(t, usual)
	if recalled, err := Game().Player.Recall(s.table(Server)); recalled != "" || err != nil {
		t.Errorf("recalls %q before a list is hidden, %v", recalled, err)
	}
	s.auto(Server)
	recalled, err := Game().Player.Recall(s.table(Server))
	if err != nil || !strings.HasPrefix(recalled, "your list is ") {
		t.Fatalf("%q, %v", recalled, err)
	}
	list := strings.TrimPrefix(recalled, "your list is ")
	if ask, err := Game().Player.Ask(s.table(Player)); err != nil || !strings.Contains(ask, "Guess 1 of 5, such as ABC") {
		t.Errorf("%q, %v", ask, err)
	}
	for _, text := range []string{"", "AB", "ABCD", "ABG", "AAB", "A-C", "end", "12"} {
		if _, err := Game().Player.Choose(s.table(Player), text); !errors.Is(err, games.ErrText) {
			t.Errorf("%q: %v", text, err)
		}
	}
	wrong := lettered("ABC")
	if list == "ABC" {
		wrong = lettered("BCA")
	}
	s.types(strings.ToLower(wrong.String()))
	if v, text := s.view(Player); v.Phase != "answer" || v.Pending != wrong.String() || !strings.Contains(text, wrong.String()+"   ?") {
		t.Errorf("%+v\n%s", v, text)
	}
	s.auto(Server)
	if d, err := Game().Player.Auto(s.table(Player)); d != nil || err != nil {
		t.Errorf("guesses by itself: %v, %v", d, err)
	}
	s.types(" " + list[:1] + ", " + list[1:]).auto(Server)
	if v, text := s.view(Player); v.Cause != "the list is found" || len(v.Rows) != 2 || !v.Rows[1].Found || !strings.Contains(text, "found") {
		t.Errorf("%+v\n%s", v, text)
	}
	s.auto(Server).ends(0, "", playerStake-10-14+100, serverStake-100+24)
	v, text := s.view(Player)
	if v.Ending != "win" || v.List != list || v.Paid != "24" || v.Won != "100" || !strings.Contains(text, "you won.") {
		t.Errorf("%+v\n%s", v, text)
	}
	if v, _ := s.view(Server); v.Ending != "loss" || v.Role != "server" {
		t.Errorf("%+v", v)
	}
	if text, err := json.Marshal(v); err != nil || !strings.Contains(string(text), `"phase":"over"`) {
		t.Errorf("%s, %v", text, err)
	}
	for _, seat := range []uint8{Player, Server} {
		if recalled, err := Game().Player.Recall(s.table(seat)); recalled != "" || err != nil {
			t.Errorf("seat %d recalls %q, %v", seat, recalled, err)
		}
	}
}

// The player is asked for guesses, each by its number, and nothing else is asked for or taken.
func TestPlayer_ChoosesGuessesOnly(t *testing.T) {
	for phase := Committing; phase <= Over; phase++ {
		at := seat{Params: usual, State: State{Phase: phase, D: 3, Transcript: make([]Entry, 2)}}
		ask := player{}.Ask(at)
		m, err := player{}.Choose(at, "abc")
		if phase == Guessing {
			if !strings.HasPrefix(ask, "Guess 3 of 5,") || m != Guess(lettered("ABC")) || err != nil {
				t.Errorf("%q, %v, %v", ask, m, err)
			}
		} else if ask != "" || !errors.Is(err, games.ErrText) {
			t.Errorf("phase %d: %q, %v", phase, ask, err)
		}
	}
}

func TestPlayer_Describe(t *testing.T) {
	s := hiding(t, Game().Rules, usual, hidden.secret())
	for _, c := range []struct {
		move Move
		want string
	}{
		{Guess(miss), "guesses ACE"},
		{Reply(NewAnswer(0, 0)), "answers 0 in common, sum 0"},
		{Misbehaviour, "claims misbehaviour"},
		{Reveal{hidden.secret(), salt}, "opens the list BDF"},
	} {
		got, err := Game().Player.Describe(s.C, s.State, c.move.encode())
		if err != nil || got != c.want {
			t.Errorf("%q, %v, want %q", got, err, c.want)
		}
		s.play(c.move)
	}
}

// What Moves lists is legal, and all of it.
func TestPlayer_Moves(t *testing.T) {
	p := small(4, 2, 5, 0, 0, 0)
	b := hiding(t, Game().Rules, p, lettered("AB").secret())
	for phase, want := range []int{4*3 + 2, 1 + 2 + 1 + 1} { // (0,0), (1,0), (1,1), (2,1), found
		list, err := Game().Player.Moves(b.C, b.State)
		if err != nil || len(list) != want {
			t.Errorf("phase %d: %x, %v, want %d", phase, list, err, want)
		}
		for _, m := range list {
			if _, err := b.Rules.Play(b.C, b.State, m); err != nil {
				t.Errorf("%x: %v", m, err)
			}
		}
		if phase == 0 {
			b.play(Guess(lettered("CD")))
		}
	}
}

// Guesses are listed where they are few: of at most five letters.
func TestPlayer_MovesOfLargeAlphabets(t *testing.T) {
	for n, want := range map[uint8]int{5: 5 + 2, 6: 0} {
		p := small(n, 1, 5, 0, 0, 0)
		b := hiding(t, Game().Rules, p, lettered("A").secret())
		if list, err := Game().Player.Moves(b.C, b.State); err != nil || len(list) != want {
			t.Errorf("%d letters: %x, %v, want %d", n, list, err, want)
		}
	}
}

// Parameters that no match can have are refused in every form.
func TestParams(t *testing.T) {
	for object, ok := range map[string]bool{
		``: true, `{"n":3,"d":3}`: true, `{"n":3,"d":4}`: false, `{"n":27}`: false, `{"d":0}`: false, `{"guesses":101}`: false,
		`{"prize":"340282366920938463463374607431768211455"}`: true, `{"prize":"340282366920938463463374607431768211456"}`: false,
	} {
		b, err := Game().Params.Encode(json.RawMessage(object))
		if (err == nil) != ok || err != nil && !errors.Is(err, games.ErrParams) {
			t.Errorf("%s: %x, %v", object, b, err)
		}
		if ok {
			if _, err := Game().Params.Decode(b); err != nil {
				t.Errorf("%s: %v", object, err)
			}
		}
	}
	bad := small(3, 4, 1, 0, 0, 0).Bytes()
	if _, err := Game().Params.Decode(bad); !errors.Is(err, games.ErrParams) {
		t.Error(err)
	}
	if _, err := Game().Stakes(bad); !errors.Is(err, games.ErrParams) {
		t.Error(err)
	}
	if s, err := Game().Stakes(usual.Bytes()); err != nil || s[0].Uint64() != 45 || s[1].Uint64() != 100 {
		t.Errorf("%v, %v", s, err)
	}
}

// A server whose answers leave no list is accused by the player's own side, before another guess is
// paid for.
func TestPlayer_AccusesContradictions(t *testing.T) {
	b := hiding(t, Game().Rules, usual, hidden.secret()).guess(hidden, lettered("ABC"), NewAnswer(0, 0))
	s := &sitting{board: b, random: rand.NewChaCha8([32]byte{7})}
	if d, err := Game().Player.Auto(s.table(Player)); d != nil || err != nil {
		t.Fatalf("accused of what is possible: %v, %v", d, err)
	}
	b.guess(hidden, lettered("DEF"), NewAnswer(0, 0))
	if s.auto(Player); s.Now().Phase != Opening {
		t.Fatalf("%+v", s.Now())
	}
	s.open(hidden).ends(0b10, "false result", pot, 0)
}
