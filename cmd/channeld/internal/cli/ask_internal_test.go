package cli

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ante-games/ante/node/wei"
	antev1 "github.com/ante-games/ante/proto/ante/v1"
)

// answering is a terminal at which somebody has typed an answer.
func answering(t *testing.T, text string) (*app, *bytes.Buffer) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "typed")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	in, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { in.Close() })
	var said bytes.Buffer
	return &app{Terminal: Terminal{In: in, Err: &said}, session: t.Context()}, &said
}

// A question that is interrupted is answered with no.
func TestAskInterrupted(t *testing.T) {
	in, typed, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	defer typed.Close() // nobody types
	ctx, interrupt := context.WithCancel(t.Context())
	interrupt()
	if err := (&app{Terminal: Terminal{In: in, Err: io.Discard}, session: ctx}).agree(); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// What is approved is what was shown: a proposal that took another's place is shown itself, with
// game, parameters and stakes, or refused where the version says what was meant.
func TestAttack_BaitAndSwitch(t *testing.T) {
	p := &antev1.Proposal{ChannelId: "0x3f8a", Version: 4, From: 1, Matches: []*antev1.ProposedMatch{
		{Game: "battleships", ParamsJson: `{"size":8}`, Stakes: []string{"400000000000000000", "400000000000000000"}},
	}}
	for _, c := range []struct {
		typed   string
		version uint64
		yes, ok bool
	}{{"", 0, false, false}, {"n\n", 0, false, false}, {"y\n", 0, false, true}, {"", 2, false, false}, {"", 2, true, false}, {"", 4, false, true}, {"", 0, true, true}} {
		a, said := answering(t, c.typed)
		api := &remote{app: a, known: map[string]wei.Unit{"": {}}}
		if err := api.reviewProposal(p, c.version, c.yes); (err == nil) != c.ok {
			t.Errorf("%+v: %v", c, err)
		}
		asked := !c.yes && c.version == 0
		for _, part := range []string{"battleships", `{"size":8}`, "0.4 eth / 0.4 eth"} {
			if strings.Contains(said.String(), part) != asked {
				t.Errorf("%+v: %q is said", c, said)
			}
		}
	}
}

// An offer, an invite and a round are named by what they say. A part of the name stands for
// whatever there is now that begins with it: somebody may have made another for that, and taken
// back the first. So whoever types a part is shown it, and asked.
func TestAttack_BaitAndSwitch_Prefix(t *testing.T) {
	const id = "0x3f8a000000000000000000000000000000000000000000000000000000000000"
	offer := &antev1.Offer{Id: id, Terms: &antev1.Terms{Players: []string{"0xA1", "0xB2"}, Deposits: []string{"0", "900000000000000000"}, Window: 70}}
	invite := &antev1.InviteInfo{Id: id, Player: "0xA1", Game: "battleships", Least: "900000000000000000", Most: "900000000000000000", Window: 70}
	round := &antev1.RoundInfo{Id: id, House: "0xA1", Game: "box9", Least: "900000000000000000", Most: "900000000000000000", Window: 70}
	for _, c := range []struct {
		typed, answer  string
		yes, asked, ok bool
	}{
		{"", "", false, true, false}, {"0x3f8a", "", false, true, false}, {"0x3f8a", "n\n", false, true, false}, {"0x3f8a", "y\n", false, true, true},
		{"0x3f8a", "", true, false, true}, {id, "", false, false, true},
	} {
		for what, review := range map[string]func(*remote) error{
			"offer":  func(api *remote) error { return api.reviewOffer(offer, c.typed, c.yes) },
			"invite": func(api *remote) error { return api.reviewInvite(invite, c.typed, "", c.yes) },
			"round":  func(api *remote) error { return api.reviewRound(round, c.typed, "900000000000000000", c.yes) },
		} {
			a, said := answering(t, c.answer)
			err := review(&remote{app: a, known: map[string]wei.Unit{"": {}}, people: new(antev1.ListPeersResponse)})
			if (err == nil) != c.ok {
				t.Errorf("%s, %+v: %v", what, c, err)
			}
			if strings.Contains(said.String(), "you stake 0.9 eth: ") != (c.asked && what != "offer") {
				t.Errorf("%s, %+v: %q is said", what, c, said)
			}
			for _, part := range []string{"0xA1", "0.9 eth", "window 70"} {
				if strings.Contains(said.String(), part) != c.asked {
					t.Errorf("%s, %+v: %q is said", what, c, said)
				}
			}
		}
	}
}

// The account of a player is named by its beginning, too, or is the only one: somebody may have
// made another that begins so, and be connected where that player is not. Who is shown, whole,
// before it is offered anything, named, invited, or bid to.
func TestAttack_BaitAndSwitch_Account(t *testing.T) {
	const bob = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8"
	for _, c := range []struct {
		typed, contact, answer string
		yes, asked, ok         bool
	}{
		{"0x7099", "bob", "", false, true, false}, {"0x7099", "bob", "n\n", false, true, false}, {"0x7099…", "bob", "y\n", false, true, true},
		{"0x7099", "bob", "", true, false, true}, {bob, "", "", false, false, true}, {strings.ToLower(bob), "", "", false, false, true},
		{"bob", "bob", "", false, false, true}, {"0x1", "bob", "", true, false, false},
		{"", "bob", "", false, false, true}, {"", "", "", false, true, false}, {"", "", "y\n", false, true, true}, {"", "", "", true, false, true},
	} {
		for what, act := range map[string]func(*remote) error{
			"a player": func(api *remote) error {
				list, err := players(api, []string{c.typed}, c.yes)
				if err == nil && !strings.EqualFold(list[0], bob) {
					t.Errorf("%+v: %v", c, list)
				}
				return err
			},
			"a bidder": func(api *remote) error {
				x := &antev1.InviteInfo{Mine: true, Negotiations: []*antev1.Negotiation{{With: bob, MayBid: true}}}
				_, err := api.bidder(x, c.typed, c.yes)
				return err
			},
		} {
			a, said := answering(t, c.answer)
			api := &remote{app: a, ctx: t.Context(), NodeServiceClient: known{peers: []*antev1.Peer{{Account: bob, Contact: c.contact}}}}
			if err := act(api); (err == nil) != c.ok {
				t.Errorf("%s, %+v: %v", what, c, err)
			}
			if strings.Contains(said.String(), bob) != c.asked {
				t.Errorf("%s, %+v: %q is said", what, c, said)
			}
		}
	}
}
