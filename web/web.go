// Package web is the page on which a person plays, and sees how a daemon is: which alarms stand,
// what each channel and match waits for, and that it still answers. What it may do is what the
// token of its link may: with api.View it shows and changes nothing. Its sources are in app.
package web

import (
	"embed"
	"io/fs"
	"net/http"
	"strings"
)

// Path is where the page is served.
const Path = "/page/"

//go:embed dist
var built embed.FS

// policy lets the page load and ask nothing but what is served beside it, and no other page show
// it.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// Handler serves the page under Path. The files hold nothing of the node: what they show they ask
// of the API at the same address.
func Handler() http.Handler {
	files, _ := fs.Sub(built, "dist") // the error is of invalid paths only
	served := http.StripPrefix(strings.TrimSuffix(Path, "/"), http.FileServerFS(files))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", policy)
		h.Set("Cross-Origin-Opener-Policy", "same-origin") // who opened it can't lead it elsewhere
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cache-Control", "no-cache")
		served.ServeHTTP(w, r)
	})
}
