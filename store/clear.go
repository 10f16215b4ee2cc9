package store

// mostCleared keys are deleted in one commit, however long they are.
const mostCleared = MaxCommit / MaxKey / 2

// Clear deletes all that a store has under a prefix, in as many commits as it takes.
func Clear(s Store, prefix string) error {
	changes := map[string][]byte{}
	err := s.Scan(prefix, "", func(key string, _ []byte) error {
		if len(changes) == mostCleared {
			if err := s.Commit(changes); err != nil {
				return err
			}
			changes = map[string][]byte{}
		}
		changes[key] = nil
		return nil
	})
	if err != nil {
		return err
	}
	return s.Commit(changes)
}
