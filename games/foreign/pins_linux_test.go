package foreign

import (
	"os/signal"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/ethereum/go-ethereum/common"
)

// TestPins_DiskFull: rules that can't be written whole leave nothing behind: a torn file would keep
// daemon and tower from starting, and so from defending any match.
func TestPins_DiskFull(t *testing.T) {
	pins := Pins(filepath.Join(t.TempDir(), "games"))
	p := Pin{Manifest: &Manifest{Name: "torn", Guide: "how it is played"}, Rules: common.Address{1}}
	if err := full(t, func() error { return pins.Add(p) }); err == nil {
		t.Fatal("written in spite of a full disk")
	}
	if list, err := pins.List(); err != nil || len(list) != 0 {
		t.Errorf("%d rules, %v", len(list), err)
	}
	if err := pins.Add(p); err != nil {
		t.Error(err)
	}
	if list, err := pins.List(); err != nil || len(list) != 1 {
		t.Errorf("with room again: %d rules, %v", len(list), err)
	}
}

// full calls f while no file can grow beyond a few bytes.
func full(t *testing.T, f func() error) error {
	t.Helper()
	signal.Ignore(syscall.SIGXFSZ)
	defer signal.Reset(syscall.SIGXFSZ)
	var room syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &room); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: 64, Max: room.Max}); err != nil {
		t.Fatal(err)
	}
	err := f()
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &room); err != nil {
		t.Fatal(err)
	}
	return err
}
