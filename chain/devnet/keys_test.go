package devnet

import (
	"fmt"
	"math/big"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
)

func TestAttack_LoggedSecret(t *testing.T) {
	list, err := loadKeys(Config{Seed: "fixed", Accounts: 2})
	if err != nil {
		t.Fatal(err)
	}
	chain := Chain{keys: list}
	decimal := new(big.Int).SetBytes(crypto.FromECDSA(list[0])).String()
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%x"} {
		printed := fmt.Sprintf(verb, &chain.keys) + fmt.Sprintf(verb, chain.keys)
		if strings.Contains(printed, common.Bytes2Hex(crypto.FromECDSA(list[0]))) || strings.Contains(printed, decimal) {
			t.Errorf("%s prints a key", verb)
		}
	}
	other, err := loadKeys(Config{Seed: "other", Accounts: 1})
	if err != nil {
		t.Fatal(err)
	}
	if other[0].Equal(list[0]) {
		t.Fatal("two seeds give one key")
	}
}
