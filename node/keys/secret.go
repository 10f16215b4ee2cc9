package keys

import "fmt"

const redacted = "[redacted]"

// Secret is bytes that no formatting shows. They are behind a function because package fmt asks no
// methods of an unexported field, and follows pointers there.
type Secret struct{ reveal func() []byte }

// NewSecret hides bytes, which must not change any more.
func NewSecret(b []byte) Secret { return Secret{func() []byte { return b }} }

// Reveal returns the bytes.
func (s Secret) Reveal() []byte {
	if s.reveal == nil {
		return nil
	}
	return s.reveal()
}

// Format implements fmt.Formatter for every verb.
func (Secret) Format(f fmt.State, _ rune) { fmt.Fprint(f, redacted) }

// MarshalText keeps the bytes out of JSON and other encodings, and out of logs.
func (Secret) MarshalText() ([]byte, error) { return []byte(redacted), nil }
