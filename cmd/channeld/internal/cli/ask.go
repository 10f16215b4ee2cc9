package cli

import (
	"bufio"
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
func (t *Terminal) ask(yes bool, format string, args ...any) error {
	if yes {
		return nil
	}
	fmt.Fprintf(t.Err, format+"\n", args...)
	return t.agree()
}

// agree asks whether to go on, and fails if not.
func (t *Terminal) agree() error {
	fmt.Fprint(t.Err, "Go ahead? [y/N] ")
	answer, err := bufio.NewReader(t.In).ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	if !strings.EqualFold(strings.TrimSpace(answer), "y") {
		return errors.New("nothing was done (use --yes where there is nobody to ask)")
	}
	return nil
}
