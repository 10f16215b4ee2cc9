package cli

import (
	"bytes"
	"strings"
	"testing"
)

// TestEmptyArguments: what a script left empty is neither everything nor the only one there is.
func TestEmptyArguments(t *testing.T) {
	for _, args := range [][]string{{"withdraw", ""}, {"withdraw", " ", "--to", "0x5FbDB2315678afecb367f032d93F642f64180aa3"}, {"token", "redeem", "0x5FbDB2315678afecb367f032d93F642f64180aa3", ""},
		{"close", ""}, {"accept", ""}, {"concede", ""}, {"dispute", "exit", ""}} {
		var said bytes.Buffer
		exit := Main(t.Context(), append(args, "--dir", t.TempDir()), Terminal{Out: &said, Err: &said})
		if exit != exitUsage || !strings.Contains(said.String(), "an argument is empty") {
			t.Errorf("%q: exit code %d, %s", args, exit, &said)
		}
	}
}
