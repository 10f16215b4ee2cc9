package disputes_test

import (
	"github.com/ante-games/ante/protocol/onchain"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/holiman/uint256"
)

// audit checks the Arena's books after a transaction, whoever sent it and whatever came of it.
func (c *scene) audit(r *types.Receipt) {
	c.Helper()
	c.ok(c.auditor.Post(c.read(r)...))
	c.ok(c.auditor.Check())
}

// read returns what the Arena said in a transaction.
func (c *scene) read(r *types.Receipt) []onchain.Event {
	c.Helper()
	said := make([]onchain.Event, len(r.Logs))
	for i, log := range r.Logs {
		var err error
		said[i], err = c.codec.Decode(*log)
		c.ok(err)
	}
	return said
}

// Held says what the Arena has (audit.Source). A scene knows no asset but ETH.
func (c *scene) Held(common.Address) (*uint256.Int, error) {
	return c.chain.Balance(c.domain.Arena), nil
}

// Bank says what an account has free in the bank.
func (c *scene) Bank(account, asset common.Address) (*uint256.Int, error) {
	out, err := c.chain.Call(account, c.domain.Arena, arenaABI.PackBalanceOf(asset, account))
	return new(uint256.Int).SetBytes(out), err
}
