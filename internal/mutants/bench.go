package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

// bench is where mutants of one kind of source are made and tested.
type bench struct {
	name  string
	root  string
	limit time.Duration
	files func(root string) ([]string, error)
	make  func(path, src string) ([]mutant, error)
	// build returns what a mutant changes in the build, by path, nil if nothing, and the packages whose tests should notice.
	build func(ctx context.Context, b *bench, m mutant, src string) (changed map[string]string, packages []string, err error)
}

// errBroken says that a mutant does not compile.
var errBroken = errors.New("does not compile")

func newBench(name string, limit time.Duration) (*bench, error) {
	dir, err := root()
	if err != nil {
		return nil, err
	}
	b := &bench{name: name, root: dir, limit: limit}
	switch name {
	case "core":
		b.files = glob("channel/*.go")
		b.make = guardsOf
		b.build = func(_ context.Context, _ *bench, m mutant, src string) (map[string]string, []string, error) {
			return map[string]string{m.path: m.apply(src)}, []string{"./channel", "./disputes"}, nil
		}
	case "contracts":
		b.files = glob("contracts/src/*.sol", "contracts/src/games/*.sol")
		b.make = func(path, src string) ([]mutant, error) { return solidityOf(path, src), nil }
		b.build = bytecode
	default:
		return nil, fmt.Errorf("%q is neither contracts nor core", name)
	}
	return b, nil
}

func glob(patterns ...string) func(string) ([]string, error) {
	return func(root string) (list []string, err error) {
		for _, p := range patterns {
			found, err := filepath.Glob(filepath.Join(root, p))
			if err != nil {
				return nil, err
			}
			for _, f := range found {
				if rel, err := filepath.Rel(root, f); err == nil && !strings.HasSuffix(f, "_test.go") {
					list = append(list, filepath.ToSlash(rel))
				}
			}
		}
		return list, nil
	}
}

// mutants returns all that could be made, and the sources.
func (b *bench) mutants(match string) (all []mutant, sources map[string]string, err error) {
	files, err := b.files(b.root)
	if err != nil {
		return nil, nil, err
	}
	sources = map[string]string{}
	for _, path := range files {
		if !strings.Contains(path, match) {
			continue
		}
		src, err := os.ReadFile(filepath.Join(b.root, path))
		if err != nil {
			return nil, nil, err
		}
		list, err := b.make(path, string(src))
		if err != nil {
			return nil, nil, err
		}
		sources[path] = string(src)
		all = append(all, list...)
	}
	return all, sources, nil
}

// try tests one mutant. It says which package's tests killed it.
func (b *bench) try(ctx context.Context, m mutant, src string) (outcome, string, error) {
	changed, packages, err := b.build(ctx, b, m, src)
	if errors.Is(err, errBroken) {
		return broken, "", nil
	}
	if err != nil || changed == nil {
		return same, "", err
	}
	dir, err := os.MkdirTemp("", "mutant")
	if err != nil {
		return 0, "", err
	}
	defer os.RemoveAll(dir)
	overlay := struct{ Replace map[string]string }{map[string]string{}}
	for path, content := range changed {
		at := filepath.Join(dir, fmt.Sprint(len(overlay.Replace))+filepath.Ext(path))
		if err := os.WriteFile(at, []byte(content), 0o600); err != nil {
			return 0, "", err
		}
		overlay.Replace[filepath.Join(b.root, path)] = at
	}
	text, err := json.Marshal(overlay)
	if err != nil {
		return 0, "", err
	}
	file := filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(file, text, 0o600); err != nil {
		return 0, "", err
	}
	for _, pkg := range packages {
		// Gas is held to the unit: any change would be noticed by that alone.
		out, err := b.command(ctx, "go", "test", "-overlay", file, "-vet=off", "-short", "-failfast", "-skip", "Gas",
			"-timeout", b.limit.String(), pkg)
		if ctx.Err() != nil {
			return 0, "", ctx.Err()
		}
		if bytes.Contains(out, []byte("[build failed]")) {
			return broken, "", nil
		}
		if err != nil {
			return killed, " by " + strings.TrimPrefix(pkg, "./") + firstFailure(out), nil
		}
	}
	return survived, "", nil
}

var failure = regexp.MustCompile(`--- FAIL: (\S+)|panic: (test timed out)`)

// firstFailure names the test that failed.
func firstFailure(out []byte) string {
	if m := failure.FindSubmatch(out); m != nil {
		return " " + string(m[1]) + string(m[2])
	}
	return ""
}

func (b *bench) command(ctx context.Context, name string, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = b.root
	return cmd.CombinedOutput()
}

// bytecode compiles a mutant of a contract and puts the new code in place of the old in the bindings.
func bytecode(ctx context.Context, b *bench, m mutant, src string) (map[string]string, []string, error) {
	path := strings.TrimPrefix(m.path, "contracts/")
	input, err := json.Marshal(map[string]string{"path": path, "content": m.apply(src)})
	if err != nil {
		return nil, nil, err
	}
	cmd := exec.CommandContext(ctx, "node", "internal/mutants/compile.mjs")
	cmd.Dir, cmd.Stdin = b.root, bytes.NewReader(input)
	out, err := cmd.Output()
	if err != nil {
		return nil, nil, fmt.Errorf("compile %s: %w", m.path, err)
	}
	var codes map[string]struct{ Before, After string }
	if err := json.Unmarshal(out, &codes); err != nil {
		return nil, nil, err
	}
	if len(codes) == 0 {
		return nil, nil, errBroken
	}
	const bindings = "contracts/bindings/bindings.go"
	text, err := os.ReadFile(filepath.Join(b.root, bindings))
	if err != nil {
		return nil, nil, err
	}
	changed := string(text)
	packages := []string{"./contracts"}
	for name, code := range codes {
		if code.Before == code.After {
			continue
		}
		if strings.Count(changed, code.Before) != 1 {
			return nil, nil, fmt.Errorf("the bindings of %s are not current: run make contracts", name)
		}
		changed = strings.Replace(changed, code.Before, code.After, 1)
		if game := "games/" + strings.ToLower(name); isDir(filepath.Join(b.root, game)) {
			packages = append(packages, "./"+game)
		}
	}
	if changed == string(text) {
		return nil, nil, nil
	}
	packages = append(packages, "./disputes")
	return map[string]string{bindings: changed}, packages, nil
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}
