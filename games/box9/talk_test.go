package box9

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/ante-games/ante/games"
)

// A player is asked for its bet once; what it says can be recalled, and is what the house includes.
func TestPlayer_Bets(t *testing.T) {
	b := named(t, games.Bytes(rules{}), usual, 2).all()
	p := player{}
	if ask := p.Ask(b.at(1)); !strings.HasPrefix(ask, "Round 1 of 3, a box is 10 coins, bets close at block 998") {
		t.Errorf("asked %q", ask)
	}
	if text, err := p.Recall(b.at(1)); text != "" || err != nil {
		t.Errorf("recalls %q before it has bet, %v", text, err)
	}
	n, err := p.Say(b.at(1), "1 4 7")
	if err != nil || n.To != House {
		t.Fatalf("%+v, %v", n, err)
	}
	n.From = 1
	if list, _ := bets(b.at(House, *n)); len(list) != 1 || list[0].Mask != on(1, 4, 7) {
		t.Errorf("the house takes %+v", list)
	}
	other := games.Note{From: 2, Text: n.Text}
	if text, err := p.Recall(b.at(1, other, *n)); text != "your bet is 1 4 7" || err != nil {
		t.Errorf("recalls %q, %v", text, err)
	}
	if text, err := p.Recall(b.at(1, other)); text != "" || err != nil {
		t.Errorf("recalls another's bet: %q, %v", text, err)
	}
	if ask := p.Ask(b.at(1, *n)); ask != "" {
		t.Errorf("asked again: %q", ask)
	}
	if again, err := p.Chat(b.at(1, *n)); again != nil || err != nil {
		t.Errorf("the bot bets again: %+v, %v", again, err)
	}
	if again, err := p.Chat(b.at(1, other)); again == nil || err != nil {
		t.Errorf("the bot doesn't bet: %+v, %v", again, err)
	}
}

// Who passes tells the house so, without a bet, and is not asked again.
func TestPlayer_Passes(t *testing.T) {
	b := named(t, games.Bytes(rules{}), usual, 2).all()
	n, err := player{}.Say(b.at(1), " pass ")
	if err != nil || n.To != House || len(n.Text) != 0 {
		t.Fatalf("%+v, %v", n, err)
	}
	n.From = 1
	if text, err := (player{}).Recall(b.at(1, *n)); text != "" || err != nil {
		t.Errorf("recalls %q, %v", text, err)
	}
	if ask := (player{}).Ask(b.at(1, *n)); ask != "" {
		t.Errorf("asked again: %q", ask)
	}
}

// Who may not bet is told why.
func TestPlayer_NoBets(t *testing.T) {
	b := named(t, games.Bytes(rules{}), usual, 2).all()
	house, naming, closed := b.at(House), b.at(1), b.at(1)
	naming.State.Phase, closed.State.Phase = Naming, Drawing
	for want, s := range map[string]seat{
		"the house does not bet":                         house,
		"the house has not named the block of round 1":   naming,
		"once every seat has signed the block":           b.signed(unsigned, 0).at(1),
		"the bets of round 1 are closed, and block 1010": closed,
	} {
		if _, err := (player{}).Say(s, "1"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

// No bet is signed that the seat can't pay, that is none, at the wrong time, or by who has no key;
// nobody is asked for one then.
func TestPlayer_RefusesBets(t *testing.T) {
	p := usual
	p.Coin = 2_000 // a box is 20,000 of 100,000
	b := named(t, games.Bytes(rules{}), p, 2).all()
	refuse := func(s seat, text string) {
		t.Helper()
		if n, err := (player{}).Say(s, text); n != nil || !errors.Is(err, games.ErrText) {
			t.Errorf("%q: %+v, %v", text, n, err)
		}
	}
	if n, err := (player{}).Say(b.at(1), "12345"); n == nil || err != nil {
		t.Errorf("all that it has: %v", err)
	}
	refuse(b.at(1), "123456")
	refuse(b.at(1), "0")
	rich := b.at(House)
	rich.State.Pocket[House].SetUint64(100_000)
	refuse(rich, "1")
	looks := b.at(1)
	looks.Sign = nil
	if n, err := (player{}).Say(looks, "1"); n != nil || err == nil || errors.Is(err, games.ErrText) {
		t.Errorf("without a key: %+v, %v", n, err)
	}
	for name, closed := range map[string]seat{"the house": rich, "before all have signed the block": b.signed(unsigned, 0).at(1)} {
		if ask := (player{}).Ask(closed); ask != "" {
			t.Errorf("%s: asked %q", name, ask)
		}
	}
	refuse(b.at(1), "1")
	poor := b.all().at(1)
	poor.State.Pocket[1].SetUint64(19_999)
	if ask := (player{}).Ask(poor); ask != "" {
		t.Errorf("asked who has nothing to bet: %q", ask)
	}
	if n, err := (player{}).Chat(poor); err != nil || n == nil || len(n.Text) != 0 {
		t.Errorf("the bot of who has nothing to bet: %+v, %v", n, err)
	}
}

// The bot bets one to three boxes, as many as it can pay: the random bytes say which, the last how
// many.
func TestPlayer_BotBetsOneToThreeBoxes(t *testing.T) {
	b := named(t, games.Bytes(rules{}), usual, 1).all()
	for _, c := range []struct {
		random [4]byte
		pocket uint64
		want   Mask
	}{
		{[4]byte{8, 1, 2, 3}, 100_000, on(9)},
		{[4]byte{8, 1, 2, 4}, 100_000, on(2, 9)},
		{[4]byte{8, 1, 2, 5}, 100_000, on(2, 3, 9)},
		{[4]byte{9, 0, 18, 5}, 100_000, on(1)},
		{[4]byte{8, 1, 2, 5}, 2_999, on(3, 9)},
		{[4]byte{8, 1, 2, 5}, 1_000, on(9)},
	} {
		s := b.at(1)
		s.Random = bytes.NewReader(c.random[:])
		s.State.Pocket[1].SetUint64(c.pocket)
		n, err := player{}.Chat(s)
		if err != nil || len(n.Text) != betSize || decodeBet(n.Text).Mask != c.want {
			t.Errorf("of %d with %d: %+v, %v, want boxes %v", c.random, c.pocket, n, err, c.want)
		}
	}
}
