package daemon

import (
	"context"
	"errors"
	"fmt"
	"log/slog"

	"github.com/ante-games/ante/chain"
	"github.com/ante-games/ante/cmd/channeld/internal/config"
	"github.com/ante-games/ante/node"
	"github.com/ante-games/ante/node/keys"
	"github.com/ante-games/ante/node/owner"
	"github.com/ante-games/ante/protocol"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/signer/core/apitypes"
)

// roles is who signs what: see node.Config.
type roles struct {
	player      protocol.Signer // speaks for the account among peers
	owner       node.Owner      // nil: player
	gas         chain.Signer
	ownerSigner chain.Signer // nil: the account's transactions are sent elsewhere
}

// openRoles says who signs. Browser is asked where the settings say that the player's key is in a
// wallet of the browser.
func openRoles(k *config.Keys, ring *keys.Ring, browser owner.TypedSigner) (r roles, err error) {
	if k.Player == (common.Address{}) {
		if ring.Player() == nil {
			return r, fmt.Errorf("%w: there is only a seed: say where your account is with keys.player, keys.signer or keys.owner", keys.ErrMissing)
		}
		r.player, r.ownerSigner = ring.Player(), chain.KeySigner(ring.PlayerKey())
		if r.gas = r.ownerSigner; !k.OwnGas {
			return r, nil
		}
	} else if r, err = elsewhere(k, ring, browser); err != nil {
		return r, err
	}
	gas, err := ring.GasKey()
	if err == nil {
		r.gas = chain.KeySigner(gas)
	}
	return r, err
}

// elsewhere has a deputy speak for an account at an external signer, or for a contract wallet.
func elsewhere(k *config.Keys, ring *keys.Ring, browser owner.TypedSigner) (r roles, err error) {
	if r.player, err = ring.Deputy(); err != nil {
		return r, err
	}
	key := k.Player // who signs
	if k.Owner != (common.Address{}) {
		key = k.Owner
	}
	if k.InBrowser() {
		r.owner = owner.New(k.Player, browser)
		return r, nil
	}
	if k.Signer != "" {
		external := chain.NewExternal(k.Signer, key, 0)
		r.owner = owner.New(k.Player, external)
		if key == k.Player {
			r.ownerSigner = external
		}
		return r, nil
	}
	if ring.Player() == nil || ring.Player().Address() != key {
		return r, fmt.Errorf("%w: the keystore has no key of keys.owner %s", keys.ErrMissing, key)
	}
	r.owner = owner.New(k.Player, owner.Key{Key: ring.Player()})
	return r, nil
}

// telling is the wallet in the browser, where the log tells whenever it is asked: the page may not
// be open.
type telling struct {
	wallet *owner.Browser
	log    *slog.Logger
}

func (t telling) SignTyped(ctx context.Context, typed apitypes.TypedData) ([]byte, error) {
	t.log.Info("waits for your wallet: open the page (channeld page --play), and sign there", "what", typed.PrimaryType)
	return t.wallet.SignTyped(ctx, typed)
}

// Deployer returns who signs for the account that pays for contracts: the player's.
func Deployer(k *config.Keys, ring *keys.Ring) (chain.Signer, error) {
	r, err := openRoles(k, ring, nil)
	if err == nil && r.ownerSigner == nil {
		err = errors.New("contracts are deployed by an account of the keystore or of an external signer, not by a wallet: make another daemon for that, which has a keystore")
	}
	return r.ownerSigner, err
}

// Accounts returns the account that owns the money and the one that pays for gas.
func Accounts(k *config.Keys, ring *keys.Ring) (account, gas common.Address, err error) {
	r, err := openRoles(k, ring, nil)
	if err != nil {
		return account, gas, err
	}
	account = r.player.Address()
	if r.owner != nil {
		account = r.owner.Address()
	}
	return account, r.gas.Address(), nil
}
