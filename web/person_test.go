package web_test

import (
	"encoding/json"
	"strings"
)

// person is somebody in front of a page, with a daemon of their own.
type person struct {
	*tab
	*process
	name    string
	account string
	home    string // of everybody's directories
	port    string // where its daemon listens for others

	pictured map[string]bool // boards of which there are pictures
}

// arrive starts the daemon and opens its page.
func (p *person) arrive() {
	p.Helper()
	p.process = background(p.tab.T, p.home, "--dir", p.name, "run")
	p.open(p.link())
	p.sees("#state", "all is well")
}

func (p *person) link() string { return p.told("link", "page", "--play") }

// channeld runs a command of the person's and returns what it prints.
func (p *person) channeld(args ...string) []byte {
	p.tab.Helper()
	cmd := channeld(p.tab.T, p.home, append([]string{"--json", "--dir", p.name}, args...)...)
	var wrong strings.Builder
	cmd.Stderr = &wrong
	out, err := cmd.Output()
	if err != nil {
		p.Fatalf("channeld %s: %v: %s", strings.Join(args, " "), err, wrong.String())
	}
	return out
}

// told is a field of what a command prints, of a list its first item.
func (p *person) told(field string, args ...string) string {
	p.tab.Helper()
	var all map[string]any
	p.must(json.Unmarshal(p.channeld(args...), &all))
	if list, is := all[field].([]any); is {
		return list[0].(string)
	}
	return all[field].(string)
}
