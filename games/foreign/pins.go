package foreign

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ante-games/ante/internal/files"
)

// ErrPinned means that there are rules under that name already.
var ErrPinned = errors.New("there are rules of that name already")

// Pins is a directory of pinned rules, a file each.
type Pins string

// List returns all of them, by name. A directory that is not there holds none.
func (d Pins) List() ([]Pin, error) {
	entries, err := os.ReadDir(string(d))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("read pinned rules: %w", err)
	}
	var list []Pin
	for _, e := range entries {
		name, ok := strings.CutSuffix(e.Name(), ".json")
		if !ok {
			continue
		}
		b, err := os.ReadFile(filepath.Join(string(d), e.Name()))
		if err != nil {
			return nil, fmt.Errorf("read pinned rules: %w", err)
		}
		var p Pin
		if err := json.Unmarshal(b, &p); err != nil {
			return nil, fmt.Errorf("%w: %s: %w", ErrManifest, e.Name(), err)
		}
		if p.Manifest == nil || p.Manifest.Name != name {
			return nil, fmt.Errorf("%w: %s is not the file of a game %s", ErrManifest, e.Name(), name)
		}
		list = append(list, p)
	}
	return list, nil
}

// Add pins rules. It fails with ErrPinned when rules of that name, or at that address, are pinned.
func (d Pins) Add(p Pin) error {
	list, err := d.List()
	if err != nil {
		return err
	}
	if i := slices.IndexFunc(list, func(q Pin) bool { return q.Manifest.Name == p.Manifest.Name || q.Rules == p.Rules }); i >= 0 {
		return fmt.Errorf("%w: %s at %s", ErrPinned, list[i].Manifest.Name, list[i].Rules)
	}
	b, err := json.MarshalIndent(&p, "", "  ")
	if err != nil {
		return fmt.Errorf("pin rules: %w", err)
	}
	if err := os.MkdirAll(string(d), 0o700); err != nil {
		return fmt.Errorf("pin rules: %w", err)
	}
	// whole or not at all: a torn one would keep the daemon and the tower from starting
	if err := files.WriteNew(string(d), p.Manifest.Name+".json", append(b, '\n')); err != nil {
		return fmt.Errorf("pin rules: %w", err)
	}
	return nil
}

// Remove forgets rules. Matches that are still played by them can't go on.
func (d Pins) Remove(name string) error {
	if !namePattern.MatchString(name) {
		return fmt.Errorf("%w: no game is called %q", ErrManifest, name)
	}
	if err := os.Remove(d.file(name)); err != nil {
		return fmt.Errorf("forget the rules of %s: %w", name, err)
	}
	return nil
}

func (d Pins) file(name string) string { return filepath.Join(string(d), name+".json") }
