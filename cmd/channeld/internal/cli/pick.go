package cli

import (
	"errors"
	"fmt"
	"strings"
)

// errNone says that nothing fits.
var errNone = errors.New("there is no")

// pick finds the one item whose id begins with what the user typed; with nothing typed, the only
// one there is. For error messages, what names the items and list is the command that shows them.
func pick[T any](items []T, id func(T) string, typed, what, list string) (found T, err error) {
	typed = strings.TrimSuffix(typed, "…")
	begins := strings.ToLower(typed)
	if typed != "" && !strings.HasPrefix(begins, "0x") {
		begins = "0x" + begins
	}
	fits := 0
	for _, x := range items {
		if strings.HasPrefix(strings.ToLower(id(x)), begins) {
			found = x
			fits++
		}
	}
	switch {
	case fits == 1:
		return found, nil
	case fits > 1:
		err = fmt.Errorf("more than one %s fits (%d): say which one by the beginning of its id (see: %s)", what, fits, list)
	case typed == "":
		err = fmt.Errorf("%w %s (see: %s)", errNone, what, list)
	default:
		err = fmt.Errorf("%w %s %s (see: %s)", errNone, what, clean(typed), list)
	}
	return *new(T), err
}

// first returns an optional argument.
func first(args []string) string {
	if len(args) == 0 {
		return ""
	}
	return args[0]
}
