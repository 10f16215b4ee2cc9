package chain

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/rpc"
)

// answered answers every request with a status and a long text.
type answered int

func (a answered) RoundTrip(*http.Request) (*http.Response, error) {
	return &http.Response{StatusCode: int(a), Body: io.NopCloser(strings.NewReader(strings.Repeat("x", 2*maxComplaint)))}, nil
}

func TestOnlyTheBeginningOfAComplaintIsRead(t *testing.T) {
	for status, want := range map[int]int{199: maxComplaint, 200: 2 * maxComplaint, 299: 2 * maxComplaint, 300: maxComplaint, 502: maxComplaint} {
		answer, err := capped{answered(status), nil}.RoundTrip(nil)
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(answer.Body)
		if err != nil || len(text) != want {
			t.Errorf("status %d: %d bytes are read, want %d; %v", status, len(text), want, err)
		}
	}
}

// saying answers every request with so many bytes as they are.
func saying(t *testing.T, text string) string {
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			if _, err := http.ReadRequest(bufio.NewReader(conn)); err == nil {
				_, _ = io.WriteString(conn, text)
			}
			_ = conn.Close()
		}
	}()
	return listener.Addr().String()
}

func TestOnlyTheBeginningOfAnErrorIsKept(t *testing.T) {
	const head = "HTTP/1.1 200 OK\r\n\r\n" + `{"jsonrpc":"2.0","id":1,"error":`
	long := strings.Repeat("é", 8*maxTold)
	for text, code := range map[string]int{
		head + `{"code":7,"message":"` + long + `"}}`:               7,
		head + `{"code":7,"message":"no","data":"` + long + `"}}`:   7,
		head + `{"code":7,"message":"no","data":["` + long + `"]}}`: 7,
		long + "\r\n\r\n": 0, // quoted by what can't read it
	} {
		for _, scheme := range []string{"http://", "ws://"} {
			e := newEndpoint(scheme+saying(t, text), 1, &Config{Timeout: time.Minute, Now: time.Now, After: time.After})
			t.Cleanup(e.close)
			err := e.do(t.Context(), nil)
			kept, got := fmt.Sprintf("%v %q", err, errors.Unwrap(err)), 0
			if told, is := errors.AsType[rpc.Error](err); is {
				got = told.ErrorCode()
			}
			if detailed, is := errors.AsType[rpc.DataError](err); is {
				kept += fmt.Sprint(detailed.ErrorData())
			}
			if scheme == "http://" && got != code || err == nil || len(kept) > 4*maxTold {
				t.Errorf("%s%.99q…: code %d, %d bytes: %.100q", scheme, text, got, len(kept), kept)
			}
		}
	}
}
