package chain

import (
	"io"
	"net/http"
	"strings"
	"testing"
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
