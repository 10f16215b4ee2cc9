package box9

import (
	"math/big"
	"testing"

	"github.com/ante-games/ante/contracts/bindings"
	"github.com/ante-games/ante/contracts/minichain"
	"github.com/ante-games/ante/games"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/math"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/signer/core/apitypes"
)

var typedBet = apitypes.Types{
	"EIP712Domain": {
		{Name: "name", Type: "string"}, {Name: "version", Type: "string"},
		{Name: "chainId", Type: "uint256"}, {Name: "verifyingContract", Type: "address"},
	},
	"Bet": {{Name: "matchId", Type: "bytes32"}, {Name: "round", Type: "uint32"}, {Name: "mask", Type: "uint16"}},
}

// TestBetDigest: what a player signs to bet is EIP-712 typed data that any wallet shows as a Bet,
// of the type that the contract knows; and both engines take the signature of that digest, and of
// no other match, round or mask.
func TestBetDigest(t *testing.T) {
	chain, err := minichain.New(1337)
	if err != nil {
		t.Fatal(err)
	}
	at, _, err := chain.Deploy(common.Address{1}, Game().Contract)
	if err != nil {
		t.Fatal(err)
	}
	contract := bindings.NewBox9()
	out, err := chain.Call(common.Address{1}, at, contract.PackBET())
	if err != nil {
		t.Fatal(err)
	}
	if kind, err := contract.UnpackBET(out); err != nil || kind != betType {
		t.Errorf("the contract's type is %x, %v, want %s", kind, err, betType)
	}
	typed := func(id common.Hash, round uint8, m Mask) (separator, digest common.Hash) {
		t.Helper()
		data := apitypes.TypedData{
			Types: typedBet, PrimaryType: "Bet",
			Message: map[string]any{"matchId": id[:], "round": big.NewInt(int64(round)), "mask": big.NewInt(int64(m))},
			Domain:  apitypes.TypedDataDomain{Name: "Ante", Version: "1", ChainId: math.NewHexOrDecimal256(1337), VerifyingContract: at.Hex()},
		}
		domain, err := data.HashStruct("EIP712Domain", data.Domain.Map())
		if err != nil {
			t.Fatal(err)
		}
		hash, _, err := apitypes.TypedDataAndHash(data)
		if err != nil {
			t.Fatal(err)
		}
		return common.Hash(domain), common.Hash(hash)
	}
	engines(t, func(t *testing.T, r games.Rules) {
		for round := range usual.Rounds {
			for m := Mask(1); m < 1<<Boxes; m = m*3 + 1 {
				b := named(t, r, usual, 1)
				id := crypto.Keccak256Hash([]byte{round, byte(m)})
				separator, digest := typed(id, round, m)
				b.C.MatchID, b.C.Domain = id, separator
				s := b.Now()
				s.Round = round
				b.State = rules{}.EncodeState(s)
				if got := BetDigest(b.C, round, m); got != digest {
					t.Errorf("round %d, mask %d: %s, want %s", round, m, got, digest)
				}
				if !m.Legal() {
					continue
				}
				for name, other := range map[string]func() (common.Hash, common.Hash){
					"match": func() (common.Hash, common.Hash) { return typed(crypto.Keccak256Hash(id[:]), round, m) },
					"round": func() (common.Hash, common.Hash) { return typed(id, round+1, m) },
					"mask":  func() (common.Hash, common.Hash) { return typed(id, round, m^1<<8) },
				} {
					_, wrong := other()
					if _, err := r.Play(b.C, b.State, Close{b.betOf(1, m, wrong)}.encode()); err == nil {
						t.Errorf("round %d, mask %d: signed for another %s", round, m, name)
					}
				}
				b.play(Close{b.betOf(1, m, digest)})
			}
		}
	})
}
