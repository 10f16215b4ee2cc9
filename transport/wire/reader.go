package wire

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// maxLength is the most bytes of a length: enough for MaxMessage with room to spare.
const maxLength = 4

// chunk is how much a Reader asks for at a time. Most messages fit, so that one read brings a
// message whole.
const chunk = 4096

func appendLength(b []byte, n int) []byte { return binary.AppendUvarint(b, uint64(n)) }

// Reader takes messages off a stream. It is not safe for concurrent use.
type Reader struct {
	src     io.Reader
	partial func(bool)
	buf     []byte // what was read; buf[at:] is not consumed
	at      int
}

// NewReader returns a Reader of src. partial, if not nil, is called with true when a message has
// begun but has not arrived whole, and with false when its rest has: the moments to set and to
// clear a deadline. Between messages, and for messages that come in one piece, it isn't called.
func NewReader(src io.Reader, partial func(bool)) *Reader {
	return &Reader{src: src, partial: partial}
}

// Next returns the next message without its length, at most max bytes; the bytes are good until the
// next call. It fails with io.EOF when the stream ends between messages, io.ErrUnexpectedEOF when
// it ends within one, ErrTooLarge, ErrMalformed for a bad length, or the stream's own error. After
// an error the stream is useless.
func (r *Reader) Next(max int) ([]byte, error) {
	waiting := false
	for {
		head, size, err := length(r.buf[r.at:], max)
		if err != nil {
			return nil, err
		}
		if whole := head + size; head > 0 && len(r.buf)-r.at >= whole {
			m := r.buf[r.at+head : r.at+whole]
			r.at += whole
			if waiting && r.partial != nil {
				r.partial(false)
			}
			return m, nil
		}
		if !waiting && len(r.buf) > r.at {
			waiting = true
			if r.partial != nil {
				r.partial(true)
			}
		}
		if err := r.fill(); err != nil {
			if errors.Is(err, io.EOF) && len(r.buf) > r.at {
				return nil, io.ErrUnexpectedEOF
			}
			return nil, err
		}
	}
}

// length reads the length at the start of b. A head of 0 says that more bytes are needed.
func length(b []byte, max int) (head, size int, err error) {
	for i, c := range b[:min(len(b), maxLength)] {
		size |= int(c&0x7f) << (7 * i)
		if c&0x80 != 0 {
			continue
		}
		if c == 0 && i > 0 {
			return 0, 0, fmt.Errorf("%w: a length with leading zeros", ErrMalformed)
		}
		if size > max {
			return 0, 0, fmt.Errorf("%w: %d bytes announced, at most %d", ErrTooLarge, size, max)
		}
		return i + 1, size, nil
	}
	if len(b) >= maxLength {
		return 0, 0, fmt.Errorf("%w: its length takes more than %d bytes", ErrTooLarge, maxLength)
	}
	return 0, 0, nil
}

// fill reads once from the stream, after moving what is left to the front. The buffer doubles only
// when it is full of a message that is still to be completed, and shrinks back after it.
func (r *Reader) fill() error {
	left := r.buf[r.at:]
	room := cap(r.buf)
	switch {
	case len(left) == cap(r.buf):
		room = max(chunk, 2*cap(r.buf))
	case len(left) < chunk/2 && cap(r.buf) > chunk:
		room = chunk
	}
	buf := r.buf[:0]
	if room != cap(r.buf) {
		buf = make([]byte, 0, room)
	}
	buf = append(buf, left...)
	r.buf, r.at = buf, 0
	n, err := r.src.Read(r.buf[len(r.buf):cap(r.buf)])
	r.buf = r.buf[:len(r.buf)+n]
	if n > 0 {
		return nil // an error that came with bytes comes again
	}
	if err == nil {
		return io.ErrNoProgress
	}
	return err
}
