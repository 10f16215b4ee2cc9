package wire

import (
	"bytes"
	"testing"

	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"google.golang.org/protobuf/proto"
)

// FuzzEnvelope: no input panics, and what is accepted says the same when it is sent on.
func FuzzEnvelope(f *testing.F) {
	for _, env := range []*antev1.Envelope{
		move(3, 40),
		{Body: &antev1.Envelope_Sync{Sync: &antev1.Sync{Version: 9, Matches: []*antev1.MatchMark{{Turn: 4}, {}}, Reply: true}}},
		{Body: &antev1.Envelope_SyncReply{SyncReply: &antev1.SyncReply{Ledger: &antev1.SignedLedger{Ledger: &antev1.Ledger{}},
			Support: &antev1.Support{Moves: [][]byte{{1}, {}}, Signatures: []*antev1.SeatSignature{{At: 1, Seat: 2}}}}}},
		{Body: &antev1.Envelope_Reject{Reject: &antev1.Reject{Reason: "too cheap", Code: antev1.RejectCode_REJECT_CODE_CHEAP}}},
	} {
		b, err := proto.Marshal(env)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		env, err := Envelope(b)
		if err != nil {
			return
		}
		frame, err := FrameEnvelope(env)
		if err != nil {
			t.Fatalf("accepted but not sendable: %v", err)
		}
		again, err := NewReader(bytes.NewReader(frame), nil).Next(MaxMessage)
		if err != nil {
			t.Fatal(err)
		}
		if len(again) > len(b) {
			t.Errorf("%d bytes grew to %d", len(b), len(again))
		}
		back, err := Envelope(again)
		if err != nil {
			t.Fatal(err)
		}
		if !proto.Equal(env, back) {
			t.Errorf("%v became %v", env, back)
		}
	})
}

// FuzzReader: any stream, in any pieces, gives the same messages and the same end, and never a
// message above the cap.
func FuzzReader(f *testing.F) {
	f.Add(framed(3), 1)
	f.Add(append(framed(300), 0x80), 7)
	f.Add([]byte{0x80, 0x00, 0xff}, 2)
	f.Fuzz(func(t *testing.T, stream []byte, piece int) {
		const most = 1000
		read := func(r *Reader) (all [][]byte, err error) {
			for {
				m, err := r.Next(most)
				if err != nil {
					return all, err
				}
				if len(m) > most {
					t.Fatalf("message of %d bytes, cap %d", len(m), most)
				}
				all = append(all, bytes.Clone(m))
			}
		}
		whole, errWhole := read(NewReader(bytes.NewReader(stream), nil))
		cut, errCut := read(NewReader(&pieces{stream, 1 + max(piece, -piece-1)%64}, nil))
		if errWhole.Error() != errCut.Error() || len(whole) != len(cut) {
			t.Fatalf("%d messages and %v in one piece, %d and %v in several", len(whole), errWhole, len(cut), errCut)
		}
		for i := range whole {
			if !bytes.Equal(whole[i], cut[i]) {
				t.Errorf("message %d differs", i)
			}
		}
	})
}

// pieces is a reader that gives at most size bytes at a time.
type pieces struct {
	b    []byte
	size int
}

func (p *pieces) Read(b []byte) (int, error) {
	n, err := bytes.NewReader(p.b).Read(b[:min(len(b), p.size)])
	p.b = p.b[n:]
	return n, err
}
