package cli

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/ante-games/ante/cmd/channeld/internal/config"
)

// TestDoctorTwoChains: with any chain allowed, two endpoints still have to serve one.
func TestDoctorTwoChains(t *testing.T) {
	serve := func(id int) string {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			asked, _ := io.ReadAll(r.Body)
			_, n, _ := strings.Cut(string(asked), `"id":`)
			n = n[:strings.IndexAny(n, ",}")]
			w.Header().Set("Content-Type", "application/json")
			_, _ = fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":"0x%x"}`, n, id)
		}))
		t.Cleanup(s.Close)
		return s.URL
	}
	for second, want := range map[int]bool{7: false, 8: true} {
		f := new(findings)
		lookAtChain(t.Context(), f, &config.Chain{URL: serve(7), Second: serve(second)})
		found := false
		for _, x := range f.list {
			found = found || x.State == "bad" && strings.Contains(x.Says, "another chain")
		}
		if found != want {
			t.Errorf("chains 7 and %d: %v", second, f.list)
		}
	}
}

// TestAttack_LyingRPC_Doctor: an endpoint that doctor looks at can't fill the memory, either.
func TestAttack_LyingRPC_Doctor(t *testing.T) {
	const most = 256 << 20
	sent := make(chan int, 1)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		n, err := 0, error(nil)
		_, _ = io.WriteString(w, `{"result":"`)
		for part := []byte(strings.Repeat("0", 1<<20)); err == nil && n < most; n += len(part) {
			_, err = w.Write(part)
		}
		sent <- n
	}))
	t.Cleanup(s.Close)
	f := new(findings)
	lookAtChain(t.Context(), f, &config.Chain{URL: s.URL})
	if n := <-sent; n >= most {
		t.Errorf("it took %d bytes", n)
	}
	if !slices.ContainsFunc(f.list, func(x finding) bool { return x.What == "endpoint" && x.State == "bad" }) {
		t.Errorf("%v", f.list)
	}
}
