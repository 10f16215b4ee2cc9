package api

import (
	"net/http"

	"connectrpc.com/connect"
	"github.com/ante-games/ante/node/keys"
)

// Waiting returns the service of a program that has no node yet: it proves that it knows the token,
// and answers whoever shows it why there is none.
func Waiting(token keys.Secret, why error) http.Handler {
	all := http.NewServeMux()
	known := string(token.Reveal())
	all.Handle(provePath, prover(known))
	answer := connect.NewErrorWriter()
	all.Handle("/", authenticated(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		// the caller is gone if it fails
		_ = answer.Write(w, r, connect.NewError(connect.CodeFailedPrecondition, why))
	}), known, View(known)))
	return all
}
