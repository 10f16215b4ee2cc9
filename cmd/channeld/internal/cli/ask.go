package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
)

// yesFlag lets a command go ahead without asking.
func yesFlag(cmd *cobra.Command) *bool { return cmd.Flags().BoolP("yes", "y", false, "don't ask") }

// noQuestion takes --yes where nothing is asked, as it is written by whoever never wants to be.
func noQuestion(cmd *cobra.Command) {
	cmd.Flags().BoolP("yes", "y", false, "nothing is asked anyway")
}

// ask says what a command is about to do with the user's money, and asks whether to go on unless
// the user has said so.
func (a *app) ask(yes bool, format string, args ...any) error {
	if yes {
		return nil
	}
	fmt.Fprintf(a.Err, format+"\n", args...)
	return a.agree()
}

// agree asks whether to go on, and fails if not. When it is interrupted its reader still waits in a
// read, until the process ends.
func (a *app) agree() error {
	fmt.Fprint(a.Err, "Go ahead? [y/N] ")
	agreed := make(chan error, 1)
	go func() {
		answer, err := bufio.NewReader(a.In).ReadString('\n')
		switch {
		case err != nil && !errors.Is(err, io.EOF):
		case strings.EqualFold(strings.TrimSpace(answer), "y"):
			err = nil
		default:
			err = errors.New("nothing was done (use --yes where there is nobody to ask)")
		}
		agreed <- err
	}()
	select {
	case err := <-agreed:
		return err
	case <-a.session.Done():
		fmt.Fprintln(a.Err)
		return fmt.Errorf("%w: nothing was done", context.Cause(a.session))
	}
}
