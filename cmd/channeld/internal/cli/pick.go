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
	fits := 0
	for _, x := range items {
		if begins(id(x), typed) {
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

// pickPlayer is pick for accounts, whose 0x must be typed: names have the letters of accounts, and
// one that is nobody's does not mean whoever's account begins so.
func pickPlayer[T any](items []T, account func(T) string, typed, what, list string) (found T, err error) {
	if typed != "" && !prefixed(typed) {
		return found, fmt.Errorf("%w %s %s (an account begins with 0x; see: %s)", errNone, what, clean(typed), list)
	}
	return pick(items, account, typed, what, list)
}

func prefixed(typed string) bool { return strings.HasPrefix(strings.ToLower(typed), "0x") }

// begins reports whether an id begins with what the user typed, nothing included.
func begins(id, typed string) bool {
	typed = strings.ToLower(strings.TrimSuffix(typed, "…"))
	if typed != "" && !prefixed(typed) {
		typed = "0x" + typed
	}
	return strings.HasPrefix(strings.ToLower(id), typed)
}

// first returns an optional argument.
func first(args []string) string {
	if len(args) == 0 {
		return ""
	}
	return args[0]
}
