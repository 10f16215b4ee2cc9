package node_test

import (
	"bytes"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"sync/atomic"
	"testing"
)

// newProxy starts an endpoint in front of the world's chain. What a request says is edited; it is
// refused if nothing is left.
func newProxy(t *testing.T, edit func(body []byte) []byte) (at string) {
	t.Helper()
	target, err := url.Parse(world(t).URL)
	must(t, err)
	pass := httputil.NewSingleHostReverseProxy(target)
	pass.ErrorLog = log.New(io.Discard, "", 0) // of requests that were given up
	server := httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, in *http.Request) {
		body, err := io.ReadAll(in.Body)
		if err != nil {
			return // whoever asked is gone
		}
		if body = edit(body); len(body) == 0 {
			http.Error(out, "busy", http.StatusServiceUnavailable)
			return
		}
		in.Body, in.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
		pass.ServeHTTP(out, in)
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// newGate starts an endpoint that turns away as many transactions as shut holds.
func newGate(t *testing.T) (shut *atomic.Int32, at string) {
	shut = new(atomic.Int32)
	return shut, newProxy(t, func(body []byte) []byte {
		if bytes.Contains(body, []byte("eth_sendRawTransaction")) && shut.Add(-1) >= 0 {
			return nil
		}
		return body
	})
}
