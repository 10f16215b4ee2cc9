package message_test

import (
	"reflect"
	"testing"

	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"github.com/ante-games/ante/protocol/message"
	"google.golang.org/protobuf/proto"
)

// Whatever bytes a peer sends: no panic, and what is taken is encoded back to the same message.
func FuzzFromEnvelope(f *testing.F) {
	f.Fuzz(func(t *testing.T, b []byte) {
		var e antev1.Envelope
		if proto.Unmarshal(b, &e) != nil {
			return
		}
		id, msg, err := message.FromEnvelope(&e)
		if err != nil {
			return
		}
		again, back, err := message.FromEnvelope(message.Envelope(id, msg))
		if err != nil || again != id || !reflect.DeepEqual(msg, back) {
			t.Fatalf("%+v is read back as %+v: %v", msg, back, err)
		}
	})
}
