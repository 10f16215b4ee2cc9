package api

import (
	"bufio"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"time"
)

// ErrStranger is wrapped by Prove when what listens at an address does not know the token.
var ErrStranger = errors.New("a stranger listens there")

// provePath is where a client that has shown nothing yet asks the service to prove that it knows
// the token.
const provePath = "/prove"

// proveTimeout bounds a proof.
const proveTimeout = 10 * time.Second

// proof answers a challenge at an address. The address keeps somebody who took over a port from
// passing the challenge on to the service at its own.
func proof(token, address, challenge string) string {
	mac := hmac.New(sha256.New, []byte(token))
	fmt.Fprintf(mac, "ante api\n%s\n%s", address, challenge)
	return hex.EncodeToString(mac.Sum(nil))
}

// prover answers challenges of anybody.
func prover(token string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		address, _ := r.Context().Value(http.LocalAddrContextKey).(net.Addr)
		challenge, err := hex.DecodeString(r.URL.Query().Get("challenge"))
		if address == nil || err != nil || len(challenge) != sha256.Size {
			http.Error(w, "ask with a challenge of 64 hexadecimal digits", http.StatusBadRequest)
			return
		}
		// the caller is gone if it fails
		_, _ = io.WriteString(w, proof(token, address.String(), hex.EncodeToString(challenge)))
	})
}

// Prove makes sure that a fresh connection leads to a service that knows the token, before the
// token is shown over it. It fails with ErrStranger if not; then the connection is of no use.
// Afterwards HTTP can be spoken over the connection.
func Prove(conn net.Conn, token string) error {
	challenge := make([]byte, sha256.Size)
	_, _ = rand.Read(challenge) // never fails
	asked := hex.EncodeToString(challenge)
	address := conn.RemoteAddr().String()
	request := &http.Request{
		Method: http.MethodGet, Host: address,
		URL: &url.URL{Scheme: "http", Host: address, Path: provePath, RawQuery: "challenge=" + asked},
	}
	if err := conn.SetDeadline(time.Now().Add(proveTimeout)); err != nil {
		return err
	}
	if err := request.Write(conn); err != nil {
		return fmt.Errorf("%w: %w", ErrStranger, err)
	}
	reader := bufio.NewReader(conn)
	reply, err := http.ReadResponse(reader, request)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrStranger, err)
	}
	defer reply.Body.Close()
	want := proof(token, address, asked)
	got, err := io.ReadAll(io.LimitReader(reply.Body, int64(len(want)+1)))
	if err != nil || !hmac.Equal(got, []byte(want)) || reader.Buffered() > 0 {
		return ErrStranger
	}
	return conn.SetDeadline(time.Time{})
}
