// Package web is the page on which a person sees how a daemon is: which alarms stand, what each
// channel and match waits for, and that it still answers. It shows and changes nothing: what it
// asks with is api.View, not the token.
package web

import (
	"embed"
	"net/http"
	"strings"
)

// Path is where the page is served.
const Path = "/page/"

//go:embed index.html page.js page.css
var files embed.FS

// policy lets the page load and ask nothing but what is served beside it, and no other page show
// it.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// Handler serves the page under Path. The files hold nothing of the node: what they show they ask
// of the API at the same address.
func Handler() http.Handler {
	served := http.StripPrefix(strings.TrimSuffix(Path, "/"), http.FileServerFS(files))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", policy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cache-Control", "no-cache")
		served.ServeHTTP(w, r)
	})
}
