package api

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/ante-games/ante/chain"
)

// Guard refuses what a page of another origin sends, and what comes under a name that is not the
// computer's own: an attacker's page whose name leads to loopback (DNS rebinding) is of that name's
// origin. Pages of the origins given may ask as the daemon's own page may.
func Guard(origins []string, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !chain.Loopback(r.Host) { // at any port: it may be forwarded
			http.Error(w, "ask the daemon under localhost or its address on loopback", http.StatusMisdirectedRequest)
			return
		}
		shown := r.Header.Values("Origin")
		if len(shown) == 0 {
			next.ServeHTTP(w, r)
			return
		}
		origin := shown[0]
		listed := slices.Contains(origins, origin)
		if len(shown) > 1 || !listed && origin != "http://"+r.Host {
			http.Error(w, "pages of this origin may not ask the daemon: see the setting api.origins", http.StatusForbidden)
			return
		}
		if listed {
			allow(w.Header(), origin)
		}
		if r.Method == http.MethodOptions && r.Header.Get("Access-Control-Request-Method") != "" {
			if listed {
				preflight(w.Header(), r)
			}
			w.WriteHeader(http.StatusNoContent)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// shownHeaders are those of a reply that a page may read, besides the harmless ones.
const shownHeaders = "Grpc-Status, Grpc-Message, Grpc-Status-Details-Bin"

func allow(h http.Header, origin string) {
	h.Add("Vary", "Origin")
	h.Set("Access-Control-Allow-Origin", origin)
	h.Set("Access-Control-Expose-Headers", shownHeaders)
}

// askedHeaders are those that a page may send.
const askedHeaders = "Authorization, Content-Type, Connect-Protocol-Version, Connect-Timeout-Ms, Idempotency-Key, Grpc-Timeout, X-Grpc-Web, X-User-Agent"

func preflight(h http.Header, r *http.Request) {
	h.Set("Access-Control-Allow-Methods", "POST")
	h.Set("Access-Control-Allow-Headers", askedHeaders)
	h.Set("Access-Control-Max-Age", "600")
	if r.Header.Get("Access-Control-Request-Private-Network") == "true" {
		h.Set("Access-Control-Allow-Private-Network", "true")
	}
}

// IsOrigin reports whether a text is an origin as browsers send it: a scheme, a host, and a port
// where it isn't the scheme's own.
func IsOrigin(text string) bool {
	u, err := url.Parse(text)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != "" && text == u.Scheme+"://"+strings.ToLower(u.Host)
}
