package api

import (
	"net/http"

	"connectrpc.com/connect"
	"connectrpc.com/grpchealth"
	"github.com/ante-games/ante/node/keys"
	"github.com/ante-games/ante/store"
)

// Waiting returns the service of a program that has no node yet: it proves that it knows the token,
// and answers whoever shows one why there is none, with a code that says to ask again.
func Waiting(token keys.Secret, s store.Store, why error) http.Handler {
	answer := connect.NewErrorWriter()
	return entrance(token, newBook(s), grpchealth.StatusNotServing, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		// the caller is gone if it fails
		_ = answer.Write(w, r, connect.NewError(connect.CodeUnavailable, why))
	}))
}
