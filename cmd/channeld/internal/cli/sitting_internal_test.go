package cli

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"connectrpc.com/connect"
	"github.com/ante-games/ante/node/wei"
	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"github.com/ante-games/ante/proto/ante/v1/antev1connect"
)

// agreeing is a daemon that notes which draws it is told to accept.
type agreeing struct {
	antev1connect.NodeServiceClient
	accepted []string
}

func (a *agreeing) AcceptDraw(_ context.Context, r *connect.Request[antev1.AcceptDrawRequest]) (*connect.Response[antev1.AcceptDrawResponse], error) {
	a.accepted = append(a.accepted, strings.Join(r.Msg.Payouts, "/"))
	return connect.NewResponse(new(antev1.AcceptDrawResponse)), nil
}

// The opponent offers an end that gives it all, in the moment in which the user asks for a draw.
// The user is asked again, once for each such offer. Everybody's stake back is what was asked for.
func TestAttack_BaitAndSwitch_Draw(t *testing.T) {
	var out bytes.Buffer
	daemon := new(agreeing)
	m := &antev1.Match{Seat: 0, Seats: []uint32{0, 1}, Stakes: []string{"5", "5"}}
	s := &sitting{match: m, remote: &remote{
		app: &app{Terminal: Terminal{Out: &out}}, ctx: t.Context(), NodeServiceClient: daemon, known: map[string]wei.Unit{"": {}}, people: new(antev1.ListPeersResponse),
	}}
	for _, step := range []struct {
		line     string
		payouts  []string // of what is offered when it is typed
		accepted []string
	}{
		{"/draw", []string{"0", "10"}, nil},
		{"/draw", []string{"1", "9"}, nil},
		{"/board", []string{"1", "9"}, nil},
		{"/draw", []string{"1", "9"}, nil},
		{"/draw", []string{"1", "9"}, []string{"1/9"}},
		{"/draw", []string{"1", "9"}, []string{"1/9"}},
		{"/draw", []string{"5", "5"}, []string{"1/9", "5/5"}},
	} {
		m.Draws = []*antev1.DrawOffer{{Seat: 1, Payouts: step.payouts}}
		if _, err := s.do(step.line); err != nil || !slices.Equal(daemon.accepted, step.accepted) {
			t.Fatalf("%s with %v on offer: accepted %v, want %v (%v)\n%s", step.line, step.payouts, daemon.accepted, step.accepted, err, &out)
		}
	}
	if !strings.Contains(out.String(), "offers to end it with 1 wei / 9 wei, of which 1 wei is yours: type /draw again to agree") {
		t.Errorf("the user was told\n%s", &out)
	}
}

// playing is a daemon that notes for which turns it is told to move.
type playing struct {
	antev1connect.NodeServiceClient
	turns []string
}

func (p *playing) Play(_ context.Context, r *connect.Request[antev1.PlayRequest]) (*connect.Response[antev1.PlayResponse], error) {
	p.turns = append(p.turns, r.Msg.Turn)
	return connect.NewResponse(&antev1.PlayResponse{Match: new(antev1.GetMatchResponse)}), nil
}

// TestTypedForWhatIsShown: a move is for the turn that stands on the screen.
func TestTypedForWhatIsShown(t *testing.T) {
	daemon := new(playing)
	m := &antev1.Match{Id: "0x12", Turn: "1.7"}
	s := sit(&remote{app: &app{Terminal: Terminal{Out: new(bytes.Buffer)}}, ctx: t.Context(), NodeServiceClient: daemon}, m)
	if _, err := s.do("steal"); err != nil || !slices.Equal(daemon.turns, []string{"1.7"}) {
		t.Errorf("moved for turns %v, %v", daemon.turns, err)
	}
}

// TestSittingBeforeTheFirstLook: the daemon goes away between the command that finds the match and
// the first look at it. What the user types then does not need that look.
func TestSittingBeforeTheFirstLook(t *testing.T) {
	var out bytes.Buffer
	m := &antev1.Match{Id: "0x1234567890abcdef", Seats: []uint32{0, 1}, Stakes: []string{"5", "5"}}
	s := sit(&remote{
		app: &app{Terminal: Terminal{Out: &out}}, ctx: t.Context(), NodeServiceClient: gone{}, known: map[string]wei.Unit{"": {}}, people: new(antev1.ListPeersResponse),
	}, m)
	for _, line := range []string{"/concede", "/draw"} {
		if _, err := s.do(line); err != nil && !lost(err) {
			t.Errorf("%s: %v", line, err)
		}
	}
	if !strings.Contains(out.String(), "your stake of 5 wei: type /concede again") {
		t.Errorf("the user was told\n%s", &out)
	}
}

// gone is a daemon that does not answer.
type gone struct {
	antev1connect.NodeServiceClient
}

func (gone) OfferDraw(context.Context, *connect.Request[antev1.OfferDrawRequest]) (*connect.Response[antev1.OfferDrawResponse], error) {
	return nil, connect.NewError(connect.CodeUnavailable, errors.New("it went away"))
}
