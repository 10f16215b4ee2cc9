package message_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/ante-games/ante/games"
	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/encoding"
	"github.com/ante-games/ante/protocol/matchmaking"
	"github.com/ante-games/ante/protocol/message"
	"github.com/ante-games/ante/protocol/protocoltest"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
	"google.golang.org/protobuf/proto"
)

func seq[T any](n int, v T) []T {
	out := make([]T, n)
	for i := range out {
		out[i] = v
	}
	return out
}

// Messages that parse as protobuf, and that no honest peer sends.
func TestAttack_Garbage(t *testing.T) {
	id, sig := make([]byte, 32), protocoltest.Signature()
	invite := func(changes ...func(*antev1.Invite)) *antev1.Invite {
		i := &antev1.Invite{Player: id[:20], Rules: id[:20], Asset: id[:20], Salt: id, Signature: sig}
		for _, change := range changes {
			change(i)
		}
		return i
	}
	counter := &antev1.Countersign{MatchId: id, State: id, Signature: sig}
	ledger := &antev1.Ledger{ChannelId: id, Balances: [][]byte{{1}, {2}}}
	for name, e := range map[string]*antev1.Envelope{
		"nothing":         {ChannelId: id},
		"no channel":      {Body: &antev1.Envelope_Countersign{Countersign: counter}},
		"short channel":   {ChannelId: id[1:], Body: &antev1.Envelope_Countersign{Countersign: counter}},
		"needless id":     {ChannelId: id, Body: &antev1.Envelope_OpenReply{OpenReply: &antev1.OpenReply{Decline: "no", OfferId: id}}},
		"empty body":      {ChannelId: id, Body: &antev1.Envelope_Move{}},
		"long hash":       {ChannelId: id, Body: &antev1.Envelope_Countersign{Countersign: &antev1.Countersign{MatchId: append(id, 0), Signature: sig}}},
		"short signature": {ChannelId: id, Body: &antev1.Envelope_Countersign{Countersign: &antev1.Countersign{MatchId: id, Signature: sig[1:]}}},
		"no state":        {ChannelId: id, Body: &antev1.Envelope_Countersign{Countersign: &antev1.Countersign{MatchId: id, Signature: sig}}},
		"no such seat":    {ChannelId: id, Body: &antev1.Envelope_Countersign{Countersign: &antev1.Countersign{MatchId: id, Seat: 16, Signature: sig}}},
		"wide seat":       {ChannelId: id, Body: &antev1.Envelope_Countersign{Countersign: &antev1.Countersign{MatchId: id, Seat: 256, Signature: sig}}},
		"long move":       {ChannelId: id, Body: &antev1.Envelope_Move{Move: &antev1.Move{MatchId: id, Move: make([]byte, games.MaxMove+1), Signature: sig}}},
		"leading zero": {ChannelId: id, Body: &antev1.Envelope_Agreement{Agreement: &antev1.AgreementSignature{MatchId: id, Signature: sig,
			Payouts: [][]byte{{0, 1}}}}},
		"wide amount": {ChannelId: id, Body: &antev1.Envelope_Agreement{Agreement: &antev1.AgreementSignature{MatchId: id, Signature: sig,
			Payouts: [][]byte{append([]byte{1}, id...)}}}},
		"many amounts": {ChannelId: id, Body: &antev1.Envelope_Agreement{Agreement: &antev1.AgreementSignature{MatchId: id, Signature: sig,
			Payouts: seq(17, []byte{1})}}},
		"no ledger":            {ChannelId: id, Body: &antev1.Envelope_Propose{Propose: &antev1.Propose{}}},
		"no lock":              {ChannelId: id, Body: &antev1.Envelope_Propose{Propose: &antev1.Propose{Ledger: &antev1.Ledger{ChannelId: id, Locks: []*antev1.Lock{nil}}}}},
		"many locks":           {ChannelId: id, Body: &antev1.Envelope_Propose{Propose: &antev1.Propose{Ledger: &antev1.Ledger{ChannelId: id, Locks: seq(protocol.MaxLocks+1, &antev1.Lock{MatchId: id})}}}},
		"many new":             {ChannelId: id, Body: &antev1.Envelope_Propose{Propose: &antev1.Propose{Ledger: ledger, Matches: seq(protocol.MaxNew+1, &antev1.MatchTerms{ChannelId: id, Rules: id[:20]})}}},
		"long params":          {ChannelId: id, Body: &antev1.Envelope_Propose{Propose: &antev1.Propose{Ledger: ledger, Matches: []*antev1.MatchTerms{{ChannelId: id, Rules: id[:20], Params: make([]byte, protocol.MaxParams+1)}}}}},
		"no code":              {ChannelId: id, Body: &antev1.Envelope_Reject{Reject: &antev1.Reject{Digest: id}}},
		"no known code":        {ChannelId: id, Body: &antev1.Envelope_Reject{Reject: &antev1.Reject{Digest: id, Code: 99}}},
		"long text":            {ChannelId: id, Body: &antev1.Envelope_Reject{Reject: &antev1.Reject{Digest: id, Code: 2, Reason: strings.Repeat("x", protocol.MaxText+1)}}},
		"no UTF-8":             {ChannelId: id, Body: &antev1.Envelope_Reject{Reject: &antev1.Reject{Digest: id, Code: 2, Reason: "\xff"}}},
		"wide mask":            {ChannelId: id, Body: &antev1.Envelope_Sync{Sync: &antev1.Sync{SignedDigest: id, SignedBy: 1 << 16}}},
		"long base":            {ChannelId: id, Body: &antev1.Envelope_SyncReply{SyncReply: &antev1.SyncReply{Support: &antev1.Support{MatchId: id, Base: make([]byte, games.MaxState+1)}}}},
		"many moves":           {ChannelId: id, Body: &antev1.Envelope_SyncReply{SyncReply: &antev1.SyncReply{Support: &antev1.Support{MatchId: id, Moves: seq(protocol.MaxRun+1, []byte{1})}}}},
		"wide move":            {ChannelId: id, Body: &antev1.Envelope_SyncReply{SyncReply: &antev1.SyncReply{Support: &antev1.Support{MatchId: id, Signatures: []*antev1.SeatSignature{{At: 1 << 16, Signature: sig}}}}}},
		"both answers":         {Body: &antev1.Envelope_OpenReply{OpenReply: &antev1.OpenReply{Decline: "no", OfferId: id, Signatures: [][]byte{{1}}}}},
		"invite in a channel":  {ChannelId: id, Body: &antev1.Envelope_PostInvite{PostInvite: &antev1.PostInvite{Invite: invite()}}},
		"no invite":            {Body: &antev1.Envelope_PostInvite{PostInvite: &antev1.PostInvite{}}},
		"many guests":          {Body: &antev1.Envelope_PostInvite{PostInvite: &antev1.PostInvite{Invite: invite(func(i *antev1.Invite) { i.Guests = seq(matchmaking.MaxGuests+1, id[:20]) })}}},
		"long invite":          {Body: &antev1.Envelope_PostInvite{PostInvite: &antev1.PostInvite{Invite: invite(func(i *antev1.Invite) { i.Params = make([]byte, matchmaking.MaxInviteParams+1) })}}},
		"many addresses":       {Body: &antev1.Envelope_PostInvite{PostInvite: &antev1.PostInvite{Invite: invite(func(i *antev1.Invite) { i.Addresses = seq(matchmaking.MaxAddresses+1, "/ip4") })}}},
		"unsigned invite":      {Body: &antev1.Envelope_PostInvite{PostInvite: &antev1.PostInvite{Invite: invite(func(i *antev1.Invite) { i.Signature = nil })}}},
		"long page":            {Body: &antev1.Envelope_InvitePage{InvitePage: &antev1.InvitePage{Invites: seq(message.MaxPage+1, invite())}}},
		"hole in a page":       {Body: &antev1.Envelope_InvitePage{InvitePage: &antev1.InvitePage{Invites: []*antev1.Invite{nil}}}},
		"no game":              {Body: &antev1.Envelope_ListInvites{ListInvites: &antev1.ListInvites{After: id, Rules: id[:20]}}},
		"two marks of a match": {ChannelId: id, Body: &antev1.Envelope_TowerReceipt{TowerReceipt: &antev1.TowerReceipt{Matches: seq(2, &antev1.TowerMark{MatchId: id})}}},
		"many tower marks":     {ChannelId: id, Body: &antev1.Envelope_TowerReceipt{TowerReceipt: &antev1.TowerReceipt{Matches: seq(protocol.MaxLocks+1, &antev1.TowerMark{MatchId: id})}}},
		"evidence of nothing":  {ChannelId: id, Body: &antev1.Envelope_TowerEvidence{TowerEvidence: &antev1.TowerEvidence{}}},
		"support of no match":  {ChannelId: id, Body: &antev1.Envelope_TowerEvidence{TowerEvidence: &antev1.TowerEvidence{Ledger: &antev1.SignedLedger{Ledger: &antev1.Ledger{ChannelId: id}}, Support: &antev1.Support{MatchId: id}}}},
		"proof of no match": {ChannelId: id, Body: &antev1.Envelope_TowerEvidence{TowerEvidence: &antev1.TowerEvidence{Ledger: &antev1.SignedLedger{Ledger: &antev1.Ledger{ChannelId: id}},
			Proofs: []*antev1.Equivocation{{States: seq(2, id), Signatures: seq(2, sig)}}}}},
		"unsigned store mark": {ChannelId: id, Body: &antev1.Envelope_TowerAsk{TowerAsk: &antev1.TowerAsk{Mark: &antev1.StoreMark{Generation: 1}}}},
		"tower of no channel": {Body: &antev1.Envelope_TowerAsk{TowerAsk: &antev1.TowerAsk{}}},
		"wide bid":            {Body: &antev1.Envelope_Bid{Bid: &antev1.Bid{InviteId: id, Stake: make([]byte, 33)}}},
	} {
		if _, msg, err := message.FromEnvelope(e); !errors.Is(err, encoding.ErrMessage) {
			t.Errorf("%s: %+v, %v", name, msg, err)
		}
	}
	for _, e := range []*antev1.Envelope{
		{ChannelId: id, Body: &antev1.Envelope_Countersign{Countersign: counter}},
		{Body: &antev1.Envelope_PostInvite{PostInvite: &antev1.PostInvite{Invite: invite()}}},
	} {
		if _, _, err := message.FromEnvelope(e); err != nil {
			t.Fatal(err)
		}
	}
}

// The largest messages that the caps allow fit into what the transport carries.
func TestAttack_Oversize(t *testing.T) {
	var sig protocol.Signature
	copy(sig[:], protocoltest.Signature())
	wide := *new(uint256.Int).SetAllOne()
	amounts, sigs := seq(games.MaxSeats, wide), seq(games.MaxSeats, sig)
	ledger := protocol.Ledger{Version: 1 << 39, Balances: amounts, Locks: seq(protocol.MaxLocks, protocol.Lock{Stakes: amounts})}
	terms := protocol.MatchTerms{Nonce: 1 << 47, Seats: seq(games.MaxSeats, uint8(1)), Stakes: amounts, Params: make([]byte, protocol.MaxParams)}
	agreement := protocol.SignedAgreement{Agreement: protocol.Agreement{Turn: 1 << 40, Payouts: amounts}, Signatures: sigs}
	propose := message.Propose{Ledger: ledger, Signatures: sigs, Base: 1 << 39, Matches: seq(protocol.MaxNew, terms),
		Bookings: seq(protocol.MaxLocks, protocol.Booking{Turn: 1 << 40, Payouts: amounts, Agreement: &agreement})}
	support := protocol.Support{Turn: 1 << 40, Base: make([]byte, games.MaxState), Moves: seq(protocol.MaxRun, make([]byte, games.MaxMove)),
		Signatures: seq((protocol.MaxRun+1)*games.MaxSeats, protocol.SeatSignature{At: protocol.MaxRun, Seat: 15, Signature: sig})}
	for name, m := range map[string]message.Message{
		"proposal": propose,
		"pending":  message.SyncReply{Pending: &propose},
		"ledger":   message.SyncReply{Ledger: &protocol.SignedLedger{Ledger: ledger, Signatures: sigs}, Matches: seq(protocol.MaxLocks, terms)},
		"match": message.SyncReply{MatchID: common.Hash{1}, Support: &support, Agreements: seq(games.MaxSeats, message.AgreementSignature{
			Agreement: agreement.Agreement, Signature: sig})},
		"tower's ledger": message.TowerEvidence{Ledger: protocol.SignedLedger{Ledger: ledger, Signatures: sigs}, Matches: seq(protocol.MaxLocks, terms)},
		"tower's match": message.TowerEvidence{Ledger: protocol.SignedLedger{Ledger: ledger, Signatures: sigs}, Matches: seq(1, terms), Support: &support,
			Agreement: &agreement},
	} {
		if n := proto.Size(message.Envelope(common.Hash{1}, m)); n > 256<<10 {
			t.Errorf("%s: %d bytes", name, n)
		}
		if _, _, err := message.FromEnvelope(message.Envelope(common.Hash{1}, m)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
