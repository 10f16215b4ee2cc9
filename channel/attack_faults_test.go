package channel_test

import (
	"errors"
	"testing"

	"github.com/ante-games/ante/channel"
	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/message"
	"github.com/holiman/uint256"
)

// played counts how often rules are asked to play a move.
type played struct {
	toyRules
	n *int
}

func (r played) Play(c *games.Context, state, move []byte) ([]byte, error) {
	*r.n++
	return r.toyRules.Play(c, state, move)
}

// untold are rules that can't tell the outcome of any state.
type untold struct{ toyRules }

func (untold) Outcome([]byte, []uint256.Int) (games.Outcome, error) {
	return games.Outcome{}, games.ErrIllegal
}

// TestAttack_PoisonedState: a peer moves to an end whose outcome can't be told. The Arena takes no
// evidence that leads there, so a seat that followed could neither demand nor answer. It is no
// move, and we make none ourselves.
func TestAttack_PoisonedState(t *testing.T) {
	tb := openTable(t, 2)
	id := tb.match(0)
	tb.mustMove(0, id, Pass)
	tb.deliverAll()
	tb.withRules(0, untold{})
	tb.mustMove(1, id, Win)
	if err := tb.deliver(0); !errors.Is(err, channel.ErrPeer) {
		t.Errorf("the end is followed: %v", err)
	}
	if v := tb.view(0, id); v.Turn != 1 || v.Support.Last() != 1 || v.Mover != 1 {
		t.Errorf("at turn %s with evidence of turn %s", v.Turn, v.Support.Last())
	}

	other := openTable(t, 2)
	id = other.match(0)
	other.rules(untold{})
	if err := other.move(0, id, Win); !errors.Is(err, games.ErrIllegal) {
		t.Errorf("we move there: %v", err)
	}
}

// TestAttack_IllegalMove: a peer sends moves that break the rules. One that it did not sign is not
// replayed at all, and after some that it signed nothing of it is looked at before the next tick.
func TestAttack_IllegalMove(t *testing.T) {
	for name, c := range map[string]struct {
		signed bool
		most   int
	}{"unsigned": {false, 0}, "signed": {true, 32}} {
		t.Run(name, func(t *testing.T) {
			tb := openTable(t, 2)
			id := tb.match(0)
			tb.mustMove(0, id, Pass)
			tb.deliverAll()
			n := 0
			tb.withRules(0, played{n: &n})
			move := message.Move{MatchID: id, Turn: 2, Move: []byte{99}, Signature: tb.signPosition(1, id, 9, nil)}
			if c.signed {
				move.Signature = tb.sign(1, protocol.Position{MatchID: id, Turn: 2, State: move.State}.Digest(tb.domain))
			}
			flooded := 0
			before := n
			for range 1000 {
				err := tb.says(1, 0, move)
				if errors.Is(err, channel.ErrFlood) {
					flooded++
				} else if !errors.Is(err, channel.ErrPeer) {
					t.Fatal(err)
				}
			}
			if n-before > c.most || flooded != 1000-32 {
				t.Errorf("replayed %d times, refused unseen %d times", n-before, flooded)
			}
			tb.must(0, channel.Tick{})
			tb.queue = nil
			tb.mustMove(1, id, Pass)
			tb.deliverAll()
			if v := tb.view(0, id); v.Turn != 2 {
				t.Errorf("turn %s after the next tick", v.Turn)
			}
		})
	}
}

// TestAttack_OfferStream: a peer offers a draw with ever new payouts. Between two ticks few are
// written down and told.
func TestAttack_OfferStream(t *testing.T) {
	tb := openTable(t, 2)
	id := tb.match(0)
	tb.mustMove(0, id, Pass)
	tb.deliverAll()
	for i := range uint64(150) {
		a := protocol.Agreement{MatchID: id, Turn: 1, Payouts: []uint256.Int{*uint256.NewInt(i), *uint256.NewInt(200 - i)}}
		err := tb.says(1, 0, message.AgreementSignature{Agreement: a, Seat: 1, Signature: tb.sign(1, a.Digest(tb.domain))})
		if err != nil && !errors.Is(err, channel.ErrFlood) {
			t.Fatal(err)
		}
	}
	if n := len(happened[channel.AgreementOffered](tb.seats[0])); n == 0 || n > 32 {
		t.Errorf("%d offers are told", n)
	}
}
