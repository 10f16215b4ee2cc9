package p2p

import (
	"bytes"
	"errors"
	"testing"
	"time"

	"github.com/libp2p/go-libp2p/core/network"
	"google.golang.org/protobuf/encoding/protowire"

	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"github.com/ante-games/ante/transport"
	"github.com/ante-games/ante/transport/wire"
)

// bytesAttack sends bytes on a stream whose account is proved, and shows that they end it, that the
// sender is refused for a while, and that nobody else notices.
func bytesAttack(t *testing.T, cases map[string][]byte) {
	tb := newTable(t, Limits{}).meet()
	n := 0
	for name, b := range cases {
		n++
		t.Run(name, func(t *testing.T) {
			m := newMallory(t, malloryPlayer+n)
			s := m.enter(tb.victim)
			if _, err := s.Write(b); err != nil {
				t.Fatal(err)
			}
			if code := m.fate(s); code != codeMisbehaved {
				t.Errorf("reset with %#x, want %#x", code, codeMisbehaved)
			}
			tb.awaitGone(m, transport.ErrMisbehaved)
			if len(tb.seen.Others(m.Address()))+len(tb.seen.Turns(m.Address())) > 0 {
				t.Error("the handler was given a message")
			}
			if code := m.fate(m.open(tb.victim)); code != codeMisbehaved {
				t.Errorf("at the next stream: reset with %#x, want %#x", code, codeMisbehaved)
			}
		})
	}
	tb.talk()
}

func framed(b []byte) []byte { return append(protowire.AppendVarint(nil, uint64(len(b))), b...) }

func TestAttack_Oversize(t *testing.T) {
	bytesAttack(t, map[string][]byte{
		"above the cap": protowire.AppendVarint(nil, wire.MaxMessage+1),
		"2 GiB":         protowire.AppendVarint(nil, 1<<31),
		"2^64":          protowire.AppendVarint(nil, ^uint64(0)),
	})
}

func TestAttack_Garbage(t *testing.T) {
	bytesAttack(t, map[string][]byte{
		"no protobuf":   framed(bytes.Repeat([]byte{0xff}, 100)),
		"empty message": framed(nil),
		"bad length":    {0x80, 0x00},
	})
}

func TestAttack_UnknownField(t *testing.T) {
	bytesAttack(t, map[string][]byte{
		"unknown": framed(protowire.AppendVarint(protowire.AppendTag(nil, 60, protowire.VarintType), 1)),
	})
}

func TestAttack_Nesting(t *testing.T) {
	bytesAttack(t, map[string][]byte{
		"groups": framed(bytes.Repeat([]byte{byte(protowire.EncodeTag(1, protowire.StartGroupType))}, 100_000)),
		"parts":  framed(protowire.AppendBytes(protowire.AppendTag(nil, 10, protowire.BytesType), bytes.Repeat([]byte{0x12, 0}, wire.MaxFields))),
	})
}

// The same before any account is proved: a stranger's bytes are capped at a handshake's.
func TestAttack_Oversize_Handshake(t *testing.T) {
	tb := newTable(t, Limits{}).meet()
	for i, b := range [][]byte{protowire.AppendVarint(nil, wire.MaxHandshake+1), framed([]byte{0xff, 0xff}), framed(nil)} {
		m := newMallory(t, malloryPlayer+i)
		s := m.open(tb.victim)
		if _, err := s.Write(b); err != nil {
			t.Fatal(err)
		}
		if code := m.fate(s); code != codeMisbehaved && code != codeHandshake {
			t.Errorf("%x: reset with %#x", b, code)
		}
	}
	tb.talk()
}

// A message, a handshake or a reader that is slow costs its own stream only.
func TestAttack_SlowStream(t *testing.T) {
	for name, listen := range map[string]string{"tcp": "/ip4/127.0.0.1/tcp/0", "quic": "/ip4/127.0.0.1/udp/0/quic-v1"} {
		t.Run(name, func(t *testing.T) {
			slowHandshakes(t, newTable(t, Limits{Handshake: 300 * time.Millisecond, Message: time.Hour}, listen).meet())
			slowStreams(t, newTable(t, Limits{Message: 300 * time.Millisecond}, listen).meet())
		})
	}
}

func slowHandshakes(t *testing.T, tb *table) {
	hello, err := wire.Frame(&antev1.Handshake{Challenge: make([]byte, 32)}, wire.MaxHandshake)
	if err != nil {
		t.Fatal(err)
	}
	for name, pieces := range map[string][][]byte{
		"silence":           {nil},
		"half a length":     {{0x80}},
		"half a message":    {hello[:5]},
		"no proof":          {hello},
		"no proof, trickle": {hello[:5], hello[5:]},
	} {
		t.Run("handshake, "+name, func(t *testing.T) {
			m := newMallory(t, malloryPlayer)
			var reset *network.StreamError
			err := tb.dawdle(m, pieces)
			// On a busy machine the victim may let go of the whole connection first, for having
			// proved nothing.
			for begun := time.Now(); !errors.As(err, &reset) && time.Since(begun) < patience; {
				err = tb.dawdle(m, pieces)
			}
			if reset == nil || !reset.Remote || reset.ErrorCode != codeSlow {
				t.Errorf("got %v, want the stream reset with %#x", err, codeSlow)
			}
		})
	}
	tb.talk()
}

// dawdle sends pieces of a handshake, and returns what the stream ended with, which may be before
// all is sent.
func (tb *table) dawdle(m *mallory, pieces [][]byte) error {
	s, err := m.tryOpen(tb.victim)
	for i := 0; i < len(pieces) && err == nil; i++ {
		_, err = s.Write(pieces[i])
		if i == 0 && err == nil { // the victim's own first message shows that it has begun to read
			err = receive(wire.NewReader(s, nil), new(antev1.Handshake))
		}
	}
	for b := make([]byte, 4096); err == nil; {
		_, err = s.Read(b)
	}
	return err
}

func slowStreams(t *testing.T, tb *table) {
	t.Run("half a message", func(t *testing.T) {
		m := newMallory(t, malloryPlayer)
		s := m.enter(tb.victim)
		if _, err := s.Write(append(protowire.AppendVarint(nil, 1000), 1, 2, 3)); err != nil {
			t.Fatal(err)
		}
		if code := m.fate(s); code != codeSlow {
			t.Errorf("reset with %#x, want %#x", code, codeSlow)
		}
		tb.awaitGone(m, transport.ErrSlow)
	})
	t.Run("doesn't read", func(t *testing.T) {
		large := move(1)
		large.GetMove().Move = make([]byte, wire.MaxMessage/2)
		full := false
		// a busy machine may not fill the queue before the time for a message is over
		for i := 1; !full && i < 20; i++ {
			m := newMallory(t, malloryPlayer+i)
			m.enter(tb.victim)
			tb.await("mallory is connected", func() bool { ups, _ := tb.seen.Count(m.Address()); return ups > 0 })
			for tb.seen.Up(m.Address()) {
				err := tb.victim.Send(m.Address(), large)
				full = full || errors.Is(err, transport.ErrQueueFull)
			}
			tb.awaitGone(m, transport.ErrSlow)
		}
		if !full {
			t.Error("the queue never filled")
		}
	})
	tb.talk()
}
