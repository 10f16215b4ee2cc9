package api_test

import (
	"strings"
	"testing"

	"github.com/ante-games/ante/node/api"
	"github.com/ante-games/ante/node/keys"
)

// TestAttack_ExposedKeys_Token: a token that is empty or can be guessed is refused, with what to
// do.
func TestAttack_ExposedKeys_Token(t *testing.T) {
	for _, token := range []string{"", "x", strings.Repeat("x", 19)} {
		if err := api.CheckToken(keys.NewSecret([]byte(token))); err == nil || !strings.Contains(err.Error(), "start the daemon again") {
			t.Errorf("a token of %d characters: %v", len(token), err)
		}
	}
	if err := api.CheckToken(keys.NewSecret([]byte(strings.Repeat("x", 20)))); err != nil {
		t.Error(err)
	}
}
