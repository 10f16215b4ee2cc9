package main

import (
	"errors"
	"fmt"

	"github.com/ante-games/ante/chain/codec"
	"github.com/ante-games/ante/node"
	"github.com/ante-games/ante/node/dev"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/onchain"
	"github.com/ethereum/go-ethereum/accounts/abi/bind/v2"
	"github.com/ethereum/go-ethereum/core/types"
)

func stale(s *stage, v variant) error {
	if v.name == "ledger" {
		return s.staleLedger()
	}
	return s.stalePosition()
}

// staleLedger lets mallory post version 1, which says that nobody has lost anything yet.
func (s *stage) staleLedger() error {
	if err := s.seat(func(c *node.Config) { c.Policy.Bot = false }); err != nil {
		return err
	}
	before := s.mallory.Channels()[0].Ledger
	r, err := s.conceded()
	if err != nil {
		return err
	}
	s.record(r)
	newest := s.alice.Channels()[0]
	s.silence()
	key, err := s.malloryKey(newest.Terms.Salt)
	if err != nil {
		return err
	}
	sig, err := key.Sign(protocol.Contest{ChannelID: s.channel, Version: before.Version}.Digest(s.alice.Domain()))
	if err != nil {
		return err
	}
	s.say("mallory posts ledger %d; the newest is %d. Alice's node answers by itself", before.Version, newest.Ledger.Version)
	if err := s.send(onchain.ContestLedger{Terms: newest.Terms, Ledger: before, Seat: uint8(s.her), Signature: sig[:]}); err != nil {
		return err
	}
	if err := s.finish(); err != nil {
		return err
	}
	if s.alice.Channels()[0].Ledger.Version != newest.Ledger.Version {
		return errors.New("the newest ledger changed")
	}
	if err := s.only(s.opening("contest", "contest", "settle")...); err != nil {
		return err
	}
	got, err := s.alice.BankBalance(s.ctx, newest.Terms.Asset)
	if err != nil {
		return err
	}
	if want := &newest.Ledger.Balances[s.me]; !got.Eq(want) {
		return fmt.Errorf("alice has %s wei in the bank, the newest ledger says %s", got.Dec(), want.Dec())
	}
	return nil
}

// conceded plays a match that mallory gives to alice.
func (s *stage) conceded() (node.Result, error) {
	if err := s.propose(); err != nil {
		return node.Result{}, err
	}
	if err := s.until(s.mallory, func() bool { m := s.mallory.Matches(); return len(m) == 1 && m[0].Started }); err != nil {
		return node.Result{}, err
	}
	if err := s.mallory.Concede(s.mallory.Matches()[0].ID); err != nil {
		return node.Result{}, err
	}
	s.say("mallory concedes the match, and both sign the ledger that books it")
	return s.paid(0)
}

// stalePosition lets mallory post a position from which alice had to move, when much has happened
// since.
func (s *stage) stalePosition() error {
	var mute *muzzle
	if err := s.seat(func(c *node.Config) { mute = muzzleOn(c) }); err != nil {
		return err
	}
	if err := s.propose(); err != nil {
		return err
	}
	var old node.Match
	if err := s.until(s.mallory, func() bool {
		for _, m := range s.mallory.Matches() {
			if old.Support == nil && m.Started && m.Outcome == nil && m.Turn >= 4 && int(m.Mover) == s.me {
				old = m
			}
			if old.Support != nil && (m.Turn > old.Turn+6 || m.Outcome != nil) {
				return true
			}
		}
		return false
	}); err != nil {
		return err
	}
	mute.shut()
	s.silence()
	c := s.alice.Channels()[0]
	key, err := s.malloryKey(c.Terms.Salt)
	if err != nil {
		return err
	}
	d := s.alice.Domain()
	sig, err := key.Sign(protocol.Demand{MatchID: old.ID, Turn: old.Turn}.Digest(d))
	if err != nil {
		return err
	}
	s.say("mallory posts turn %s and starts alice's clock. Alice's node answers with the newest position by itself", old.Turn)
	if err := s.send(onchain.Advance{Terms: c.Terms, Ledger: old.Ledger, Match: old.Terms, Support: *old.Support, Demand: &sig}); err != nil {
		return err
	}
	if err := s.finish(); err != nil {
		return err
	}
	r, err := s.paid(0)
	if err != nil {
		return err
	}
	s.record(r)
	if r.Guilty != 0 || r.Payouts[s.me].Lt(stake) {
		return fmt.Errorf("alice gets %s wei after refuting a stale position, guilty %b", r.Payouts[s.me].Dec(), r.Guilty)
	}
	return s.aliceHas(r)
}

// malloryKey returns mallory's session key: she may do with it what she likes.
func (s *stage) malloryKey(salt [32]byte) (*protocol.Key, error) {
	return dev.Session(s.world.Chain.Key(1), salt)
}

// send sends an action from mallory's account past her node.
func (s *stage) send(a onchain.Action) error {
	call, err := codec.New(s.alice.Domain()).Encode(a)
	if err != nil {
		return err
	}
	tx, err := s.world.Chain.Send(s.ctx, s.world.Chain.Key(1), types.DynamicFeeTx{
		To: &s.world.Arena, Data: call.Data, Value: call.Value.ToBig(), Gas: 5_000_000,
	})
	if err != nil {
		return err
	}
	client := s.world.Chain.Client()
	defer client.Close()
	receipt, err := bind.WaitMined(s.ctx, client, tx.Hash())
	if err != nil {
		return fmt.Errorf("mallory's transaction was not mined: %w", err)
	}
	if receipt.Status != types.ReceiptStatusSuccessful {
		return errors.New("mallory's transaction reverted")
	}
	return nil
}
