package main

import (
	"bytes"
	"cmp"
	"debug/buildinfo"
	_ "embed"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// Bloomfilter has its licence in the heads of its sources only.
//
//go:embed bloomfilter.txt
var bloomfilter string

// linked returns the modules that a program was built from, by what Go wrote into it.
func linked(program string) (modules []string, err error) {
	info, err := buildinfo.ReadFile(program)
	if err != nil {
		return nil, err
	}
	for _, m := range info.Deps {
		modules = append(modules, m.Path)
	}
	return modules, nil
}

// goItself is linked into every program, and is no module.
const goItself = "Go's runtime and standard library"

// licenceFile is what modules call the files that must go with a program.
var licenceFile = regexp.MustCompile(`(?i)^(licen[cs]es?|copying|notice|patents|copyright)([-._].*)?$`)

// licences returns the licences of Go and of modules, each text once, under the names of those that
// it is of. It fails where a module has none.
func licences(modules []string) ([]byte, error) {
	root, err := output("go", "env", "GOROOT")
	if err != nil {
		return nil, err
	}
	dirs := map[string]string{goItself: root}
	list, err := output("go", "list", "-m", "-f", "{{.Path}}\t{{.Dir}}", "all")
	if err != nil {
		return nil, err
	}
	for line := range strings.Lines(list) {
		module, dir, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		if slices.Contains(modules, module) {
			dirs[module] = dir
		}
	}
	owners := map[string][]string{} // of each text
	for _, name := range append([]string{goItself}, modules...) {
		texts, err := licencesIn(dirs[name])
		if name == "github.com/holiman/bloomfilter/v2" {
			texts, err = []string{bloomfilter}, nil
		}
		if err != nil {
			return nil, fmt.Errorf("the licence of %s: %w", name, err)
		}
		for _, text := range texts {
			owners[text] = append(owners[text], name)
		}
	}
	var out bytes.Buffer
	for _, text := range slices.SortedFunc(maps.Keys(owners), func(a, b string) int {
		return cmp.Or(slices.Compare(owners[a], owners[b]), cmp.Compare(a, b))
	}) {
		fmt.Fprintf(&out, "=== %s\n\n%s\n\n", strings.Join(owners[text], "\n=== "), text)
	}
	return out.Bytes(), nil
}

func licencesIn(dir string) (texts []string, err error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		if !e.Type().IsRegular() || !licenceFile.MatchString(e.Name()) || filepath.Ext(e.Name()) == ".go" {
			continue
		}
		text, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			return nil, err
		}
		texts = append(texts, strings.TrimSpace(strings.ReplaceAll(string(text), "\r\n", "\n")))
	}
	if len(texts) == 0 {
		return nil, fmt.Errorf("there is none in %s", dir)
	}
	return texts, nil
}
