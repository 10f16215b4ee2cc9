package wire

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"testing"
	"testing/iotest"

	"pgregory.net/rapid"
)

func framed(n int) []byte { return append(appendLength(nil, n), make([]byte, n)...) }

func TestReader(t *testing.T) {
	for name, wrap := range map[string]func(io.Reader) io.Reader{
		"whole":        func(r io.Reader) io.Reader { return r },
		"byte by byte": iotest.OneByteReader,
		"halves":       iotest.HalfReader,
		"data and EOF": iotest.DataErrReader,
	} {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				sizes := rapid.SliceOf(rapid.OneOf(rapid.IntRange(0, 300), rapid.IntRange(0, 3*chunk))).Draw(t, "sizes")
				var stream []byte
				for i, n := range sizes {
					m := bytes.Repeat([]byte{byte(i)}, n)
					stream = append(appendLength(stream, n), m...)
				}
				r := NewReader(wrap(bytes.NewReader(stream)), nil)
				for i, n := range sizes {
					got, err := r.Next(3 * chunk)
					if err != nil {
						t.Fatalf("message %d of %d bytes: %v", i, n, err)
					}
					if len(got) != n || bytes.Count(got, []byte{byte(i)}) != n {
						t.Fatalf("message %d: %d bytes, want %d of its own", i, len(got), n)
					}
				}
				if _, err := r.Next(3 * chunk); !errors.Is(err, io.EOF) {
					t.Fatalf("at the end: %v, want EOF", err)
				}
			})
		})
	}
}

func TestReaderRefuses(t *testing.T) {
	broken := errors.New("broken")
	for name, tc := range map[string]struct {
		in   io.Reader
		want error
	}{
		"nothing":           {bytes.NewReader(nil), io.EOF},
		"half a length":     {bytes.NewReader([]byte{0x80}), io.ErrUnexpectedEOF},
		"half a message":    {bytes.NewReader([]byte{3, 1}), io.ErrUnexpectedEOF},
		"leading zeros":     {bytes.NewReader([]byte{0x80, 0}), ErrMalformed},
		"stream error":      {iotest.ErrReader(broken), broken},
		"cut by an error":   {io.MultiReader(bytes.NewReader([]byte{3, 1}), iotest.ErrReader(broken)), broken},
		"reads nothing":     {idle{}, io.ErrNoProgress},
		"above the cap":     {bytes.NewReader(appendLength(nil, 101)), ErrTooLarge},
		"length of 4 bytes": {bytes.NewReader([]byte{0xff, 0xff, 0xff, 0xff}), ErrTooLarge},
		"length of 5 bytes": {bytes.NewReader([]byte{0xff, 0xff, 0xff, 0xff, 1}), ErrTooLarge},
		"endless length":    {bytes.NewReader(bytes.Repeat([]byte{0xff}, 1000)), ErrTooLarge},
	} {
		if _, err := NewReader(tc.in, nil).Next(100); !errors.Is(err, tc.want) {
			t.Errorf("%s: got %v, want %v", name, err, tc.want)
		}
	}
}

// A buffer that is large because of one message has room for what has come of the next.
func TestReaderKeepsRoom(t *testing.T) {
	first, second := framed(2*chunk-1), framed(2*chunk)
	stream := slices.Concat(first, second)
	cut := len(first) + chunk
	r := NewReader(io.MultiReader(bytes.NewReader(stream[:cut]), bytes.NewReader(stream[cut:])), nil)
	for i, want := range []int{2*chunk - 1, 2 * chunk} {
		if m, err := r.Next(MaxMessage); err != nil || len(m) != want {
			t.Fatalf("message %d: %d bytes, %v", i, len(m), err)
		}
	}
}

type idle struct{}

func (idle) Read([]byte) (int, error) { return 0, nil }

// A deadline runs only while a message is incomplete: not between messages, and never for one that
// comes whole.
func TestReaderPartial(t *testing.T) {
	whole, big := framed(10), framed(2*chunk)
	var calls []bool
	r := NewReader(io.MultiReader(bytes.NewReader(slices.Concat(whole, whole)), bytes.NewReader(big), bytes.NewReader(big[:5])),
		func(on bool) { calls = append(calls, on) })
	for i, want := range [][]bool{nil, nil, {true, false}} {
		calls = nil
		if _, err := r.Next(MaxMessage); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(calls, want) {
			t.Errorf("message %d: partial called with %v, want %v", i, calls, want)
		}
	}
	calls = nil
	if _, err := r.Next(MaxMessage); !errors.Is(err, io.ErrUnexpectedEOF) || !slices.Equal(calls, []bool{true}) {
		t.Errorf("cut message: %v and %v", err, calls)
	}
}

// An announced length costs nothing until its bytes come, and a large message's buffer isn't kept.
func TestAttack_Oversize(t *testing.T) {
	if _, err := NewReader(bytes.NewReader(appendLength(nil, MaxMessage+1)), nil).Next(MaxMessage); !errors.Is(err, ErrTooLarge) {
		t.Fatalf("got %v, want ErrTooLarge", err)
	}
	r := NewReader(bytes.NewReader(appendLength(nil, MaxMessage)), nil)
	if _, err := r.Next(MaxMessage); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Fatalf("got %v, want ErrUnexpectedEOF", err)
	}
	if cap(r.buf) > chunk {
		t.Errorf("a length alone made a buffer of %d bytes", cap(r.buf))
	}
	r = NewReader(bytes.NewReader(slices.Concat(framed(MaxMessage), framed(1))), nil)
	if _, err := r.Next(MaxMessage); err != nil {
		t.Fatal(err)
	}
	if cap(r.buf) > 2*MaxMessage {
		t.Errorf("buffer of %d bytes for a message of %d", cap(r.buf), MaxMessage)
	}
	if _, err := r.Next(MaxMessage); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Next(MaxMessage); !errors.Is(err, io.EOF) {
		t.Fatal(err)
	}
	if cap(r.buf) > 2*chunk {
		t.Errorf("buffer of %d bytes kept for small messages", cap(r.buf))
	}
}
