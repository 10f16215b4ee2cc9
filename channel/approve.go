package channel

import (
	"fmt"

	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/message"
)

// approve signs a proposal and tells everybody.
func (t *txn) approve(p *proposal) error {
	before := len(t.fx.Messages)
	sig, err := t.signProposal(p)
	if err != nil {
		return err
	}
	if err := t.complete(false); err != nil {
		return err
	}
	starts := t.starts(before)
	t.broadcast(message.Approve{Version: p.Ledger.Version, Digest: p.digest, Signature: sig, Starts: starts})
	return nil
}

func (t *txn) approveProposal(version uint64) error {
	p := t.state.asking()
	switch {
	case p == nil || p.Ledger.Version != version:
		return ErrStale
	case t.state.silent() != nil:
		return t.state.silent()
	case t.state.unshown != 0:
		return ErrUnshown
	case t.state.frozen():
		return ErrFrozen
	}
	return t.approve(p)
}

func (t *txn) refuseProposal(in RefuseProposal) error {
	p := t.state.asking()
	if p == nil || p.Ledger.Version != in.Version {
		return ErrStale
	}
	if len(in.Reason) > protocol.MaxText {
		return fmt.Errorf("%w: a reason of %d bytes, at most %d", protocol.ErrTerms, len(in.Reason), protocol.MaxText)
	}
	t.refuse(p, message.Refused, in.Reason)
	return nil
}

// refuse drops a proposal that waits for our user's word.
func (t *txn) refuse(p *proposal, code message.RejectCode, reason string) {
	t.change().pending = nil
	t.reject(p, code, reason)
}

func (t *txn) reject(p *proposal, code message.RejectCode, reason string) {
	if len(reason) > protocol.MaxText {
		reason = reason[:protocol.MaxText]
	}
	if version := p.Ledger.Version; len(p.Matches) > 0 && code != message.Superseded && version > t.state.refused.version {
		t.change().refused = ledgerRefusal{version: version, code: code}
	}
	t.broadcast(message.Reject{Version: p.Ledger.Version, Digest: p.digest, Code: code, Reason: reason,
		Signed: max(t.state.signed.version, t.state.refused.version)})
}

func (t *txn) receiveApprove(from int, a *message.Approve) error {
	s := t.state
	p := s.pending
	switch {
	case p != nil && p.Ledger.Version == a.Version && p.digest == a.Digest:
		if p.Signatures[from] == (protocol.Signature{}) {
			if err := t.checkApproval(from, a); err != nil {
				return err
			}
			if err := t.addSignature(from, a.Signature); err != nil {
				return err
			}
		}
	case a.Version > s.full.Version && s.plausible(a.Version):
		if err := t.checkApproval(from, a); err != nil {
			return err
		}
		if s.keepEarly(early{seat: uint8(from), version: a.Version, digest: a.Digest, signature: a.Signature}) {
			t.change()
		}
	}
	for i := range a.Starts {
		if t.find(a.Starts[i].MatchID) == nil {
			continue
		}
		if err := t.receiveCountersign(from, &a.Starts[i]); err != nil {
			return err
		}
	}
	return nil
}

func (t *txn) checkApproval(from int, a *message.Approve) error {
	err := a.Signature.Verify(a.Digest, t.cfg.Terms.Signers[from])
	if err == nil {
		return nil
	}
	t.ownLedger(a.Version, a.Digest, a.Signature)
	return fmt.Errorf("%w: approval of ledger %d: %w", ErrPeer, a.Version, err)
}

// addSignature puts a checked signature to the proposal on the table.
func (t *txn) addSignature(seat int, sig protocol.Signature) error {
	p := t.state.pending
	if p == nil || sig == (protocol.Signature{}) || p.Signatures[seat] != (protocol.Signature{}) {
		return nil
	}
	t.change()
	p.put(seat, sig)
	return t.complete(true)
}

// receiveReject takes note that a proposal will not be completed by a seat.
func (t *txn) receiveReject(from int, r *message.Reject) error {
	s := t.state
	if s.raises(r.Signed) {
		t.change().floor = r.Signed
	}
	p := s.pending
	if p == nil || p.digest != r.Digest || p.Signatures[from] != (protocol.Signature{}) {
		return nil
	}
	switch {
	case p.stage == stageAsked:
		t.withdraw()
	case t.isOurs(p) && len(p.Matches) > 0 && r.Code != message.Superseded:
		t.change().pending = nil
		t.dropWants(p.Matches, from, r.Code, r.Reason)
	default:
		t.change()
		p.stage = stageRefused
	}
	return nil
}
