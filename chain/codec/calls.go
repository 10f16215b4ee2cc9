package codec

import (
	"fmt"
	"slices"

	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/onchain"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// Encode returns the call of the Arena that does an action. Its error wraps ErrAction.
func (c *Codec) Encode(a onchain.Action) (Call, error) {
	call, err := c.encode(a)
	if err != nil {
		return Call{}, fmt.Errorf("%w: %T: %w", ErrAction, a, err)
	}
	return call, nil
}

func (c *Codec) encode(a onchain.Action) (Call, error) {
	switch a := a.(type) {
	case onchain.Deposit:
		data, err := arena().TryPackDeposit(a.Asset, a.Account, a.Amount.ToBig())
		var value uint256.Int
		if a.Asset == (common.Address{}) {
			value = a.Amount
		}
		return Call{Data: data, Value: value}, err
	case onchain.Withdraw:
		return plain(arena().TryPackWithdraw(a.Asset, a.Amount.ToBig(), a.To))
	case onchain.Open:
		var p parts
		data, err := arena().TryPackOpen(p.terms(&a.Terms), a.Signatures)
		call, err := p.call(data, err)
		call.Value = a.Value
		return call, err
	case onchain.Close:
		p := c.parts(&a.Terms, a.Ledger.ChannelID)
		return p.call(arena().TryPackClose(p.terms(&a.Terms), p.ledger(&a.Ledger.Ledger), p.signatures(a.Ledger.Signatures), a.Push))
	case onchain.ContestLedger:
		p := c.parts(&a.Terms, a.Ledger.ChannelID)
		return p.call(arena().TryPackContest(p.terms(&a.Terms), p.ledger(&a.Ledger.Ledger),
			p.signatures(a.Ledger.Signatures), a.Seat, a.Signature))
	case onchain.Settle:
		return c.settle(a)
	case onchain.Advance:
		return c.advance(a)
	case onchain.DemandMove:
		p := c.parts(&a.Terms, a.Match.ChannelID)
		return p.call(arena().TryPackDemand(c.known(p, &a.Terms, &a.Match, &a.Record), a.Signature[:]))
	case onchain.Agree:
		return c.agree(a)
	case onchain.Expire:
		p := c.parts(&a.Terms, a.Match.ChannelID)
		return p.call(arena().TryPackExpire(p.pack(func(to *packer) { to.claim(a.Match.ID(c.domain), &a) })))
	case onchain.Convict:
		return c.convict(a)
	case onchain.Batch:
		return c.batch(a)
	}
	return Call{}, fmt.Errorf("no call of the Arena does it")
}

func plain(data []byte, err error) (Call, error) { return Call{Data: data}, err }

func (c *Codec) settle(a onchain.Settle) (Call, error) {
	p := c.parts(&a.Terms, a.Ledger.ChannelID)
	matches := slices.Clone(a.Matches)
	slices.SortFunc(matches, func(x, y onchain.FinalMatch) int { return x.Terms.ID(c.domain).Cmp(y.Terms.ID(c.domain)) })
	finals := p.pack(func(list *packer) {
		for i := range matches {
			list.final(matches[i].Terms.ID(c.domain), &a.Ledger, &matches[i])
		}
	})
	return p.call(arena().TryPackSettle(slices.Concat(p.terms(&a.Terms), p.ledger(&a.Ledger), finals)))
}

func (c *Codec) advance(a onchain.Advance) (Call, error) {
	p := c.parts(&a.Terms, a.Match.ChannelID)
	support := p.pack(func(to *packer) { to.support(&a.Support) })
	var demand []byte
	if a.Demand != nil {
		demand = a.Demand[:]
	}
	if a.Record != nil && a.Record.Status != protocol.MatchUnknown {
		return p.call(arena().TryPackAdvance(c.known(p, &a.Terms, &a.Match, a.Record), support, demand))
	}
	if a.Ledger == nil {
		return Call{}, fmt.Errorf("nothing is recorded of the match: supply a ledger that locks it")
	}
	c.same(p, &a.Terms, a.Ledger.ChannelID)
	return p.call(arena().TryPackAdvanceNew(p.terms(&a.Terms), p.ledger(&a.Ledger.Ledger),
		p.signatures(a.Ledger.Signatures), p.match(&a.Match), support, demand))
}

func (c *Codec) agree(a onchain.Agree) (Call, error) {
	if a.Agreement.MatchID != a.Match.ID(c.domain) {
		return Call{}, fmt.Errorf("the agreement names another match")
	}
	p := c.parts(&a.Terms, a.Match.ChannelID)
	known := a.Record
	if known == nil {
		known = &protocol.Record{}
	}
	return p.call(arena().TryPackAgree(p.terms(&a.Terms), p.match(&a.Match), p.record(known), uint64(a.Agreement.Turn),
		amountsOut(a.Agreement.Payouts), p.signatures(a.Agreement.Signatures)))
}

func (c *Codec) convict(a onchain.Convict) (Call, error) {
	if a.Proof.MatchID != a.Match.ID(c.domain) {
		return Call{}, fmt.Errorf("the proof names another match")
	}
	p := c.parts(&a.Terms, a.Match.ChannelID)
	proof := p.pack(func(to *packer) {
		to.uint64(uint64(a.Proof.Turn))
		to.uint8(a.Proof.Seat)
		to.hash(a.Proof.States[0])
		to.hash(a.Proof.States[1])
		to.signatures(a.Proof.Signatures[:])
	})
	return p.call(arena().TryPackConvict(p.terms(&a.Terms), p.match(&a.Match), proof))
}

func (c *Codec) batch(list onchain.Batch) (Call, error) {
	calls := make([][]byte, len(list))
	for i, a := range list {
		call, err := c.Encode(a)
		if err != nil {
			return Call{}, err
		}
		if !call.Value.IsZero() {
			return Call{}, fmt.Errorf("%T sends value, which no call in a batch can", a)
		}
		calls[i] = call.Data
	}
	return plain(arena().TryPackBatch(calls))
}

// parts packs the arguments of one call and keeps an error.
type parts struct{ err error }

// parts begins a call about a channel: the id that it names must be of that channel, for calls
// don't repeat it.
func (c *Codec) parts(t *protocol.Terms, id common.Hash) *parts {
	p := &parts{}
	c.same(p, t, id)
	return p
}

func (c *Codec) same(p *parts, t *protocol.Terms, id common.Hash) {
	if want := t.ID(c.domain); id != want {
		p.err = fmt.Errorf("channel %s is named where the terms are those of %s", id, want)
	}
}

// known packs what the Arena knows of a recorded match: its game and its record.
func (c *Codec) known(p *parts, t *protocol.Terms, m *protocol.MatchTerms, r *protocol.Record) []byte {
	return p.pack(func(to *packer) {
		to.game(m.ID(c.domain), t, m)
		to.record(r)
	})
}

func (p *parts) pack(write func(*packer)) []byte {
	var to packer
	write(&to)
	if p.err == nil {
		p.err = to.err
	}
	return to.out
}

func (p *parts) terms(t *protocol.Terms) []byte {
	return p.pack(func(to *packer) { to.terms(t) })
}

func (p *parts) ledger(l *protocol.Ledger) []byte {
	return p.pack(func(to *packer) { to.ledger(l) })
}

func (p *parts) match(m *protocol.MatchTerms) []byte {
	return p.pack(func(to *packer) { to.match(m) })
}

func (p *parts) record(r *protocol.Record) []byte {
	return p.pack(func(to *packer) { to.record(r) })
}

func (p *parts) signatures(list []protocol.Signature) []byte {
	return p.pack(func(to *packer) { to.signatures(list) })
}

// call returns the call whose arguments were packed.
func (p *parts) call(data []byte, err error) (Call, error) {
	if p.err != nil {
		return Call{}, p.err
	}
	return Call{Data: data}, err
}
