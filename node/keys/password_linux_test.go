package keys_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"testing"

	"github.com/ante-games/ante/node/keys"
	"golang.org/x/sys/unix"
)

// A prompt for a password ends when it is interrupted, and the terminal shows again what is typed.
func TestAskPasswordInterrupted(t *testing.T) {
	control, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skip("no terminals here: ", err)
	}
	defer control.Close()
	fd := int(control.Fd())
	number, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	if err = errors.Join(err, unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0)); err != nil {
		t.Fatal(err)
	}
	terminal, err := os.OpenFile(fmt.Sprint("/dev/pts/", number), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer terminal.Close()
	echoes := func() bool {
		state, err := unix.IoctlGetTermios(int(terminal.Fd()), unix.TCGETS)
		if err != nil {
			t.Fatal(err)
		}
		return state.Lflag&unix.ECHO != 0
	}
	ctx, interrupt := context.WithCancel(t.Context())
	asked := make(chan error, 1)
	go func() {
		_, err := keys.AskNewPassword(ctx, terminal, io.Discard)
		asked <- err
	}()
	for echoes() {
	}
	interrupt()
	if err := <-asked; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if !echoes() {
		t.Error("nothing that is typed is shown any more")
	}
}
