package main

import (
	"encoding/hex"
	"os"
	"regexp"
	"strings"

	"github.com/ante-games/ante/node/keys"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/rogpeppe/go-internal/testscript"
)

// secrets writes all that is secret in a daemon's directory into a file, one a line: secrets DIR
// FILE. That is the opened keys and the seeds made of them, what the key files hold but for the
// address, the password and the token of the API.
func secrets(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: secrets DIR FILE")
	}
	password, token := strings.TrimSpace(ts.ReadFile("password")), strings.TrimSpace(ts.ReadFile(args[0]+"/api-token"))
	ring, err := keys.Open(ts.MkAbs(args[0]+"/keys"), keys.NewPassword(password))
	ts.Check(err)
	gas, err := ring.GasKey()
	ts.Check(err)
	peer, err := ring.PeerSeed()
	ts.Check(err)
	list := []string{
		password, token, hex.EncodeToString(crypto.FromECDSA(ring.PlayerKey())), hex.EncodeToString(crypto.FromECDSA(gas)), hex.EncodeToString(peer.Reveal()),
	}
	for _, name := range []string{"player.json", "seed.json"} {
		list = append(list, regexp.MustCompile("[0-9a-f]{64,}").FindAllString(ts.ReadFile(args[0]+"/keys/"+name), -1)...)
	}
	if len(list) < 9 {
		ts.Fatalf("only %d secrets were found", len(list))
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), []byte(strings.Join(list, "\n")+"\n"), 0o600))
}
