package metrics_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/ante-games/ante/chain/chaintest"
	"github.com/ante-games/ante/chain/devnet"
	"github.com/ante-games/ante/games/catalog"
	"github.com/ante-games/ante/node"
	"github.com/ante-games/ante/node/dev"
	"github.com/ante-games/ante/node/metrics"
)

// TestAttack_StarvedRPC_Metrics: whoever can ask for the metrics needs no token, and may be a page
// of any site. However often it asks, the endpoint hears little of it.
func TestAttack_StarvedRPC_Metrics(t *testing.T) {
	w, err := dev.Start(t.Context(), devnet.Config{}, catalog.Standard())
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	settings, err := w.Config(0)
	if err != nil {
		t.Fatal(err)
	}
	endpoint, err := chaintest.NewEndpoint(settings.Chain.URL)
	if err != nil {
		t.Fatal(err)
	}
	defer endpoint.Close()
	settings.Chain.URL = endpoint.URL
	n, err := node.Start(t.Context(), settings)
	if err != nil {
		t.Fatal(err)
	}
	defer n.Close()
	h := metrics.Handler(n)
	const scrapes = 100
	before := endpoint.Asked()["eth_getBalance"]
	for range scrapes {
		out := httptest.NewRecorder()
		h.ServeHTTP(out, httptest.NewRequest(http.MethodGet, "http://127.0.0.1/metrics", nil))
		if !strings.Contains(out.Body.String(), "\nante_gas_reserve_wei ") {
			t.Fatalf("the reserve is missing:\n%s", out.Body)
		}
	}
	if asked := endpoint.Asked()["eth_getBalance"] - before; asked > scrapes/10 {
		t.Errorf("the endpoint was asked %d times for %d scrapes", asked, scrapes)
	}
}
