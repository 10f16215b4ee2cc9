package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// explainedFile lists the mutants that make no difference, as they are printed, without the line's
// number, each with the reason, in lines of its own, why nothing can notice it.
const explainedFile = "internal/mutants/explained.txt"

// explained reads the list: the reasons by where and how a mutant changes what.
func explained(root string) (map[string]string, error) {
	text, err := os.ReadFile(filepath.Join(root, explainedFile))
	if err != nil {
		return nil, err
	}
	list := map[string]string{}
	for entry := range strings.SplitSeq(strings.TrimSpace(string(text)), "\n\n") {
		if entry == "" {
			continue // of an empty list
		}
		at, why := 0, ""
		for line := range strings.Lines(entry + "\n") {
			if at > 0 && !strings.HasPrefix(line, "    ") {
				why = strings.TrimSpace(entry[at:])
				break
			}
			at += len(line)
		}
		if why == "" {
			return nil, fmt.Errorf("%s: this says no reason:\n%s", explainedFile, entry)
		}
		list[entry[:at]] = why
	}
	return list, nil
}

// key is how a mutant stands in the list.
func (m mutant) key(src string) string { return m.path + ", " + m.kind + "\n" + m.diff(src) }
