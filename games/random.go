package games

import (
	"encoding/binary"
	"fmt"
	"io"
)

// Below returns a uniform number below n, at most 2^16, from a random source.
func Below(random io.Reader, n int) (int, error) {
	limit := uint64(1<<32) / uint64(n) * uint64(n)
	for {
		var b [4]byte
		if _, err := io.ReadFull(random, b[:]); err != nil {
			return 0, fmt.Errorf("read random bytes: %w", err)
		}
		if v := uint64(binary.BigEndian.Uint32(b[:])); v < limit {
			return int(v % uint64(n)), nil
		}
	}
}
