package skeleton

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"strings"
)

// module is Ante's.
const module = "github.com/ante-games/ante"

// Source is where a game's module finds Ante: a version that the go command can fetch or, where Dir
// is given, a checkout.
type Source struct{ Version, Dir string }

// ErrSource means that nothing says where Ante's sources are.
var ErrSource = errors.New("this program is of no release, and was not started beside Ante's sources")

var (
	released = regexp.MustCompile(`^v\d+\.\d+\.\d+(-(alpha|beta|rc)[.\d]*)?$`)
	// what the go command makes of a commit: others may be unable to fetch it
	commit = regexp.MustCompile(`^v\d+\.\d+\.\d+-(.+\.)?\d{14}-[0-9a-f]{12}$`)
)

// Find returns the release that a program was built from, else the checkout that one of the places
// is in, else the commit that it was fetched as. It fails with ErrSource.
func Find(built *debug.BuildInfo, places ...string) (Source, error) {
	version := ""
	for _, m := range append([]*debug.Module{&built.Main}, built.Deps...) {
		if m.Path == module && m.Replace == nil {
			version = m.Version
		}
	}
	if released.MatchString(version) {
		return Source{Version: version}, nil
	}
	for _, dir := range places {
		for ; dir != ""; dir = parent(dir) {
			if isAnte(dir) {
				return Source{Dir: dir}, nil
			}
		}
	}
	if commit.MatchString(version) {
		return Source{Version: version}, nil
	}
	return Source{}, ErrSource
}

// parent is empty where there is none.
func parent(dir string) string {
	if up := filepath.Dir(dir); up != dir {
		return up
	}
	return ""
}

// Checkout returns Ante's sources in a directory. It fails where they aren't.
func Checkout(dir string) (Source, error) {
	dir, err := filepath.Abs(dir) // the game's module is in a directory of its own
	if err == nil && !isAnte(dir) {
		err = fmt.Errorf("there is no go.mod of %s in %s", module, dir)
	}
	return Source{Dir: dir}, err
}

func isAnte(dir string) bool {
	b, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	first, _, _ := strings.Cut(string(b), "\n")
	return err == nil && strings.TrimSpace(first) == "module "+module
}

// require is what a go.mod says of it.
func (s Source) require() string {
	if s.Dir == "" {
		return fmt.Sprintf("require %s %s\n", module, s.Version)
	}
	return fmt.Sprintf("require %s v0.0.0\n\nreplace %s => %q\n", module, module, filepath.ToSlash(s.Dir))
}
