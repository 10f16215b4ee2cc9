package channel_test

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"testing"

	"github.com/ante-games/ante/channel"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// wholeMessages is a message of each kind that seats send, with everything in it that it may have.
func wholeMessages(t *testing.T) []channel.Message {
	t.Helper()
	var sig channel.Signature
	copy(sig[:], testSignature(t))
	id, sigs := common.Hash{1}, []channel.Signature{sig, {}}
	money := []uint256.Int{*uint256.NewInt(5), {}}
	agreement := channel.Agreement{MatchID: id, Turn: 3, Payouts: money}
	counter := channel.Countersign{MatchID: id, Turn: 4, Seat: 1, Signature: sig}
	match := channel.MatchTerms{ChannelID: id, Nonce: 512, Rules: common.Address{1}, Seats: []uint8{0, 1}, Stakes: money, Params: []byte{1}}
	ledger := channel.Ledger{ChannelID: id, Version: 2, Closing: true, Balances: money, Locks: []channel.Lock{{MatchID: id, Stakes: money}}}
	propose := channel.Propose{Ledger: ledger, Signatures: sigs, Base: 1, Matches: []channel.MatchTerms{match},
		Bookings: []channel.Booking{{MatchID: id, Turn: 3, Payouts: money, Agreement: &channel.SignedAgreement{Agreement: agreement, Signatures: sigs}}}}
	support := channel.Support{Turn: 3, Base: []byte{1}, Moves: [][]byte{{2}}, Signatures: []channel.SeatSignature{{At: 1, Seat: 1, Signature: sig}}}
	return []channel.Message{
		channel.OpenOffer{Terms: termsOf(2), Memo: "a game?"},
		channel.OpenReply{Terms: termsOf(2), Signatures: [][]byte{sig[:], {1}}, OfferID: id},
		channel.OpenReply{Decline: "no", OfferID: id},
		propose,
		channel.Approve{Version: 2, Digest: id, Signature: sig, Starts: []channel.Countersign{counter}},
		channel.Reject{Version: 2, Digest: id, Code: channel.TooCheap, Reason: "no", Signed: 3},
		channel.Move{MatchID: id, Turn: 1, Move: []byte{1}, Signature: sig, First: &counter},
		counter,
		channel.Note{MatchID: id, Turn: 1, Text: []byte("hello")},
		channel.AgreementSignature{Agreement: agreement, Seat: 1, Signature: sig},
		channel.Sync{Version: 1, Signed: 2, SignedDigest: id, SignedBy: 3, Matches: []channel.MatchMark{{MatchID: id, Turn: 4, State: id, SignedBy: 5,
			AgreedBy: 6, Passed: 7}}, Reply: true},
		channel.ResultSignature{MatchID: id, Signature: sig, Reply: true},
		channel.SyncReply{Ledger: &channel.SignedLedger{Ledger: ledger, Signatures: sigs}, Matches: []channel.MatchTerms{match}, Pending: &propose,
			MatchID: id, Support: &support, Agreements: []channel.AgreementSignature{{Agreement: agreement, Seat: 1, Signature: sig}}},
	}
}

// Messages come back as they were sent. Where a part is missing that is no choice of the sender's, they are refused: a
// program that fills envelopes by itself can leave out what the wire always has.
func TestMessagesAreWhole(t *testing.T) {
	optional := []string{"Move.First", "Booking.Agreement", "SyncReply.Ledger", "SyncReply.Pending", "SyncReply.Support"}
	for _, m := range wholeMessages(t) {
		id := common.Hash{9}
		switch m.(type) {
		case channel.OpenOffer, channel.OpenReply:
			id = common.Hash{}
		}
		e := channel.Envelope(id, m)
		if got, back, err := channel.FromEnvelope(e); err != nil || got != id || !reflect.DeepEqual(back, m) {
			t.Errorf("%T of channel %s comes back as %+v, %v", m, got, back, err)
		}
		eachPart(reflect.ValueOf(e).Elem(), func(name string) {
			if _, _, err := channel.FromEnvelope(e); (err == nil) != slices.Contains(optional, name) || err != nil && !errors.Is(err, channel.ErrMessage) {
				t.Errorf("%T without %s: %v", m, name, err)
			}
		})
	}
	if _, _, err := channel.FromEnvelope(nil); !errors.Is(err, channel.ErrMessage) {
		t.Errorf("no envelope: %v", err)
	}
}

// eachPart takes each message within a message out, one at a time, calls back, and puts it in again.
func eachPart(v reflect.Value, without func(name string)) {
	for i := range v.NumField() {
		f, name := v.Field(i), fmt.Sprintf("%s.%s", v.Type().Name(), v.Type().Field(i).Name)
		if !f.CanSet() || f.Kind() == reflect.Interface && f.IsNil() {
			continue
		}
		parts := []reflect.Value{f}
		switch {
		case f.Kind() == reflect.Interface: // which of the messages an envelope holds
			eachPart(f.Elem().Elem(), without)
			continue
		case f.Kind() == reflect.Slice:
			parts = nil
			for i := range f.Len() {
				parts = append(parts, f.Index(i))
			}
		}
		for _, p := range parts {
			if p.Kind() == reflect.Pointer && !p.IsNil() {
				whole := reflect.ValueOf(p.Interface())
				p.SetZero()
				without(name)
				p.Set(whole)
				eachPart(whole.Elem(), without)
			}
		}
	}
}
