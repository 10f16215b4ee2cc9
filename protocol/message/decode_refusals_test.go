package message_test

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"testing"

	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/encoding"
	"github.com/ante-games/ante/protocol/message"
	"github.com/ante-games/ante/protocol/protocoltest"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// wholeMessages is a message of each kind that seats send, with everything in it that it may have.
func wholeMessages(t *testing.T) []message.Message {
	t.Helper()
	var sig protocol.Signature
	copy(sig[:], protocoltest.Signature())
	id, sigs := common.Hash{1}, []protocol.Signature{sig, {}}
	money := []uint256.Int{*uint256.NewInt(5), {}}
	agreement := protocol.Agreement{MatchID: id, Turn: 3, Payouts: money}
	counter := message.Countersign{MatchID: id, Turn: 4, Seat: 1, State: id, Signature: sig}
	match := protocol.MatchTerms{ChannelID: id, Nonce: 512, Rules: common.Address{1}, Seats: []uint8{0, 1}, Stakes: money, Params: []byte{1}}
	ledger := protocol.Ledger{ChannelID: id, Version: 2, Closing: true, Balances: money, Locks: []protocol.Lock{{MatchID: id, Stakes: money}}}
	propose := message.Propose{Ledger: ledger, Signatures: sigs, Base: 1, Matches: []protocol.MatchTerms{match},
		Bookings: []protocol.Booking{{MatchID: id, Turn: 3, Payouts: money, Agreement: &protocol.SignedAgreement{Agreement: agreement, Signatures: sigs}}}}
	support := protocol.Support{Turn: 3, Base: []byte{1}, Moves: [][]byte{{2}}, Signatures: []protocol.SeatSignature{{At: 1, Seat: 1, Signature: sig}}}
	return []message.Message{
		message.OpenOffer{Terms: protocoltest.Terms(2), Memo: "a game?", Replaces: id},
		message.OpenReply{Terms: protocoltest.Terms(2), Signatures: [][]byte{sig[:], {1}}, OfferID: id},
		message.OpenReply{Decline: "no", OfferID: id, Again: 60},
		propose,
		message.Approve{Version: 2, Digest: id, Signature: sig, Starts: []message.Countersign{counter}},
		message.Reject{Version: 2, Digest: id, Code: message.TooCheap, Reason: "no", Signed: 3},
		message.Move{MatchID: id, Turn: 1, Move: []byte{1}, State: id, Signature: sig, First: &counter},
		counter,
		message.Note{MatchID: id, Turn: 1, Text: []byte("hello")},
		message.AgreementSignature{Agreement: agreement, Seat: 1, Signature: sig},
		message.Sync{Version: 1, Signed: 2, SignedDigest: id, SignedBy: 3, Matches: []message.MatchMark{{MatchID: id, Turn: 4, State: id, SignedBy: 5,
			AgreedBy: 6, Passed: 7}}, Reply: true},
		message.ResultSignature{MatchID: id, Signature: sig, Reply: true},
		message.SyncReply{Ledger: &protocol.SignedLedger{Ledger: ledger, Signatures: sigs}, Matches: []protocol.MatchTerms{match}, Pending: &propose,
			MatchID: id, Support: &support, Agreements: []message.AgreementSignature{{Agreement: agreement, Seat: 1, Signature: sig}}},
	}
}

// Messages come back as they were sent. Where a part is missing that is no choice of the sender's,
// they are refused: a program that fills envelopes by itself can leave out what the wire always
// has.
func TestMessagesAreWhole(t *testing.T) {
	optional := []string{"Move.First", "Booking.Agreement", "SyncReply.Ledger", "SyncReply.Pending", "SyncReply.Support"}
	for _, m := range wholeMessages(t) {
		id := common.Hash{9}
		switch m.(type) {
		case message.OpenOffer, message.OpenReply:
			id = common.Hash{}
		}
		e := message.Envelope(id, m)
		if got, back, err := message.FromEnvelope(e); err != nil || got != id || !reflect.DeepEqual(back, m) {
			t.Errorf("%T of channel %s comes back as %+v, %v", m, got, back, err)
		}
		eachPart(reflect.ValueOf(e).Elem(), func(name string) {
			if _, _, err := message.FromEnvelope(e); (err == nil) != slices.Contains(optional, name) || err != nil && !errors.Is(err, encoding.ErrMessage) {
				t.Errorf("%T without %s: %v", m, name, err)
			}
		})
	}
	if _, _, err := message.FromEnvelope(nil); !errors.Is(err, encoding.ErrMessage) {
		t.Errorf("no envelope: %v", err)
	}
}

// eachPart takes each message within a message out, one at a time, calls back, and puts it in
// again.
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
