package message_test

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/matchmaking"
	"github.com/ante-games/ante/protocol/message"
	"github.com/ante-games/ante/protocol/protocoltest"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// signedInvite returns an invite that is as large as an invite may be.
func signedInvite(t *testing.T, d protocol.Domain, change func(*matchmaking.Invite)) matchmaking.SignedInvite {
	t.Helper()
	key := protocoltest.Key("invite")
	i := matchmaking.SignedInvite{Invite: matchmaking.Invite{
		Player: key.Address(), Rules: common.Address{1}, Params: make([]byte, matchmaking.MaxInviteParams), Least: *uint256.NewInt(1),
		Most: *new(uint256.Int).SetAllOne(), Deposit: *new(uint256.Int).SetAllOne(), Window: protocol.MaxDeadline, Guests: seq(matchmaking.MaxGuests, common.Address{2}),
		Expiry: 1 << 62, Addresses: seq(matchmaking.MaxAddresses, strings.Repeat("x", protocol.MaxText)), Salt: common.Hash{3},
	}}
	if change != nil {
		change(&i.Invite)
	}
	var err error
	if i.Signature, err = key.Sign(i.ID(d)); err != nil {
		t.Fatal(err)
	}
	return i
}

var inviteDomain = protocol.Domain{ChainID: 7, Arena: common.Address{7}}

func TestMeetingMessagesSurvive(t *testing.T) {
	i := signedInvite(t, inviteDomain, nil)
	asset := common.Address{5}
	for _, m := range []message.Message{
		message.PostInvite{Invite: i}, message.WithdrawInvite{InviteID: common.Hash{1}}, message.RefuseInvite{InviteID: common.Hash{1}, Reason: "full"},
		message.ListInvites{Query: 9, After: common.Hash{2}}, message.ListInvites{Rules: common.Address{3}, Asset: &asset}, message.ListInvites{Asset: new(common.Address)},
		message.InvitePage{Query: 9, Invites: seq(message.MaxPage, i), More: true}, message.Bid{InviteID: common.Hash{1}, Number: 3, Stake: *uint256.NewInt(4), Agrees: 2},
		message.EndBids{InviteID: common.Hash{1}, Reason: "taken"},
	} {
		if id, back, err := message.FromEnvelope(message.Envelope(common.Hash{}, m)); err != nil || id != (common.Hash{}) || !reflect.DeepEqual(back, m) {
			t.Errorf("%+v is read back as %+v: %v", m, back, err)
		}
	}
}

func TestInviteChecks(t *testing.T) {
	whole := signedInvite(t, inviteDomain, nil)
	if err := whole.Verify(protocol.Authority{Domain: inviteDomain}); err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(*matchmaking.Invite){
		"nobody":            func(i *matchmaking.Invite) { i.Player = common.Address{} },
		"no game":           func(i *matchmaking.Invite) { i.Rules = common.Address{} },
		"empty range":       func(i *matchmaking.Invite) { i.Least.SetAllOne(); i.Most.SetOne() },
		"small deposit":     func(i *matchmaking.Invite) { i.Deposit.SubUint64(&i.Deposit, 1) },
		"no window":         func(i *matchmaking.Invite) { i.Window = 0 },
		"wide window":       func(i *matchmaking.Invite) { i.Window = protocol.MaxDeadline + 1 },
		"too many guests":   func(i *matchmaking.Invite) { i.Guests = append(i.Guests, common.Address{3}) },
		"itself":            func(i *matchmaking.Invite) { i.Guests[0] = i.Player },
		"nobody is a guest": func(i *matchmaking.Invite) { i.Guests[0] = common.Address{} },
		"long parameters":   func(i *matchmaking.Invite) { i.Params = append(i.Params, 0) },
		"many addresses":    func(i *matchmaking.Invite) { i.Addresses = append(i.Addresses, "") },
		"long address":      func(i *matchmaking.Invite) { i.Addresses[0] += "x" },
		"no UTF-8":          func(i *matchmaking.Invite) { i.Addresses[0] = "\xff" },
	} {
		i := signedInvite(t, inviteDomain, change)
		if err := i.Verify(protocol.Authority{Domain: inviteDomain}); !errors.Is(err, protocol.ErrTerms) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, i := range []struct {
		account common.Address
		guests  []common.Address
		may     bool
	}{
		{common.Address{2}, nil, true}, {whole.Player, nil, false}, {common.Address{2}, []common.Address{{2}}, true}, {common.Address{2}, []common.Address{{3}}, false},
	} {
		invite := matchmaking.Invite{Player: whole.Player, Guests: i.guests}
		if got := invite.Invites(i.account); got != i.may {
			t.Errorf("%s may join an invite to %s: %v", i.account, i.guests, got)
		}
	}
}

// TestAttack_ForgedInvite: nothing of an invite can be changed, and it is good on one chain and
// Arena only.
func TestAttack_ForgedInvite(t *testing.T) {
	for name, change := range map[string]func(*matchmaking.SignedInvite){
		"player":    func(i *matchmaking.SignedInvite) { i.Player = common.Address{9} },
		"game":      func(i *matchmaking.SignedInvite) { i.Rules = common.Address{9} },
		"params":    func(i *matchmaking.SignedInvite) { i.Params[0]++ },
		"asset":     func(i *matchmaking.SignedInvite) { i.Asset = common.Address{9} },
		"least":     func(i *matchmaking.SignedInvite) { i.Least.SetUint64(2) },
		"most":      func(i *matchmaking.SignedInvite) { i.Most.SetUint64(2) },
		"deposit":   func(i *matchmaking.SignedInvite) { i.Deposit.Clear() },
		"window":    func(i *matchmaking.SignedInvite) { i.Window++ },
		"guests":    func(i *matchmaking.SignedInvite) { i.Guests = nil },
		"expiry":    func(i *matchmaking.SignedInvite) { i.Expiry++ },
		"addresses": func(i *matchmaking.SignedInvite) { i.Addresses[0] = "/ip4/192.0.2.9" },
		"salt":      func(i *matchmaking.SignedInvite) { i.Salt[0]++ },
	} {
		i := signedInvite(t, inviteDomain, nil)
		change(&i)
		if i.Verify(protocol.Authority{Domain: inviteDomain}) == nil {
			t.Errorf("a changed %s passes", name)
		}
	}
	i := signedInvite(t, inviteDomain, nil)
	for _, d := range []protocol.Domain{{ChainID: 8, Arena: inviteDomain.Arena}, {ChainID: 7}} {
		if i.Verify(protocol.Authority{Domain: d}) == nil {
			t.Errorf("an invite passes under %v", d)
		}
	}
}
