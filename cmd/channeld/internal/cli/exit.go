package cli

import (
	"encoding/json"
	"errors"
	"fmt"

	"connectrpc.com/connect"
)

// Exit codes of the program. A test compares them with docs/operate.md.
const (
	exitFailed  = 1
	exitUsage   = 2
	exitAlarm   = 3
	exitTimeout = 4
)

// Errors with an exit code of their own.
var (
	errUsage   = errors.New("") // of arguments and flags; their text says it
	errTimeout = errors.New("it did not happen in time")
)

// exitCode returns the exit code of a command that failed.
func exitCode(err error) int {
	switch {
	case errors.Is(err, errUsage):
		return exitUsage
	case errors.Is(err, errAlarm), errors.Is(err, errUnwell):
		return exitAlarm
	case errors.Is(err, errTimeout):
		return exitTimeout
	default:
		return exitFailed
	}
}

// fail tells the user why a command failed, as JSON with --json, and returns the exit code.
func (a *app) fail(err error) int {
	exit := exitCode(err)
	text := a.hinted(a.explain(err))
	if !a.json {
		fmt.Fprintln(a.Err, "channeld:", text)
		return exit
	}
	said := map[string]any{"error": text, "exit": exit}
	if c, is := errors.AsType[*connect.Error](err); is {
		said["code"] = c.Code().String()
	}
	_ = json.NewEncoder(a.Err).Encode(said) // a broken pipe is the user's
	return exit
}
