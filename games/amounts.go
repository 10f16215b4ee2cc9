package games

import (
	"fmt"

	"github.com/holiman/uint256"
)

// AmountError is an error with amounts of an asset whose unit is unknown where the error is made.
type AmountError struct {
	err     error
	format  string
	amounts []*uint256.Int
}

// Amounts returns an error that wraps err and appends a format in which each %s stands for an
// amount.
func Amounts(err error, format string, amounts ...*uint256.Int) *AmountError {
	return &AmountError{err, format, amounts}
}

// Error implements error, in the smallest units of the asset.
func (e *AmountError) Error() string { return e.Text((*uint256.Int).Dec) }

// Text says what is wrong, with amounts as their asset is written.
func (e *AmountError) Text(amount func(*uint256.Int) string) string {
	written := make([]any, len(e.amounts))
	for i, v := range e.amounts {
		written[i] = amount(v)
	}
	return e.err.Error() + fmt.Sprintf(e.format, written...)
}

// Unwrap returns the wrapped error.
func (e *AmountError) Unwrap() error { return e.err }
