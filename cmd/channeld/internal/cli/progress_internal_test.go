package cli

import (
	"bytes"
	"regexp"
	"testing"
	"time"
)

// TestProgress: a terminal sees one line that is redrawn and taken away, a file a line for each
// state, and who wants JSON nothing.
func TestProgress(t *testing.T) {
	for want, json := range map[string]bool{"waits\nblock 1 of 2\ndone\n": false, "": true} {
		var out bytes.Buffer
		p := (&app{Terminal: Terminal{Err: &out}, json: json}).progress()
		for _, state := range []string{"waits", "waits", "block 1 of 2"} {
			p.at(state)
		}
		p.past("done")
		p.done()
		if out.String() != want {
			t.Errorf("%q, want %q", out.String(), want)
		}
	}
	var out bytes.Buffer
	p := &progress{out: &out, redraws: true, began: time.Now()}
	p.at("waits")
	p.at("waits")
	p.done()
	if !regexp.MustCompile(`^(\r\x1b\[Kwaits \(\d+s\)){2}\r\x1b\[K$`).MatchString(out.String()) {
		t.Errorf("%q", out.String())
	}
}
