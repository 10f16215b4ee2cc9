package commit

import (
	"fmt"
	"io"
)

// Redacted is what secrets print as.
const Redacted = "[redacted]"

// Both types hide their content behind a function as well: fmt calls no methods on the unexported
// fields of other structs, but prints what it finds there, and with a verb that does not fit it
// follows pointers too. Of a function it prints the address.

// Format writes Redacted, whatever the verb.
func (Vault) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, Redacted) }

// String returns Redacted.
func (Vault) String() string { return Redacted }

// GoString returns Redacted.
func (Vault) GoString() string { return Redacted }

// MarshalText returns Redacted; encoding/json, log/slog and most other encoders go by it.
func (Vault) MarshalText() ([]byte, error) { return []byte(Redacted), nil }

// Format writes Redacted, whatever the verb.
func (Secrets) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, Redacted) }

// String returns Redacted.
func (Secrets) String() string { return Redacted }

// GoString returns Redacted.
func (Secrets) GoString() string { return Redacted }

// MarshalText returns Redacted; encoding/json, log/slog and most other encoders go by it.
func (Secrets) MarshalText() ([]byte, error) { return []byte(Redacted), nil }

// Format writes Redacted, whatever the verb.
func (Opening) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, Redacted) }

// MarshalText returns Redacted; encoding/json, log/slog and most other encoders go by it.
func (Opening) MarshalText() ([]byte, error) { return []byte(Redacted), nil }
