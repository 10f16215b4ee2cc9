package channel_test

import (
	"reflect"
	"testing"

	"github.com/ante-games/ante/channel"
	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"github.com/ante-games/ante/protocol/message"
	"github.com/ethereum/go-ethereum/common"
	"google.golang.org/protobuf/proto"
)

// Whatever a peer says in the middle of a match: no panic, nothing signed twice, and the machine
// stays restorable.
func FuzzReceive(f *testing.F) {
	tb := openTable(f, 2)
	id := tb.match(0)
	tb.mustMove(0, id, Pass)
	tb.deliverAll()
	records := tb.records(1)
	f.Fuzz(func(t *testing.T, b []byte) {
		var e antev1.Envelope
		if proto.Unmarshal(b, &e) != nil {
			return
		}
		_, msg, err := message.FromEnvelope(&e)
		if err != nil {
			return
		}
		m, err := channel.Restore(tb.seats[1].cfg, records)
		if err != nil {
			t.Fatal(err)
		}
		before, digest := m.Signed()
		if _, err := m.Step(channel.Received{From: 0, Message: msg}); err != nil && !reflect.DeepEqual(m.Records(), records) {
			t.Fatalf("a refused %T changed something: %v", msg, err)
		}
		if v, d := m.Signed(); v < before || v == before && d != digest {
			t.Fatalf("the mark went from %d to %d", before, v)
		}
		if _, err := channel.Restore(tb.seats[1].cfg, m.Records()); err != nil {
			t.Fatal(err)
		}
	})
}

// Whatever lies in a damaged store: no panic, and what is restored is stored again as it was.
func FuzzRestore(f *testing.F) {
	tb := openTable(f, 2)
	id := tb.match(0)
	key := "match/" + common.Bytes2Hex(id[:])
	f.Fuzz(func(t *testing.T, state, match []byte) {
		records := []channel.Entry{{Key: "channel", Value: state}, {Key: key, Value: match}}
		for i, e := range tb.records(0) {
			if len(state) == 0 && e.Key == "channel" {
				records[0].Value = tb.records(0)[i].Value
			}
			if len(match) == 0 && e.Key == key {
				records[1].Value = tb.records(0)[i].Value
			}
		}
		m, err := channel.Restore(tb.seats[0].cfg, records)
		if err != nil {
			return
		}
		for _, in := range []channel.Input{channel.Tick{}, channel.Idle{}, channel.MakeMove{MatchID: id, Move: []byte{0}}, channel.CloseChannel{}} {
			_, _ = m.Step(in) // refused or not: it comes back
		}
		m.Matches()
	})
}

// Whatever support is posted: no panic, and what is valid ranks by signatures that are there.
func FuzzReplay(f *testing.F) {
	tb := openTable(f, 2)
	id := tb.match(0)
	j := tb.seats[0].m.Judge(id)
	f.Fuzz(func(t *testing.T, b []byte) {
		var e antev1.Envelope
		if proto.Unmarshal(b, &e) != nil {
			return
		}
		_, msg, err := message.FromEnvelope(&e)
		if err != nil {
			return
		}
		reply, ok := msg.(message.SyncReply)
		if !ok || reply.Support == nil {
			return
		}
		r, err := j.Replay(reply.Support, nil, 0)
		if err == nil && len(reply.Support.Signatures) < 2 && r.Rank().Agreed > 0 {
			t.Fatalf("%d signatures of two seats agree on %d", len(reply.Support.Signatures), r.Rank().Agreed)
		}
	})
}
