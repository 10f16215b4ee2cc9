package repository_test

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
)

// listed is a package that go list lists.
type listed struct {
	path, module string
	imports      []string
}

var everything = sync.OnceValues(func() ([]listed, error) { return goList(nil, "./...") })

// programs lists what the programs hold on one of the systems that they run on, in the same way on
// every machine; cgo links one module more.
var programs = sync.OnceValues(func() (all []listed, err error) {
	for _, system := range []string{"linux", "darwin", "windows"} {
		list, err := goList([]string{"GOOS=" + system, "GOARCH=amd64", "CGO_ENABLED=1"}, "-deps", "./cmd/...")
		if err != nil {
			return nil, fmt.Errorf("for %s: %w", system, err)
		}
		all = append(all, list...)
	}
	return all, nil
})

func goList(env []string, args ...string) (all []listed, err error) {
	list := exec.Command("go", append([]string{"list", "-f", `{{.ImportPath}}:{{with .Module}}{{.Path}}{{end}}:{{join .Imports " "}}`}, args...)...)
	list.Env = append(os.Environ(), env...)
	out, err := list.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	for line := range strings.Lines(string(out)) {
		f := strings.SplitN(strings.TrimSpace(line), ":", 3)
		all = append(all, listed{f[0], f[1], strings.Fields(f[2])})
	}
	return all, nil
}

// got is one of these lists, which are made once for all tests, in the root.
func got(t *testing.T, list func() ([]listed, error)) []listed {
	t.Helper()
	all, err := list()
	if err != nil {
		t.Fatal(err)
	}
	return all
}
