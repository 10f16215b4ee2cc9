package cli

import (
	"fmt"
	"strings"
)

// pick finds the one id that begins with what the user typed; with nothing typed, the only one there is. What names the
// things for error messages, list the command that shows them.
func pick(ids []string, typed, what, list string) (string, error) {
	typed = strings.ToLower(strings.TrimSuffix(typed, "…"))
	if typed != "" && !strings.HasPrefix(typed, "0x") {
		typed = "0x" + typed
	}
	var found []string
	for _, id := range ids {
		if strings.HasPrefix(strings.ToLower(id), typed) {
			found = append(found, id)
		}
	}
	switch {
	case len(found) == 1:
		return found[0], nil
	case len(found) > 1:
		return "", fmt.Errorf("more than one %s fits (%d): say which one by the beginning of its id (see: %s)", what, len(found), list)
	case typed == "":
		return "", fmt.Errorf("there is no %s (see: %s)", what, list)
	default:
		return "", fmt.Errorf("there is no %s %s (see: %s)", what, typed, list)
	}
}

// first returns an optional argument.
func first(args []string) string {
	if len(args) == 0 {
		return ""
	}
	return args[0]
}
