package wire

import (
	"bytes"
	"strings"
	"testing"

	"github.com/ante-games/ante/games"
	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"google.golang.org/protobuf/proto"
)

const (
	largestLocks = 64 // locks of one ledger
	largestMoves = 24 // moves of one support
	biggest      = ^uint64(0)
)

func list(n, size int) [][]byte {
	l := make([][]byte, n)
	for i := range l {
		l[i] = bytes.Repeat([]byte{0xff}, size)
	}
	return l
}

func id() []byte { return list(1, 32)[0] }

func parts[T any](n int, part func() *T) []*T {
	l := make([]*T, n)
	for i := range l {
		l[i] = part()
	}
	return l
}

// TestLargestMessage adds up the largest message that MaxMessage promises room for, field by field
// at its widest.
func TestLargestMessage(t *testing.T) {
	const seats = games.MaxSeats
	ledger := func() *antev1.Ledger {
		return &antev1.Ledger{ChannelId: id(), Version: biggest, Closing: true, Balances: list(seats, 32),
			Locks: parts(largestLocks, func() *antev1.Lock { return &antev1.Lock{MatchId: id(), Stakes: list(seats, 32)} })}
	}
	terms := func() *antev1.MatchTerms {
		return &antev1.MatchTerms{ChannelId: id(), Nonce: biggest, Rules: list(1, 20)[0], Seats: list(1, seats)[0],
			Stakes: list(seats, 32), Params: list(1, games.MaxState)[0]}
	}
	at := uint32(0)
	signature := func() *antev1.SeatSignature {
		at++
		return &antev1.SeatSignature{At: largestMoves, Seat: 1 + at%seats, Signature: list(1, 65)[0]}
	}
	message := &antev1.Envelope{ChannelId: id(), Body: &antev1.Envelope_SyncReply{SyncReply: &antev1.SyncReply{
		Ledger:  &antev1.SignedLedger{Ledger: ledger(), Signatures: list(seats, 65)},
		Matches: parts(1, terms),
		Pending: &antev1.Propose{
			Ledger: ledger(), Signatures: list(seats, 65), BaseVersion: biggest,
			Matches: parts(1, terms),
			Bookings: parts(1, func() *antev1.Booking {
				return &antev1.Booking{MatchId: id(), Turn: biggest, Payouts: list(seats, 32), Agreement: &antev1.SignedAgreement{
					MatchId: id(), Turn: biggest, Payouts: list(seats, 32), Signatures: list(seats, 65)}}
			}),
		},
		Support: &antev1.Support{MatchId: id(), Turn: biggest, Base: list(1, games.MaxState)[0],
			Moves: list(largestMoves, games.MaxMove), Signatures: parts((largestMoves+1)*seats, signature)},
		Agreements: parts(seats, func() *antev1.AgreementSignature {
			return &antev1.AgreementSignature{MatchId: id(), Turn: biggest, Payouts: list(seats, 32), Seat: seats, Signature: list(1, 65)[0]}
		}),
	}}}
	frame, err := FrameEnvelope(message)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d bytes, cap %d", len(frame), MaxMessage)
	b, err := NewReader(bytes.NewReader(frame), nil).Next(MaxMessage)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Envelope(b); err != nil {
		t.Fatal(err)
	}
}

// deputy is the largest there may be: see protocol.MaxDeputySignature, which this package is too
// low to know.
func deputy() *antev1.Deputy {
	return &antev1.Deputy{Key: list(1, 20)[0], Expiry: biggest, Signature: list(1, 512)[0]}
}

// The messages of an opening, and the two of the handshake, at their widest.
func TestLargestOpening(t *testing.T) {
	const seats = games.MaxSeats
	frame, err := FrameEnvelope(&antev1.Envelope{Body: &antev1.Envelope_OpenReply{OpenReply: &antev1.OpenReply{
		Terms: &antev1.ChannelTerms{Players: list(seats, 20), Signers: list(seats, 20), Asset: list(1, 20)[0], Deposits: list(seats, 32),
			Window: biggest, OpenBy: biggest, Salt: id()},
		Signatures: list(seats, 4096), // an ERC-1271 wallet's may be longer than 65 bytes
		Decline:    strings.Repeat("x", 200), OfferId: id(),
	}}})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("opening: %d bytes", len(frame))
	for _, m := range []proto.Message{
		&antev1.Handshake{Challenge: id()},
		&antev1.HandshakeProof{Account: list(1, 20)[0], Expiry: biggest, Signature: list(1, 65)[0], Deputy: deputy(),
			Rival: &antev1.Rival{PeerId: list(1, 64)[0], Challenge: id(), Expiry: biggest, Signature: list(1, 65)[0]}},
	} {
		if _, err := Frame(m, MaxHandshake); err != nil {
			t.Error(err)
		}
	}
}
