package repository_test

import "testing"

// atRoot runs a test in the repository's root. TestMain can't: the cache of test results learns of
// a change of the directory only from a running test, and would keep the results of pages that have
// changed.
func atRoot(t *testing.T) {
	t.Helper()
	t.Chdir("../..")
}
