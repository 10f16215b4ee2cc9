package node

import (
	"crypto/ecdsa"
	"crypto/rand"
	"encoding/json"
	"log/slog"
	"math/big"
	"testing"
	"time"

	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/message"
	"github.com/ante-games/ante/store"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/holiman/uint256"
)

// signAnew signs a digest with a number of its own each time, as nobody can be kept from.
func signAnew(t *testing.T, key *ecdsa.PrivateKey, digest common.Hash) protocol.Signature {
	r, s, err := ecdsa.Sign(rand.Reader, key, digest[:])
	if err != nil {
		t.Fatal(err)
	}
	if n := crypto.S256().Params().N; s.Cmp(new(big.Int).Rsh(n, 1)) > 0 {
		s.Sub(n, s)
	}
	raw := make([]byte, 65)
	r.FillBytes(raw[:32])
	s.FillBytes(raw[32:64])
	for raw[64] = 27; raw[64] <= 28; raw[64]++ {
		if sig, err := protocol.ParseSignature(raw); err == nil && sig.Verify(digest, crypto.PubkeyToAddress(key.PublicKey)) == nil {
			return sig
		}
	}
	t.Fatal("not a signature")
	return protocol.Signature{}
}

// TestAttack_ResignedResult: a loser signs its result again while the winner's node publishes it.
// The first signature is kept, so that there is nothing new to publish.
func TestAttack_ResignedResult(t *testing.T) {
	key, err := crypto.GenerateKey()
	if err != nil {
		t.Fatal(err)
	}
	stake := *uint256.NewInt(5)
	r := Result{
		Match: common.Hash{1}, Channel: common.Hash{2}, Payouts: []uint256.Int{*uint256.NewInt(10), {}}, Paid: true,
		Terms: protocol.MatchTerms{ChannelID: common.Hash{2}, Seats: []uint8{0, 1}, Stakes: []uint256.Int{stake, stake}}, Signatures: []protocol.Signature{{1}, {}},
	}
	value, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	kept := store.NewMemory()
	if err := kept.Commit(map[string][]byte{resultPrefix + r.Match.Hex(): value}); err != nil {
		t.Fatal(err)
	}
	n := newNode(t.Context(), Config{Store: kept, Now: time.Now, Log: slog.New(slog.DiscardHandler), Scoreboard: common.Address{3}, Policy: Policy{PublishWins: 1}})
	if n.log, err = openEventLog(kept, func() int64 { return 1 }); err != nil {
		t.Fatal(err)
	}
	m := &member{node: n.channels, id: r.Channel, terms: protocol.Terms{Players: make([]common.Address, 2), Signers: []common.Address{{4}, crypto.PubkeyToAddress(key.PublicKey)}}}
	result := r.result()
	take := func() {
		t.Helper()
		sig := signAnew(t, key, result.Digest(n.domain))
		if err := m.receiveResult(1, message.ResultSignature{MatchID: r.Match, Signature: sig, Reply: true}); err != nil {
			t.Fatal(err)
		}
	}
	waits := func() string {
		t.Helper()
		value, err := kept.Get(winKey(&r))
		if err != nil {
			t.Fatal(err)
		}
		return string(value)
	}
	take()
	if waits() != unsent {
		t.Fatalf("the win is %q", waits())
	}
	if err := kept.Commit(map[string][]byte{winKey(&r): []byte("score/1")}); err != nil {
		t.Fatal(err)
	}
	if take(); waits() != "score/1" {
		t.Errorf("the win is %q, and would be published once more", waits())
	}
}
