package store_test

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ante-games/ante/store"
	"github.com/ante-games/ante/store/storetest"
)

// childDir makes this test binary a second process that holds the store in that directory until its
// input ends.
const childDir = "ANTE_TEST_STORE_DIR"

func TestMain(m *testing.M) {
	if dir := os.Getenv(childDir); dir != "" {
		os.Exit(child(dir))
	}
	os.Exit(m.Run())
}

func child(dir string) int {
	s, err := store.Open(dir, quiet)
	if err != nil {
		fmt.Println(err)
		return 1
	}
	if err := s.Commit(map[string][]byte{"from": []byte("child")}); err != nil {
		fmt.Println(err)
		return 1
	}
	fmt.Println("ready")
	_, _ = bufio.NewReader(os.Stdin).ReadString('\n')
	return 0 // without Close: the lock and the data must survive that
}

func TestAttack_TwoProcesses(t *testing.T) {
	dir := t.TempDir()
	cmd := exec.Command(os.Args[0]) //nolint:gosec // this very binary
	cmd.Env = append(os.Environ(), childDir+"="+dir)
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	line, _ := bufio.NewReader(stdout).ReadString('\n')
	if line != "ready\n" {
		t.Fatalf("child says %q", line)
	}

	_, err = store.Open(dir, quiet)
	whom := fmt.Sprintf("%s (process %d) has %s open", filepath.Base(os.Args[0]), cmd.Process.Pid, dir)
	if !errors.Is(err, store.ErrInUse) || !strings.Contains(err.Error(), whom) {
		t.Fatalf("second process: %v; want ErrInUse that says %q", err, whom)
	}

	_ = stdin.Close()
	if err := cmd.Wait(); err != nil {
		t.Fatal(err)
	}
	s := open(t, dir)
	want(t, s, "from", "child")
	if _, err := store.Open(dir, quiet); !errors.Is(err, store.ErrInUse) {
		t.Fatalf("second handle in one process: %v", err)
	}
	want(t, s, "from", "child")
}

// TestTheOwnerIsOnlyForTheMessage: a disk that is full has no room for the name of the process, but
// the store opens, and is locked.
func TestTheOwnerIsOnlyForTheMessage(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "owner"), 0o700); err != nil {
		t.Fatal(err)
	}
	s := open(t, dir)
	put(t, s, "a", "x")
	if _, err := store.Open(dir, quiet); !errors.Is(err, store.ErrInUse) || !strings.Contains(err.Error(), "another process has") {
		t.Errorf("a second handle: %v", err)
	}
}

// TestAttack_OldBackup shows the store's part: an old copy notices from a generation that a tower
// remembers, and says so for good. What a node then refuses to sign is the node's.
func TestAttack_OldBackup(t *testing.T) {
	dir, backup := t.TempDir(), t.TempDir()
	s := open(t, dir)
	put(t, s, "mark", "old")
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	copyData(t, dir, backup)
	s = open(t, dir)
	put(t, s, "mark", "new")
	remembered, err := store.Generation(s)
	if err != nil {
		t.Fatal(err)
	}
	if restored, err := store.Witness(s, remembered); err != nil || restored {
		t.Fatalf("the real store is taken for a backup: %t, %v", restored, err)
	}
	_ = s.Close()

	// Two more starts after the backup was taken, so that the copy's own count is not enough to
	// hide it.
	s = open(t, dir)
	remembered, _ = store.Generation(s)
	_ = s.Close()
	old := open(t, backup)
	want(t, old, "mark", "old")
	if restored, err := store.Witness(old, remembered); err != nil || !restored {
		t.Fatalf("an old copy in generation below %d is not noticed: %v", remembered, err)
	}
	_ = old.Close()
	old = open(t, backup)
	restored, err := store.Restored(old)
	if err != nil || restored != remembered+1 {
		t.Fatalf("after a restart: restored in %d, %v; want %d", restored, err, remembered+1)
	}
	if generation, _ := store.Generation(old); generation != remembered+2 {
		t.Fatalf("generation %d does not continue from the one remembered, %d", generation, remembered)
	}
}

// TestWitness_Unread: a generation that can't be read is no low one.
func TestWitness_Unread(t *testing.T) {
	m := store.NewMemory()
	broken := &storetest.Faulty{Store: m, Before: func(op storetest.Op) error {
		if op == storetest.Get {
			return storetest.ErrDisk
		}
		return nil
	}}
	if restored, err := store.Witness(broken, 9); restored || !errors.Is(err, storetest.ErrDisk) {
		t.Errorf("taken for a backup: %t, %v", restored, err)
	}
	if generation, err := store.Restored(m); generation != 0 || err != nil {
		t.Errorf("restored in %d, %v", generation, err)
	}
}

func TestAttack_DiskFull(t *testing.T) {
	for writes := 0; writes < 40; writes += 3 {
		disk := storetest.NewDisk()
		s, err := disk.Open()
		if err != nil {
			t.Fatal(err)
		}
		disk.Fill(writes, 1000)
		kept := commitUntilRefused(t, s)
		want(t, s, key(kept), "x")
		want(t, s, key(kept+1), "")
		if err := s.Commit(map[string][]byte{"later": []byte("x")}); !errors.Is(err, store.ErrFull) {
			t.Fatalf("a full disk takes a commit: %v", err)
		}
		disk.Free()
		put(t, s, "later", "x")
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		if s, err = disk.Open(); err != nil {
			t.Fatal(err)
		}
		want(t, s, key(kept), "x")
		want(t, s, key(kept+1), "")
		want(t, s, "later", "x")
		_ = s.Close()
	}
}

func key(i int) string { return fmt.Sprintf("k/%04d", i) }

// commitUntilRefused returns the number of the last commit that was acknowledged.
func commitUntilRefused(t *testing.T, s store.Store) int {
	t.Helper()
	for i := 1; i < 10_000; i++ {
		if err := s.Commit(map[string][]byte{key(i): []byte("x")}); err != nil {
			if !errors.Is(err, store.ErrFull) || !strings.Contains(err.Error(), "free") {
				t.Fatalf("commit %d on a full disk: %v; want ErrFull that says what to do", i, err)
			}
			return i - 1
		}
	}
	t.Fatal("the disk never filled up")
	return 0
}

// TestAttack_DiskFull_AtOnce takes the reserve away too: the store cannot go on, says why, and has
// lost nothing.
func TestAttack_DiskFull_AtOnce(t *testing.T) {
	for writes := 0; writes < 20; writes += 2 {
		disk := storetest.NewDisk()
		s, err := disk.Open()
		if err != nil {
			t.Fatal(err)
		}
		disk.Fill(writes, 0)
		kept := commitUntilRefused(t, s)
		if _, err := s.Get(key(kept)); !errors.Is(err, store.ErrFailed) {
			t.Fatalf("a failed store answers: %v", err)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		after := disk.Crash(nil, 0)
		if s, err = after.Open(); err != nil {
			t.Fatal(err)
		}
		for i := 1; i <= kept; i++ {
			want(t, s, key(i), "x")
		}
		_ = s.Close()
	}
}

func TestAttack_DiskFull_AtOpen(t *testing.T) {
	for writes := 0; writes < 60; writes += 3 {
		disk := storetest.NewDisk()
		disk.Fill(writes, 0)
		_, err := disk.Open()
		if err == nil {
			t.Fatalf("opened on a disk with room for %d writes", writes)
		}
		if !errors.Is(err, store.ErrFull) {
			t.Fatalf("room for %d writes: %v, want ErrFull", writes, err)
		}
		disk.Free()
		s, err := disk.Crash(nil, 0).Open()
		if err != nil {
			t.Fatalf("after room for %d writes: %v", writes, err)
		}
		_ = s.Close()
	}
}

// TestAttack_DiskFull_AtOpen_Unannounced: the disk tells of room that writes don't find, until
// there is enough of it. Nobody is told to put back a backup.
func TestAttack_DiskFull_AtOpen_Unannounced(t *testing.T) {
	for writes := 0; ; writes += 3 {
		disk := storetest.RealDisk(t.TempDir())
		disk.Fill(writes, 0)
		s, err := disk.Open()
		if err == nil {
			disk.Free()
			if err := s.Close(); err != nil || writes < 30 {
				t.Fatalf("room for %d writes is enough: %v", writes, err)
			}
			return
		}
		if !errors.Is(err, store.ErrFull) || errors.Is(err, store.ErrUnreadable) {
			t.Fatalf("room for %d writes: %v, want ErrFull, and nothing about what is stored", writes, err)
		}
	}
}

// TestTheReserveIsKept: what an earlier start put aside is enough, even where the disk has no room
// for as much again.
func TestTheReserveIsKept(t *testing.T) {
	disk := storetest.NewDisk()
	s, err := disk.Open()
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	disk.Fill(1000, 0)
	if s, err = disk.Open(); err != nil {
		t.Fatal(err)
	}
	put(t, s, "a", "x")
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}

func TestCommitsAreNotLogged(t *testing.T) {
	var logged bytes.Buffer
	s, err := store.Open(t.TempDir(), slog.New(slog.NewTextHandler(&logged, nil)))
	if err != nil {
		t.Fatal(err)
	}
	put(t, s, "a", "x")
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(logged.String(), "room on the disk") {
		t.Errorf("logged: %s", &logged)
	}
}
