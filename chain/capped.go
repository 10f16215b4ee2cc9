package chain

import (
	"errors"
	"io"
	"net/http"
	"strconv"
	"time"
)

// maxAnswer is the longest answer of an endpoint that is read, in bytes: what go-ethereum reads
// over WebSocket, and more than its own servers send.
const maxAnswer = 32 << 20

// maxComplaint is how much is read of an answer that is only an HTTP error, in bytes.
const maxComplaint = 1 << 10

// errTooLong says that an answer is longer than maxAnswer.
var errTooLong = errors.New("the answer is too long")

// capped bounds what is read of answers, which nothing else does: an endpoint could fill the memory
// with one. It also reads when an endpoint that is asked too often wants to be asked again.
type capped struct {
	http.RoundTripper
	later func(time.Duration)
}

// Capped is a transport of which no more of an answer is read than a Client reads.
func Capped(t http.RoundTripper) http.RoundTripper { return capped{t, func(time.Duration) {}} }

func (c capped) RoundTrip(request *http.Request) (*http.Response, error) {
	answer, err := c.RoundTripper.RoundTrip(request)
	if err != nil {
		return nil, err
	}
	if seconds, err := strconv.ParseUint(answer.Header.Get("Retry-After"), 10, 16); err == nil && answer.StatusCode == http.StatusTooManyRequests {
		c.later(time.Duration(seconds) * time.Second) //nolint:gosec // 16 bits
	}
	b := &body{ReadCloser: answer.Body, left: maxAnswer, over: errTooLong}
	if answer.StatusCode < 200 || answer.StatusCode >= 300 {
		b.left, b.over = maxComplaint, io.EOF
	}
	answer.Body = b
	return answer, nil
}

// CloseIdleConnections is what http.Client looks for in a transport.
func (c capped) CloseIdleConnections() {
	(&http.Client{Transport: c.RoundTripper}).CloseIdleConnections()
}

// body is what may be read of an answer, and what is said of the rest.
type body struct {
	io.ReadCloser
	left int
	over error
}

func (b *body) Read(p []byte) (int, error) {
	if b.left == 0 {
		return 0, b.over
	}
	n, err := b.ReadCloser.Read(p[:min(len(p), b.left)])
	b.left -= n
	return n, err
}
