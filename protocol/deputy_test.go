package protocol_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/protocoltest"
	"github.com/ethereum/go-ethereum/common"
)

// wallet is a contract wallet that takes one signature for its own. It counts how often it is
// asked, which costs a call to a node each time.
type wallet struct {
	account common.Address
	digest  common.Hash
	length  int // of the signature that it takes
	asked   int
}

func (w *wallet) check(account common.Address, digest common.Hash, signature []byte) error {
	w.asked++
	if account != w.account || digest != w.digest || len(signature) != w.length {
		return fmt.Errorf("%w: not this wallet's", protocol.ErrSignature)
	}
	return nil
}

// A player's key speaks for its account, and only where it does not is the account asked whether it
// is a contract wallet: about signatures of a length that the Arena would hand on, no longer ones.
func TestAccountsSign(t *testing.T) {
	const longest = 4096
	key, stranger, digest := protocoltest.Key("player"), protocoltest.Key("stranger"), common.Hash{1}
	contract := common.Address{0xc0}
	signed := func(k *protocol.Key) []byte {
		sig, err := k.Sign(digest)
		if err != nil {
			t.Fatal(err)
		}
		return sig[:]
	}
	for name, c := range map[string]struct {
		account   common.Address
		signature []byte
		wallets   bool
		want      error
		asked     int
	}{
		"its key":                      {key.Address(), signed(key), false, nil, 0},
		"its key, with wallets":        {key.Address(), signed(key), true, nil, 0},
		"another key":                  {key.Address(), signed(stranger), false, protocol.ErrSignature, 0},
		"another key, with wallets":    {key.Address(), signed(stranger), true, protocol.ErrSignature, 1},
		"a wallet":                     {contract, make([]byte, longest), true, nil, 1},
		"a wallet that takes it not":   {contract, make([]byte, longest-1), true, protocol.ErrSignature, 1},
		"a wallet nobody can ask":      {contract, make([]byte, longest), false, protocol.ErrSignature, 0},
		"more than the Arena hands on": {contract, make([]byte, longest+1), true, protocol.ErrSignature, 0},
	} {
		w := wallet{account: contract, digest: digest, length: longest}
		a := protocol.Authority{}
		if c.wallets {
			a.Wallets = w.check
		}
		if err := a.Account(c.account, digest, c.signature); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
		if w.asked != c.asked {
			t.Errorf("%s: the wallet was asked %d times, want %d", name, w.asked, c.asked)
		}
	}
}

// A deputy speaks for the player that appointed it, until it expires, and nobody else does.
func TestDeputiesSpeak(t *testing.T) {
	const now = 100
	domain := protocol.Domain{ChainID: 1337, Arena: common.HexToAddress("0xa7e4a")}
	player, key, stranger, digest := protocoltest.Key("player"), protocoltest.Key("deputy"), protocoltest.Key("stranger"), common.Hash{1}
	appoint := func(by *protocol.Key, d protocol.Deputy) *protocol.SignedDeputy {
		sig, err := by.Sign(d.Digest(domain))
		if err != nil {
			t.Fatal(err)
		}
		return &protocol.SignedDeputy{Deputy: d, Signature: sig[:]}
	}
	paper := protocol.Deputy{Player: player.Address(), Key: key.Address(), Expiry: now + 1}
	expired, other := paper, paper
	expired.Expiry, other.Player = now, stranger.Address()
	for name, c := range map[string]struct {
		speaker *protocol.Key
		deputy  *protocol.SignedDeputy
		want    error
		asked   int // whether the player is a contract wallet
	}{
		"the player":                           {player, nil, nil, 0},
		"somebody":                             {stranger, nil, protocol.ErrSignature, 0},
		"its deputy":                           {key, appoint(player, paper), nil, 0},
		"its deputy, at the time of expiry":    {key, appoint(player, expired), protocol.ErrSignature, 0},
		"a deputy of somebody else":            {key, appoint(player, other), protocol.ErrSignature, 0},
		"somebody with its deputy's paper":     {stranger, appoint(stranger, paper), protocol.ErrSignature, 0},
		"a deputy that the player never chose": {key, appoint(stranger, paper), protocol.ErrSignature, 1},
	} {
		sig, err := c.speaker.Sign(digest)
		if err != nil {
			t.Fatal(err)
		}
		var w wallet
		a := protocol.Authority{Domain: domain, Now: now, Wallets: w.check}
		if err := a.Spoken(player.Address(), digest, sig, c.deputy); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
		if w.asked != c.asked {
			t.Errorf("%s: the player's wallet was asked %d times, want %d", name, w.asked, c.asked)
		}
	}
}

// Two appointments are the same with all that is in them; none is like none.
func TestSameDeputy(t *testing.T) {
	one := func() *protocol.SignedDeputy {
		return &protocol.SignedDeputy{Deputy: protocol.Deputy{Player: common.Address{1}, Key: common.Address{2}, Expiry: 3}, Signature: []byte{4}}
	}
	if none := (*protocol.SignedDeputy)(nil); !none.Equal(nil) || none.Equal(one()) || one().Equal(nil) || !one().Equal(one()) {
		t.Error("nil, or a copy")
	}
	for name, change := range map[string]func(*protocol.SignedDeputy){
		"another player":    func(d *protocol.SignedDeputy) { d.Player[0]++ },
		"another key":       func(d *protocol.SignedDeputy) { d.Key[0]++ },
		"another expiry":    func(d *protocol.SignedDeputy) { d.Expiry++ },
		"another signature": func(d *protocol.SignedDeputy) { d.Signature[0]++ },
	} {
		other := one()
		if change(other); one().Equal(other) {
			t.Errorf("%s: taken for the same", name)
		}
	}
}
