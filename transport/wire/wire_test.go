package wire

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

func move(turn uint64, bytes int) *antev1.Envelope {
	return &antev1.Envelope{Body: &antev1.Envelope_Move{Move: &antev1.Move{
		MatchId: make([]byte, 32), Turn: turn, Move: make([]byte, bytes), Signature: make([]byte, 65),
	}}}
}

// raw builds an Envelope whose body, of the given field number, is the given bytes.
func raw(num protowire.Number, body []byte) []byte {
	return protowire.AppendBytes(protowire.AppendTag(nil, num, protowire.BytesType), body)
}

func varint(num protowire.Number, v uint64) []byte {
	return protowire.AppendVarint(protowire.AppendTag(nil, num, protowire.VarintType), v)
}

func TestRoundTrip(t *testing.T) {
	want := move(7, 300)
	frame, err := FrameEnvelope(want)
	if err != nil {
		t.Fatal(err)
	}
	b, err := NewReader(bytes.NewReader(frame), nil).Next(MaxMessage)
	if err != nil {
		t.Fatal(err)
	}
	got, err := Envelope(b)
	if err != nil {
		t.Fatal(err)
	}
	clear(b)
	if !proto.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestFrameRefuses(t *testing.T) {
	for name, tc := range map[string]struct {
		env  *antev1.Envelope
		want error
	}{
		"nil":       {nil, ErrMalformed},
		"no body":   {new(antev1.Envelope), ErrMalformed},
		"too large": {move(1, MaxMessage), ErrTooLarge},
		"not UTF-8": {&antev1.Envelope{Body: &antev1.Envelope_Reject{Reject: &antev1.Reject{Reason: "\xff"}}}, ErrMalformed},
	} {
		if _, err := FrameEnvelope(tc.env); !errors.Is(err, tc.want) {
			t.Errorf("%s: got %v, want %v", name, err, tc.want)
		}
	}
	size := proto.Size(move(1, 10))
	for room, want := range map[int]error{size: nil, size - 1: ErrTooLarge} {
		if _, err := Frame(move(1, 10), room); !errors.Is(err, want) {
			t.Errorf("%d bytes where %d may be: %v", size, room, err)
		}
	}
}

// What ends after a field's tag, or within its value, is refused before it is decoded.
func TestCutFieldsAreRefused(t *testing.T) {
	turn := varint(2, 300)
	id := raw(1, make([]byte, 32))
	for name, body := range map[string][]byte{
		"a tag": turn[:1], "half a number": turn[:2], "a tag of bytes": id[:1], "half of bytes": id[:20], "half a tag": {0x80},
	} {
		fields := MaxFields
		if err := check(body, new(antev1.Move).ProtoReflect().Descriptor(), &fields); !errors.Is(err, ErrMalformed) {
			t.Errorf("%s: got %v, want ErrMalformed", name, err)
		}
	}
}

// TestSchema holds what check relies on: varints and length-delimited fields only, none packed,
// numbers below 64, enum values from 0 up without gaps, and no message within itself.
func TestSchema(t *testing.T) {
	var walk func(d protoreflect.MessageDescriptor, path []protoreflect.FullName)
	walk = func(d protoreflect.MessageDescriptor, path []protoreflect.FullName) {
		for _, p := range path {
			if p == d.FullName() {
				t.Fatalf("%s contains itself", p)
			}
		}
		for i := range d.Fields().Len() {
			f := d.Fields().Get(i)
			if f.Number() > 63 || f.IsPacked() || f.IsMap() {
				t.Errorf("%s: number above 63, packed, or a map", f.FullName())
			}
			switch f.Kind() {
			case protoreflect.MessageKind:
				walk(f.Message(), append(path, d.FullName()))
			case protoreflect.EnumKind:
				for j := range f.Enum().Values().Len() {
					if n := f.Enum().Values().Get(j).Number(); int(n) != j {
						t.Errorf("%s: value %d has number %d", f.FullName(), j, n)
					}
				}
			case protoreflect.BytesKind, protoreflect.StringKind, protoreflect.BoolKind, protoreflect.Uint32Kind, protoreflect.Uint64Kind:
			default:
				t.Errorf("%s is a %s", f.FullName(), f.Kind())
			}
		}
	}
	walk((*antev1.Envelope)(nil).ProtoReflect().Descriptor(), nil)
	walk((*antev1.Handshake)(nil).ProtoReflect().Descriptor(), nil)
	walk((*antev1.HandshakeProof)(nil).ProtoReflect().Descriptor(), nil)
}

func TestAttack_UnknownField(t *testing.T) {
	good, err := proto.Marshal(move(1, 10))
	if err != nil {
		t.Fatal(err)
	}
	unknown := varint(60, 1)
	body := good[2:]
	sync := &antev1.SyncReply{Support: &antev1.Support{Signatures: []*antev1.SeatSignature{{Seat: 1}}}}
	sync.Support.Signatures[0].ProtoReflect().SetUnknown(unknown)
	deep, err := proto.Marshal(&antev1.Envelope{Body: &antev1.Envelope_SyncReply{SyncReply: sync}})
	if err != nil {
		t.Fatal(err)
	}
	for name, b := range map[string][]byte{
		"beside the body":   append(bytes.Clone(good), unknown...),
		"in the body":       raw(6, append(bytes.Clone(body), unknown...)),
		"deep":              deep,
		"second body":       append(bytes.Clone(good), raw(7, nil)...),
		"field twice":       raw(6, append(varint(2, 1), varint(2, 2)...)),
		"seat above 32 bit": raw(7, varint(3, 1<<32)),
		"bool of 2":         raw(9, varint(6, 2)),
		"enum of 99":        raw(5, varint(3, 99)),
		"wrong wire type":   varint(6, 1),
	} {
		if _, err := Envelope(b); !errors.Is(err, ErrMalformed) {
			t.Errorf("%s: got %v, want ErrMalformed", name, err)
		}
	}
}

func TestAttack_Nesting(t *testing.T) {
	var deep []byte
	for range 10_000 {
		deep = raw(3, deep)
	}
	groups := bytes.Repeat([]byte{byte(protowire.EncodeTag(1, protowire.StartGroupType))}, MaxMessage)
	for name, b := range map[string][]byte{"bodies": raw(10, deep), "groups": groups, "groups in a body": raw(6, groups[:MaxMessage-8])} {
		if _, err := Envelope(b); !errors.Is(err, ErrMalformed) {
			t.Errorf("%s: got %v, want ErrMalformed", name, err)
		}
	}
}

// Empty parts cost two bytes on the wire and two hundred in memory.
func TestAttack_Nesting_ManyParts(t *testing.T) {
	parts := bytes.Repeat(raw(2, nil), (MaxMessage-8)/2)
	_, err := Envelope(raw(10, parts))
	if !errors.Is(err, ErrMalformed) || !strings.Contains(err.Error(), "fields") {
		t.Errorf("got %v, want ErrMalformed for too many fields", err)
	}
	if _, err := Envelope(raw(10, parts[:2*(MaxFields-1)])); err != nil {
		t.Errorf("at the cap: %v", err)
	}
}

func TestAttack_Garbage(t *testing.T) {
	for name, b := range map[string][]byte{
		"empty":        nil,
		"text":         []byte("GET / HTTP/1.1\r\n\r\n"),
		"0xff":         bytes.Repeat([]byte{0xff}, 100),
		"cut":          raw(6, make([]byte, 10))[:5],
		"field zero":   {0x00, 0x01},
		"text not UTF": raw(5, raw(4, []byte{0xff})),
	} {
		if _, err := Envelope(b); !errors.Is(err, ErrMalformed) {
			t.Errorf("%s: got %v, want ErrMalformed", name, err)
		}
	}
}
