package codec

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/big"
	"slices"

	"github.com/ante-games/ante/contracts/bindings"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/onchain"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
)

// Decode returns what a log of the Arena says. It doesn't look at who wrote the log: ask the chain
// for the Arena's only. Its error wraps ErrLog.
func (c *Codec) Decode(log types.Log) (onchain.Event, error) {
	if len(log.Topics) == 0 || len(log.Data) == 0 { // every event has something unindexed
		return nil, fmt.Errorf("%w: %d topics and %d bytes", ErrLog, len(log.Topics), len(log.Data))
	}
	known, err := arenaABI().EventByID(log.Topics[0])
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrLog, err)
	}
	ev, err := c.decode(known.Name, &log)
	if err != nil {
		return nil, fmt.Errorf("%w: %s: %w", ErrLog, known.Name, err)
	}
	return ev, nil
}

// Channel returns the channel that a log names, whether or not the rest of it can be read. It is
// false for logs of the bank, of unknown kinds, and of openings: whom a new channel concerns only
// its data says.
func Channel(log types.Log) (common.Hash, bool) {
	if len(log.Topics) < 2 || !slices.Contains(Kinds(), log.Topics[0]) || log.Topics[0] == arenaABI().Events[bindings.ArenaOpenedEventName].ID {
		return common.Hash{}, false
	}
	return log.Topics[1], true
}

// Kinds returns the first topics of the events that are about a channel: all but those of the bank,
// which anybody can bring about by the thousand, for any account. They ascend, so that every
// request for them is the same.
func Kinds() (list []common.Hash) {
	for name, event := range arenaABI().Events {
		if name != bindings.ArenaDepositedEventName && name != bindings.ArenaWithdrawnEventName {
			list = append(list, event.ID)
		}
	}
	slices.SortFunc(list, common.Hash.Cmp)
	return list
}

func (c *Codec) decode(name string, log *types.Log) (onchain.Event, error) {
	switch name {
	case bindings.ArenaDepositedEventName:
		e, err := arena().UnpackDepositedEvent(log)
		if err != nil {
			return nil, err
		}
		return banked(e.Asset, e.Account, e.Amount, true)
	case bindings.ArenaWithdrawnEventName:
		e, err := arena().UnpackWithdrawnEvent(log)
		if err != nil {
			return nil, err
		}
		return banked(e.Asset, e.Account, e.Amount, false)
	case bindings.ArenaOpenedEventName:
		e, err := arena().UnpackOpenedEvent(log)
		if err != nil {
			return nil, err
		}
		t, err := termsIn(e.Terms)
		if err != nil {
			return nil, err
		}
		if t.ID(c.domain) != e.ChannelId {
			return nil, fmt.Errorf("the terms are not those of channel %#x", e.ChannelId)
		}
		if err := t.Check(); err != nil {
			return nil, fmt.Errorf("an opening that the Arena refuses: %w", err)
		}
		return onchain.Opened{ChannelID: e.ChannelId, Terms: t}, nil
	case bindings.ArenaClosedEventName:
		e, err := arena().UnpackClosedEvent(log)
		if err != nil {
			return nil, err
		}
		return onchain.Closed{ChannelID: e.ChannelId, Version: e.Version}, nil
	case bindings.ArenaContestedEventName:
		e, err := arena().UnpackContestedEvent(log)
		if err != nil {
			return nil, err
		}
		return contested(e)
	case bindings.ArenaSettledEventName:
		e, err := arena().UnpackSettledEvent(log)
		if err != nil {
			return nil, err
		}
		return onchain.Settled{ChannelID: e.ChannelId, Version: e.Version}, nil
	case bindings.ArenaLockPaidEventName:
		e, err := arena().UnpackLockPaidEvent(log)
		if err != nil {
			return nil, err
		}
		payouts, err := amountsIn(e.Payouts)
		return onchain.LockPaid{ChannelID: e.ChannelId, MatchID: e.MatchId, Payouts: payouts}, err
	}
	return recorded(name, log)
}

func recorded(name string, log *types.Log) (onchain.Event, error) {
	switch name {
	case bindings.ArenaAdvancedEventName:
		e, err := arena().UnpackAdvancedEvent(log)
		if err != nil {
			return nil, err
		}
		u := unpacker{in: e.Told}
		r, err := newRecorded(e.ChannelId, e.MatchId, u.part())
		if err = errors.Join(u.err, err); err != nil {
			return nil, err
		}
		r.Guilty, r.Reason = verdictIn(e.Verdict)
		r.Support, err = supportIn(u.in)
		return r, err
	case bindings.ArenaDemandedEventName:
		e, err := arena().UnpackDemandedEvent(log)
		if err != nil {
			return nil, err
		}
		return newRecorded(e.ChannelId, e.MatchId, e.Record)
	case bindings.ArenaAgreedEventName:
		e, err := arena().UnpackAgreedEvent(log)
		if err != nil {
			return nil, err
		}
		return agreed(e)
	case bindings.ArenaExpiredEventName:
		e, err := arena().UnpackExpiredEvent(log)
		if err != nil {
			return nil, err
		}
		u := unpacker{in: e.Told}
		rest, state := u.part(), u.in
		r, err := newRecorded(e.ChannelId, e.MatchId, append(crypto.Keccak256(state), rest...))
		r.State = state
		r.Guilty, r.Reason = verdictIn(e.Verdict)
		return r, errors.Join(u.err, err)
	case bindings.ArenaConvictedEventName:
		e, err := arena().UnpackConvictedEvent(log)
		if err != nil {
			return nil, err
		}
		r, err := newRecorded(e.ChannelId, e.MatchId, e.Record)
		r.Record.Flagged, r.Guilty, r.Reason = e.Flagged, e.Flagged, onchain.Equivocated
		return r, err
	}
	return nil, fmt.Errorf("an event that this version doesn't know")
}

// verdictIn reads the mask of the guilty, 2 bytes, and the reason's first 30.
func verdictIn(word [32]byte) (guilty uint16, reason [32]byte) {
	copy(reason[:], word[2:])
	return binary.BigEndian.Uint16(word[:]), reason
}

func banked(asset, account common.Address, amount *big.Int, in bool) (onchain.Event, error) {
	b := onchain.Banked{Account: account, Asset: asset, In: in}
	if b.Amount.SetFromBig(amount) {
		return nil, fmt.Errorf("amount %s is no 256-bit number", amount)
	}
	return b, nil
}

func contested(e *bindings.ArenaContested) (onchain.Event, error) {
	l, err := ledgerIn(e.ChannelId, e.Ledger)
	if err != nil {
		return nil, err
	}
	signatures, err := signaturesIn(e.Signatures)
	return onchain.Contested{
		ChannelID: e.ChannelId,
		Ledger:    protocol.SignedLedger{Ledger: l, Signatures: signatures},
		Deadline:  e.Deadline.Uint64(),
	}, err
}

func agreed(e *bindings.ArenaAgreed) (onchain.Event, error) {
	r, err := newRecorded(e.ChannelId, e.MatchId, e.Record)
	if err != nil {
		return nil, err
	}
	signatures, err := signaturesIn(e.Signatures)
	r.Agreement = &protocol.SignedAgreement{
		Agreement:  protocol.Agreement{MatchID: e.MatchId, Turn: protocol.Turn(e.Turn), Payouts: r.Record.Payouts},
		Signatures: signatures,
	}
	return r, err
}

func newRecorded(channelID, matchID common.Hash, in []byte) (onchain.Recorded, error) {
	r, err := recordIn(in)
	return onchain.Recorded{ChannelID: channelID, MatchID: matchID, Record: r}, err
}
