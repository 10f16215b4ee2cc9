// Command release builds what users install: an archive of channeld for every platform, with the
// licences of all that is linked into it, a bill of materials beside it, and checksums of both. The
// same commit and version of Go give the same bytes in any directory; make release-check compares.
package main

import (
	"crypto/sha256"
	"flag"
	"fmt"
	"io/fs"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/ante-games/ante"
)

const everyPlatform = "linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64"

func main() {
	log.SetFlags(0)
	platforms := flag.String("platforms", everyPlatform, "what to build for")
	out := flag.String("out", "bin/release", "where to put it; what is there goes")
	flag.Parse()
	r, err := newRelease(*out)
	if err != nil {
		log.Fatal(err)
	}
	for _, platform := range strings.Fields(*platforms) {
		start := time.Now()
		if err := r.build(platform); err != nil {
			log.Fatalf("%s: %v", platform, err)
		}
		log.Printf("%s in %s", platform, time.Since(start).Round(time.Second))
	}
	if err := r.sum(); err != nil {
		log.Fatal(err)
	}
}

// release is one commit's.
type release struct {
	out    string
	commit string
	time   time.Time // of the commit, and of every file in an archive
}

func newRelease(out string) (*release, error) {
	changed, err := output("git", "status", "--porcelain")
	if err != nil {
		return nil, err
	}
	if changed != "" {
		return nil, fmt.Errorf("these files differ from the commit that the release would name:\n%s", changed)
	}
	made, err := output("git", "log", "-1", "--format=%H %ct")
	if err != nil {
		return nil, err
	}
	commit, at, _ := strings.Cut(made, " ")
	seconds, err := strconv.ParseInt(at, 10, 64)
	if err != nil {
		return nil, fmt.Errorf("the time of the commit: %w", err)
	}
	if err := os.RemoveAll(out); err != nil {
		return nil, err
	}
	return &release{out: out, commit: commit, time: time.Unix(seconds, 0).UTC()}, os.MkdirAll(out, 0o755) //nolint:gosec // for everybody
}

// build makes the archive and the bill of materials of a platform.
func (r *release) build(platform string) error {
	system, arch, _ := strings.Cut(platform, "/")
	name := fmt.Sprintf("channeld-%s-%s-%s", ante.Version, system, arch)
	work, err := os.MkdirTemp("", "release-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	program := filepath.Join(work, "channeld")
	if system == "windows" {
		program += ".exe"
	}
	if err := r.compile(program, system, arch); err != nil {
		return err
	}
	if err := materials(program, filepath.Join(r.out, name+".cdx.json")); err != nil {
		return err
	}
	files, err := contents(program, system)
	if err != nil {
		return err
	}
	return archive(filepath.Join(r.out, name), system, r.time, files)
}

// compile builds a static program from which all that differs between machines is left out.
func (r *release) compile(program, system, arch string) error {
	cmd := exec.Command("go", "build", "-buildvcs=false", "-trimpath", "-o", program, //nolint:gosec // our own arguments
		"-ldflags", "-s -w -X github.com/ante-games/ante/cmd/channeld/internal/cli.commit="+r.commit, "./cmd/channeld")
	cmd.Env = append(os.Environ(), "GOOS="+system, "GOARCH="+arch, "CGO_ENABLED=0", "GOAMD64=v1", "GOARM64=v8.0", "GOFLAGS=", "GOWORK=off")
	cmd.Stderr = os.Stderr
	return cmd.Run()
}

// materials writes what a program is made of, as CycloneDX.
func materials(program, file string) error {
	cmd := exec.Command("go", "run", "-trimpath", "github.com/CycloneDX/cyclonedx-gomod/cmd/cyclonedx-gomod@v1.10.0", //nolint:gosec // our own arguments
		"bin", "-json", "-std", "-noserial", "-notimestamp", "-version", "v"+ante.Version, "-output", file, program)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	said, err := cmd.CombinedOutput()
	if err != nil {
		return fmt.Errorf("bill of materials: %w: %s", err, said)
	}
	return nil
}

// contents returns what the archive of a program has.
func contents(program, system string) ([]file, error) {
	modules, err := linked(program)
	if err != nil {
		return nil, err
	}
	texts, err := licences(modules)
	if err != nil {
		return nil, err
	}
	files := []file{{name: "LICENSES.txt", text: texts}}
	sources := []string{program, "LICENSE", "NOTICE", "README.md", "CHANGELOG.md"}
	if system == "linux" {
		more, err := filepath.Glob("packaging/*")
		if err != nil {
			return nil, err
		}
		sources = append(sources, more...)
	}
	for _, path := range sources {
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		files = append(files, file{name: filepath.Base(path), text: text, program: path == program})
	}
	return files, nil
}

// sum writes the checksums of all files, as sha256sum reads them.
func (r *release) sum() error {
	var sums strings.Builder
	if err := filepath.WalkDir(r.out, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		fmt.Fprintf(&sums, "%x  %s\n", sha256.Sum256(text), entry.Name())
		return err
	}); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(r.out, "SHA256SUMS"), []byte(sums.String()), 0o644) //nolint:gosec // for everybody
}

func output(name string, args ...string) (string, error) {
	text, err := exec.Command(name, args...).Output()
	if err != nil {
		return "", fmt.Errorf("%s %s: %w", name, strings.Join(args, " "), err)
	}
	return strings.TrimSpace(string(text)), nil
}
