package message

import (
	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"github.com/ante-games/ante/protocol/encoding"
	"github.com/ante-games/ante/protocol/matchmaking"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// Messages by which opponents meet. They belong to no channel.
type (
	// PostInvite asks a lobby to show an invite of the sender's.
	PostInvite struct{ Invite matchmaking.SignedInvite }
	// WithdrawInvite asks a lobby to show it no longer.
	WithdrawInvite struct{ InviteID common.Hash }
	// RefuseInvite says why a lobby does not show an invite.
	RefuseInvite struct {
		InviteID common.Hash
		Reason   string
	}
	// ListInvites asks a node for the invites that it shows: its own, and in a lobby those of
	// others.
	ListInvites struct {
		Query uint64          // the asker's name for the question
		Rules common.Address  // of this game only; zero: of any
		Asset *common.Address // for stakes of this asset only; nil: of any
		After common.Hash     // only ids above this one
	}
	// InvitePage answers ListInvites, by ascending ids.
	InvitePage struct {
		Query   uint64
		Invites []matchmaking.SignedInvite
		More    bool // there are some after the last
	}
	// Bid is the stake that the sender proposes for an invite, in place of its older bids.
	Bid struct {
		InviteID common.Hash
		Number   uint32 // each side counts its own, from 1
		Stake    uint256.Int
		Agrees   uint32 // to which bid of the other side; 0: to none
	}
	// Nickname is how an account asks to be called.
	Nickname struct{ matchmaking.SignedNickname }
	// EndBids ends a negotiation.
	EndBids struct {
		InviteID common.Hash
		Reason   string
	}
)

// MaxPage is the most invites of one page.
const MaxPage = 16

func (PostInvite) isMessage()     {}
func (WithdrawInvite) isMessage() {}
func (RefuseInvite) isMessage()   {}
func (ListInvites) isMessage()    {}
func (InvitePage) isMessage()     {}
func (Bid) isMessage()            {}
func (EndBids) isMessage()        {}
func (Nickname) isMessage()       {}

func encodeInvite(i *matchmaking.SignedInvite) *antev1.Invite {
	return &antev1.Invite{Player: i.Player[:], Rules: i.Rules[:], Params: i.Params, Asset: i.Asset[:], Least: i.Least.Bytes(),
		Most: i.Most.Bytes(), Deposit: i.Deposit.Bytes(), Window: i.Window, Guests: encoding.All(i.Guests, encoding.Address),
		Expiry: i.Expiry, Addresses: i.Addresses, Salt: i.Salt[:], Signature: i.Signature[:], Deputy: encoding.Deputy(i.Deputy)}
}

func encodeQuery(m *ListInvites) *antev1.ListInvites {
	out := &antev1.ListInvites{Query: m.Query, After: m.After[:]}
	if m.Rules != (common.Address{}) {
		out.Rules = m.Rules[:]
	}
	if m.Asset != nil {
		out.Asset = m.Asset[:]
	}
	return out
}

// encodeMeeting puts a message of a meeting into an envelope.
func encodeMeeting(e *antev1.Envelope, m Message) {
	switch m := m.(type) {
	case PostInvite:
		e.Body = &antev1.Envelope_PostInvite{PostInvite: &antev1.PostInvite{Invite: encodeInvite(&m.Invite)}}
	case WithdrawInvite:
		e.Body = &antev1.Envelope_WithdrawInvite{WithdrawInvite: &antev1.WithdrawInvite{InviteId: m.InviteID[:]}}
	case RefuseInvite:
		e.Body = &antev1.Envelope_RefuseInvite{RefuseInvite: &antev1.RefuseInvite{InviteId: m.InviteID[:], Reason: m.Reason}}
	case ListInvites:
		e.Body = &antev1.Envelope_ListInvites{ListInvites: encodeQuery(&m)}
	case InvitePage:
		e.Body = &antev1.Envelope_InvitePage{InvitePage: &antev1.InvitePage{Query: m.Query, Invites: encoding.All(m.Invites, encodeInvite), More: m.More}}
	case Bid:
		e.Body = &antev1.Envelope_Bid{Bid: &antev1.Bid{InviteId: m.InviteID[:], Number: m.Number, Stake: m.Stake.Bytes(), Agrees: m.Agrees}}
	case Nickname:
		e.Body = &antev1.Envelope_Nickname{Nickname: &antev1.Nickname{
			Account: m.Account[:], Name: m.Name, Time: m.Time, Signature: m.Signature[:], Deputy: encoding.Deputy(m.Deputy)}}
	case EndBids:
		e.Body = &antev1.Envelope_EndBids{EndBids: &antev1.EndBids{InviteId: m.InviteID[:], Reason: m.Reason}}
	}
}

// meeting reads a message of a meeting, nil if it is none.
func (d *decoder) meeting(e *antev1.Envelope) Message {
	switch b := e.GetBody().(type) {
	case *antev1.Envelope_PostInvite:
		if d.Need(b.PostInvite != nil, "post") {
			return PostInvite{Invite: d.invite(b.PostInvite.Invite, "invite")}
		}
	case *antev1.Envelope_WithdrawInvite:
		if d.Need(b.WithdrawInvite != nil, "withdrawal") {
			return WithdrawInvite{InviteID: d.Hash(b.WithdrawInvite.InviteId, "invite id")}
		}
	case *antev1.Envelope_RefuseInvite:
		if m := b.RefuseInvite; d.Need(m != nil, "refusal") {
			return RefuseInvite{InviteID: d.Hash(m.InviteId, "invite id"), Reason: d.Text(m.Reason, "reason")}
		}
	case *antev1.Envelope_ListInvites:
		if d.Need(b.ListInvites != nil, "query") {
			return d.query(b.ListInvites)
		}
	case *antev1.Envelope_InvitePage:
		if m := b.InvitePage; d.Need(m != nil, "page") {
			return InvitePage{Query: m.Query, Invites: encoding.DecodeAll(&d.Decoder, m.Invites, MaxPage, "invites", d.invite), More: m.More}
		}
	case *antev1.Envelope_Bid:
		if m := b.Bid; d.Need(m != nil, "bid") {
			return Bid{InviteID: d.Hash(m.InviteId, "invite id"), Number: m.Number, Stake: d.Amount(m.Stake, "stake"), Agrees: m.Agrees}
		}
	case *antev1.Envelope_Nickname:
		if m := b.Nickname; d.Need(m != nil, "nickname") {
			account := d.Address(m.Account, "account")
			return Nickname{matchmaking.SignedNickname{
				Nickname:  matchmaking.Nickname{Account: account, Name: d.Text(m.Name, "name"), Time: m.Time},
				Signature: d.Signature(m.Signature, "signature"), Deputy: d.Deputy(account, m.Deputy),
			}}
		}
	case *antev1.Envelope_EndBids:
		if m := b.EndBids; d.Need(m != nil, "end") {
			return EndBids{InviteID: d.Hash(m.InviteId, "invite id"), Reason: d.Text(m.Reason, "reason")}
		}
	}
	return nil
}

func (d *decoder) query(m *antev1.ListInvites) Message {
	out := ListInvites{Query: m.Query, After: d.Hash(m.After, "id")}
	if len(m.Rules) > 0 {
		if out.Rules = d.Address(m.Rules, "rules"); out.Rules == (common.Address{}) {
			d.Fail("the rules of no game")
		}
	}
	if len(m.Asset) > 0 {
		asset := d.Address(m.Asset, "asset")
		out.Asset = &asset
	}
	return out
}

func (d *decoder) invite(m *antev1.Invite, what string) matchmaking.SignedInvite {
	if !d.Need(m != nil, what) {
		return matchmaking.SignedInvite{}
	}
	return matchmaking.SignedInvite{
		Invite: matchmaking.Invite{Player: d.Address(m.Player, "player"), Rules: d.Address(m.Rules, "rules"),
			Params: d.Bytes(m.Params, matchmaking.MaxInviteParams, "parameters"), Asset: d.Address(m.Asset, "asset"), Least: d.Amount(m.Least, "least stake"),
			Most: d.Amount(m.Most, "largest stake"), Deposit: d.Amount(m.Deposit, "deposit"), Window: m.Window,
			Guests: encoding.DecodeAll(&d.Decoder, m.Guests, matchmaking.MaxGuests, "guests", d.Address), Expiry: m.Expiry,
			Addresses: encoding.DecodeAll(&d.Decoder, m.Addresses, matchmaking.MaxAddresses, "addresses", d.Text), Salt: d.Hash(m.Salt, "salt")},
		Signature: d.Signature(m.Signature, "signature of the invite"),
		Deputy:    d.Deputy(d.Address(m.Player, "player"), m.Deputy),
	}
}
