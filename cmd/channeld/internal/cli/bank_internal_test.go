package cli

import (
	"bytes"
	"strings"
	"testing"
)

// TestEmptyAmount: an amount that a script left empty moves nothing, least of all everything.
func TestEmptyAmount(t *testing.T) {
	for _, args := range [][]string{{"withdraw", ""}, {"withdraw", " ", "--to", "0x5FbDB2315678afecb367f032d93F642f64180aa3"}, {"token", "redeem", "0x5FbDB2315678afecb367f032d93F642f64180aa3", ""}} {
		var said bytes.Buffer
		exit := Main(t.Context(), append(args, "--dir", t.TempDir()), Terminal{Out: &said, Err: &said})
		if exit != exitUsage || !strings.Contains(said.String(), "the amount is empty") {
			t.Errorf("%q: exit code %d, %s", args, exit, &said)
		}
	}
}
