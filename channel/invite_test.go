package channel_test

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/ante-games/ante/channel"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// signedInvite returns an invite that is as large as an invite may be.
func signedInvite(t *testing.T, d channel.Domain, change func(*channel.Invite)) channel.SignedInvite {
	t.Helper()
	key := testKey("invite")
	i := channel.SignedInvite{Invite: channel.Invite{
		Player: key.Address(), Rules: common.Address{1}, Params: make([]byte, channel.MaxInviteParams), Least: *uint256.NewInt(1),
		Most: *new(uint256.Int).SetAllOne(), Deposit: *new(uint256.Int).SetAllOne(), Window: channel.MaxDeadline, Guests: seq(channel.MaxGuests, common.Address{2}),
		Expiry: 1 << 62, Addresses: seq(channel.MaxAddresses, strings.Repeat("x", channel.MaxText)), Salt: common.Hash{3},
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

var inviteDomain = channel.Domain{ChainID: 7, Arena: common.Address{7}}

func TestMeetingMessagesSurvive(t *testing.T) {
	i := signedInvite(t, inviteDomain, nil)
	asset := common.Address{5}
	for _, m := range []channel.Message{
		channel.PostInvite{Invite: i}, channel.WithdrawInvite{InviteID: common.Hash{1}}, channel.RefuseInvite{InviteID: common.Hash{1}, Reason: "full"},
		channel.ListInvites{Query: 9, After: common.Hash{2}}, channel.ListInvites{Rules: common.Address{3}, Asset: &asset}, channel.ListInvites{Asset: new(common.Address)},
		channel.InvitePage{Query: 9, Invites: seq(channel.MaxPage, i), More: true}, channel.Bid{InviteID: common.Hash{1}, Round: 3, Stake: *uint256.NewInt(4)},
		channel.EndBids{InviteID: common.Hash{1}, Reason: "taken"},
	} {
		if id, back, err := channel.FromEnvelope(channel.Envelope(common.Hash{}, m)); err != nil || id != (common.Hash{}) || !reflect.DeepEqual(back, m) {
			t.Errorf("%+v is read back as %+v: %v", m, back, err)
		}
	}
}

func TestInviteChecks(t *testing.T) {
	whole := signedInvite(t, inviteDomain, nil)
	if err := whole.Verify(channel.Authority{Domain: inviteDomain}); err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(*channel.Invite){
		"nobody":            func(i *channel.Invite) { i.Player = common.Address{} },
		"no game":           func(i *channel.Invite) { i.Rules = common.Address{} },
		"empty range":       func(i *channel.Invite) { i.Least.SetAllOne(); i.Most.SetOne() },
		"small deposit":     func(i *channel.Invite) { i.Deposit.SubUint64(&i.Deposit, 1) },
		"no window":         func(i *channel.Invite) { i.Window = 0 },
		"wide window":       func(i *channel.Invite) { i.Window = channel.MaxDeadline + 1 },
		"too many guests":   func(i *channel.Invite) { i.Guests = append(i.Guests, common.Address{3}) },
		"itself":            func(i *channel.Invite) { i.Guests[0] = i.Player },
		"nobody is a guest": func(i *channel.Invite) { i.Guests[0] = common.Address{} },
		"long parameters":   func(i *channel.Invite) { i.Params = append(i.Params, 0) },
		"many addresses":    func(i *channel.Invite) { i.Addresses = append(i.Addresses, "") },
		"long address":      func(i *channel.Invite) { i.Addresses[0] += "x" },
		"no UTF-8":          func(i *channel.Invite) { i.Addresses[0] = "\xff" },
	} {
		i := signedInvite(t, inviteDomain, change)
		if err := i.Verify(channel.Authority{Domain: inviteDomain}); !errors.Is(err, channel.ErrTerms) {
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
		invite := channel.Invite{Player: whole.Player, Guests: i.guests}
		if got := invite.Invites(i.account); got != i.may {
			t.Errorf("%s may join an invite to %s: %v", i.account, i.guests, got)
		}
	}
}

// TestAttack_ForgedInvite: nothing of an invite can be changed, and it is good on one chain and Arena only.
func TestAttack_ForgedInvite(t *testing.T) {
	for name, change := range map[string]func(*channel.SignedInvite){
		"player":    func(i *channel.SignedInvite) { i.Player = common.Address{9} },
		"game":      func(i *channel.SignedInvite) { i.Rules = common.Address{9} },
		"params":    func(i *channel.SignedInvite) { i.Params[0]++ },
		"asset":     func(i *channel.SignedInvite) { i.Asset = common.Address{9} },
		"least":     func(i *channel.SignedInvite) { i.Least.SetUint64(2) },
		"most":      func(i *channel.SignedInvite) { i.Most.SetUint64(2) },
		"deposit":   func(i *channel.SignedInvite) { i.Deposit.Clear() },
		"window":    func(i *channel.SignedInvite) { i.Window++ },
		"guests":    func(i *channel.SignedInvite) { i.Guests = nil },
		"expiry":    func(i *channel.SignedInvite) { i.Expiry++ },
		"addresses": func(i *channel.SignedInvite) { i.Addresses[0] = "/ip4/192.0.2.9" },
		"salt":      func(i *channel.SignedInvite) { i.Salt[0]++ },
	} {
		i := signedInvite(t, inviteDomain, nil)
		change(&i)
		if i.Verify(channel.Authority{Domain: inviteDomain}) == nil {
			t.Errorf("a changed %s passes", name)
		}
	}
	i := signedInvite(t, inviteDomain, nil)
	for _, d := range []channel.Domain{{ChainID: 8, Arena: inviteDomain.Arena}, {ChainID: 7}} {
		if i.Verify(channel.Authority{Domain: d}) == nil {
			t.Errorf("an invite passes under %v", d)
		}
	}
}
