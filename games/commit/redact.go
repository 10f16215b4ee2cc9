package commit

import (
	"fmt"
	"io"
)

// Redacted is what secrets print as.
const Redacted = "[redacted]"

// redacted is embedded by what holds secrets. Vault and Secrets hide their content behind a
// function as well: fmt calls no methods on the unexported fields of other structs, but prints what
// it finds there, and with a verb that does not fit it follows pointers too. Of a function it
// prints the address.
type redacted struct{}

// Format writes Redacted, whatever the verb.
func (redacted) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, Redacted) }

// String returns Redacted.
func (redacted) String() string { return Redacted }

// MarshalText returns Redacted; encoding/json, log/slog and most other encoders go by it.
func (redacted) MarshalText() ([]byte, error) { return []byte(Redacted), nil }
