package node

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/ante-games/ante/store"
)

// stored returns what a store has under a key, nil if there is nothing.
func stored[T any](s store.Store, key string) (*T, error) {
	value, err := s.Get(key)
	if err != nil || value == nil {
		return nil, err
	}
	v := new(T)
	if err := json.Unmarshal(value, v); err != nil {
		return nil, fmt.Errorf("read %s: %w", key, err)
	}
	return v, nil
}

// allStored visits what a store has under a prefix, by the rest of the key.
func allStored[T any](s store.Store, prefix string, visit func(name string, v T)) error {
	return s.Scan(prefix, "", func(key string, value []byte) error {
		var v T
		if err := json.Unmarshal(value, &v); err != nil {
			return fmt.Errorf("read %s: %w", key, err)
		}
		visit(strings.TrimPrefix(key, prefix), v)
		return nil
	})
}
