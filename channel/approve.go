package channel

import (
	"fmt"

	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/message"
)

// approve signs a proposal and tells everybody.
func (n negotiation) approve(p *proposal) error {
	before := len(n.fx.Messages)
	sig, err := n.signProposal(p)
	if err != nil {
		return err
	}
	if err := n.complete(false); err != nil {
		return err
	}
	starts := n.starts(before)
	n.broadcast(message.Approve{Version: p.Ledger.Version, Digest: p.digest, Signature: sig, Starts: starts})
	return nil
}

func (n negotiation) approveProposal(version uint64) error {
	p := n.asking()
	switch {
	case p == nil || p.Ledger.Version != version:
		return ErrStale
	case n.state.silent() != nil:
		return n.state.silent()
	case n.state.unshown != 0:
		return ErrUnshown
	case n.state.frozen():
		return ErrFrozen
	}
	// What was judged when the user was asked may hold no more: an agreement that the proposal
	// books dies with the next move.
	if _, _, err := n.judgeProposal(p); err != nil {
		return fmt.Errorf("%w: %w", ErrStale, err)
	}
	return n.approve(p)
}

func (n negotiation) refuseProposal(in RefuseProposal) error {
	p := n.asking()
	if p == nil || p.Ledger.Version != in.Version {
		return ErrStale
	}
	if len(in.Reason) > protocol.MaxText {
		return fmt.Errorf("%w: a reason of %d bytes, at most %d", protocol.ErrTerms, len(in.Reason), protocol.MaxText)
	}
	n.refuse(p, message.Refused, in.Reason)
	return nil
}

// refuse drops a proposal that waits for our user.
func (n negotiation) refuse(p *proposal, code message.RejectCode, reason string) {
	n.change().pending = nil
	n.reject(p, code, reason)
}

func (n negotiation) reject(p *proposal, code message.RejectCode, reason string) {
	if version := p.Ledger.Version; len(p.Matches) > 0 && code != message.Superseded && version > n.refused.version {
		n.change().refused = ledgerRefusal{version: version, code: code}
	}
	n.broadcast(message.Reject{Version: p.Ledger.Version, Digest: p.digest, Code: code, Reason: message.Clip(reason),
		Signed: max(n.signed.version, n.refused.version)})
}

func (n negotiation) receiveApprove(from int, a *message.Approve) error {
	s := n.state
	p := s.pending
	switch {
	case p != nil && p.Ledger.Version == a.Version && p.digest == a.Digest:
		if p.Signatures[from] == (protocol.Signature{}) {
			if err := n.checkApproval(from, a); err != nil {
				return err
			}
			if err := n.addSignature(from, a.Signature); err != nil {
				return err
			}
		}
	case a.Version > s.full.Version && s.plausible(a.Version):
		if err := n.checkApproval(from, a); err != nil {
			return err
		}
		if s.keepEarly(early{seat: uint8(from), version: a.Version, digest: a.Digest, signature: a.Signature}) {
			n.change()
		}
	}
	for i := range a.Starts {
		if n.find(a.Starts[i].MatchID) == nil {
			continue
		}
		if err := n.receiveCountersign(from, &a.Starts[i]); err != nil {
			return err
		}
	}
	return nil
}

func (n negotiation) checkApproval(from int, a *message.Approve) error {
	err := a.Signature.Verify(a.Digest, n.cfg.Terms.Signers[from])
	if err == nil {
		return nil
	}
	n.ownLedger(a.Version, a.Digest, a.Signature)
	return fmt.Errorf("%w: approval of ledger %d: %w", ErrPeer, a.Version, err)
}

// addSignature adds a checked signature to the pending proposal.
func (n negotiation) addSignature(seat int, sig protocol.Signature) error {
	p := n.pending
	if p == nil || sig == (protocol.Signature{}) || p.Signatures[seat] != (protocol.Signature{}) {
		return nil
	}
	n.change()
	p.put(seat, sig)
	return n.complete(true)
}

// receiveReject notes that a seat does not complete a proposal.
func (n negotiation) receiveReject(from int, r *message.Reject) error {
	s := n.state
	if s.raises(r.Signed) {
		n.change().floor = r.Signed
	}
	p := s.pending
	if p == nil || p.digest != r.Digest || p.Signatures[from] != (protocol.Signature{}) {
		return nil
	}
	switch {
	case p.stage == stageAsked:
		n.withdraw()
	case n.isOurs(p) && len(p.Matches) > 0 && r.Code != message.Superseded:
		n.change().pending = nil
		n.dropWants(p.Matches, from, r.Code, r.Reason)
	case !p.dead():
		n.change()
		p.stage = stageRefused
	}
	return nil
}
