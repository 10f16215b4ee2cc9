package owner

import (
	"fmt"
	"math/big"

	"github.com/ante-games/ante/protocol"
	"github.com/ethereum/go-ethereum/common/math"
	"github.com/ethereum/go-ethereum/signer/core/apitypes"
)

// What an external signer shows a person. The hashes are those that package channel computes on its
// own.

var domainType = []apitypes.Type{{Name: "name", Type: "string"}, {Name: "version", Type: "string"}, {Name: "chainId", Type: "uint256"},
	{Name: "verifyingContract", Type: "address"}}

func typed(d protocol.Domain, kind string, fields []apitypes.Type, message apitypes.TypedDataMessage) apitypes.TypedData {
	return apitypes.TypedData{
		Types:       apitypes.Types{"EIP712Domain": domainType, kind: fields},
		PrimaryType: kind,
		Domain: apitypes.TypedDataDomain{Name: "Ante", Version: "1", ChainId: (*math.HexOrDecimal256)(new(big.Int).SetUint64(d.ChainID)),
			VerifyingContract: d.Arena.Hex()},
		Message: message,
	}
}

func typedTerms(d protocol.Domain, t *protocol.Terms) apitypes.TypedData {
	deposits := make([]any, len(t.Deposits))
	players, signers := make([]any, len(t.Players)), make([]any, len(t.Signers))
	for i := range t.Players {
		players[i], signers[i], deposits[i] = t.Players[i].Hex(), t.Signers[i].Hex(), t.Deposits[i].Dec()
	}
	return typed(d, "ChannelTerms", []apitypes.Type{
		{Name: "players", Type: "address[]"}, {Name: "signers", Type: "address[]"}, {Name: "asset", Type: "address"},
		{Name: "deposits", Type: "uint256[]"}, {Name: "window", Type: "uint64"}, {Name: "openBy", Type: "uint64"}, {Name: "salt", Type: "bytes32"},
	}, apitypes.TypedDataMessage{
		"players": players, "signers": signers, "asset": t.Asset.Hex(), "deposits": deposits, "window": number(t.Window),
		"openBy": number(t.OpenBy), "salt": t.Salt.Hex(),
	})
}

func typedDeputy(d protocol.Domain, p *protocol.Deputy) apitypes.TypedData {
	return typed(d, "Deputy", []apitypes.Type{{Name: "player", Type: "address"}, {Name: "key", Type: "address"}, {Name: "expiry", Type: "uint64"}},
		apitypes.TypedDataMessage{"player": p.Player.Hex(), "key": p.Key.Hex(), "expiry": number(p.Expiry)})
}

func number(v uint64) string { return fmt.Sprint(v) }
