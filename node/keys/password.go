package keys

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"

	"golang.org/x/term"
)

// Password opens keys. No formatting shows it.
type Password struct{ Secret }

// NewPassword makes a Password of what a person typed.
func NewPassword(text string) Password { return Password{NewSecret([]byte(text))} }

// ReadPassword reads a password from the first line of a file, which nobody but its owner may be
// able to read.
func ReadPassword(file string) (Password, error) {
	info, err := os.Stat(file)
	if err != nil {
		return Password{}, fmt.Errorf("read the password: %w", err)
	}
	if info.Mode().IsRegular() && exposed(runtime.GOOS, info.Mode()) {
		return Password{}, fmt.Errorf("others can read the password in %s: chmod 600 %s", file, file)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return Password{}, fmt.Errorf("read the password: %w", err)
	}
	line, _, _ := strings.Cut(string(data), "\n")
	if line = strings.TrimSuffix(line, "\r"); line == "" {
		return Password{}, fmt.Errorf("the password file %s is empty: write the password into its first line", file)
	}
	return NewPassword(line), nil
}

// ErrNoTerminal is returned by the prompts where there is nobody to ask.
var ErrNoTerminal = errors.New("there is no terminal to ask for the password: give a password file")

// AskPassword prompts on a terminal without showing what is typed. When the context ends before the
// user is done its reader still waits in a read, until the process ends.
func AskPassword(ctx context.Context, terminal *os.File, out io.Writer, prompt string) (Password, error) {
	fd := int(terminal.Fd())
	if !term.IsTerminal(fd) {
		return Password{}, ErrNoTerminal
	}
	echoing, err := term.GetState(fd)
	if ctx.Err() != nil {
		err = context.Cause(ctx) // nothing may turn the echo off after it is restored
	}
	if err != nil {
		return Password{}, fmt.Errorf("read the password: %w", err)
	}
	fmt.Fprint(out, prompt)
	var text []byte
	done := make(chan error, 1)
	go func() {
		var err error
		text, err = term.ReadPassword(fd)
		done <- err
	}()
	select {
	case err = <-done:
	case <-ctx.Done():
		err = errors.Join(context.Cause(ctx), term.Restore(fd, echoing))
	}
	fmt.Fprintln(out)
	if err != nil {
		return Password{}, fmt.Errorf("read the password: %w", err)
	}
	return NewPassword(string(text)), nil
}

// minPassword is the fewest bytes of a new password.
const minPassword = 8

// AskNewPassword prompts twice, so that a typing error doesn't make the keys unusable.
func AskNewPassword(ctx context.Context, terminal *os.File, out io.Writer) (Password, error) {
	first, err := AskPassword(ctx, terminal, out, fmt.Sprintf("New password for the keys (at least %d characters): ", minPassword))
	if err != nil {
		return Password{}, err
	}
	if err := first.check(); err != nil {
		return Password{}, err
	}
	second, err := AskPassword(ctx, terminal, out, "The same again: ")
	if err != nil {
		return Password{}, err
	}
	if !bytes.Equal(first.Reveal(), second.Reveal()) {
		return Password{}, errors.New("the two passwords differ: try again")
	}
	return first, nil
}

func (p Password) check() error {
	if len(p.Reveal()) < minPassword {
		return fmt.Errorf("the password has fewer than %d characters: choose a longer one", minPassword)
	}
	return nil
}
