package channel

import (
	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/message"
	"github.com/ethereum/go-ethereum/common"
)

// newMatch makes a match from its terms. Where we play and have the rules, it is at turn 0, which
// nobody has signed.
func (m *Machine) newMatch(terms protocol.MatchTerms) (*match, error) {
	out := &match{id: terms.ID(m.cfg.Domain), terms: terms, seat: -1}
	for i, s := range terms.Seats {
		if int(s) == m.cfg.Seat {
			out.seat = i
		}
	}
	if out.seat < 0 {
		return out, nil
	}
	judge, err := m.judgeOf(&terms)
	if err != nil {
		return out, err
	}
	start, err := judge.Start()
	if err != nil {
		return out, err
	}
	first, err := newLink(judge, 0, start)
	if err != nil {
		return out, err
	}
	out.judge, out.links = judge, []link{first}
	return out, nil
}

func (m *Machine) judgeOf(terms *protocol.MatchTerms) (*protocol.Judge, error) {
	rules, err := m.cfg.Rules.Rules(terms.Rules)
	if err != nil {
		return nil, err
	}
	return protocol.NewJudge(m.cfg.Domain, &m.cfg.Terms, terms, rules)
}

// newLink makes an unsigned position whose move is unknown. It fails on an end whose outcome the
// rules can't tell: the Arena never records that, nor any evidence that leads there.
func newLink(j *protocol.Judge, turn protocol.Turn, state []byte) (link, error) {
	mover, err := j.Mover(state)
	if err == nil && mover == games.Nobody {
		_, err = j.Outcome(state)
	}
	return link{turn: turn, state: state, hash: protocol.StateHash(state), mover: mover, by: games.Nobody,
		sigs: make([]protocol.Signature, j.Seats())}, err
}

// signStarts signs turn 0 of the matches that the newest fully signed ledger locks, where that is
// due and safe. A seat of two that moves first waits: its signature rides on its first move, or on
// Idle.
func (t *txn) signStarts(mayWait bool) error {
	for _, m := range t.matches {
		if err := t.side(m).giveBack(); err != nil {
			return err
		}
		if !m.plays() || m.frozen() || !t.side(m).unsignedStart() || t.side(m).maySign(m.last()) != nil {
			continue
		}
		if mayWait && len(m.links[0].sigs) == 2 && int(m.links[0].mover) == m.seat {
			continue
		}
		if err := t.side(m).countersign(m.links[0].turn); err != nil {
			return err
		}
	}
	return nil
}

func (m side) unsignedStart() bool {
	l := m.last()
	return l.turn == 0 && !l.hasSigned(m.seat)
}

// mayStart says why we must not sign turn 0 yet: the newest fully signed ledger must lock the
// match, and nobody may hold our signature of a higher ledger that need not lock it.
func (m side) mayStart() error {
	switch {
	case m.refused:
		return ErrRefused
	case m.state.loosened():
		return ErrWaiting
	}
	return nil
}

// starts takes the countersignatures of turn 0 that this step would send out of the messages, for
// an approval to carry.
func (t *txn) starts(from int) []message.Countersign {
	var out []message.Countersign
	seen := map[common.Hash]bool{}
	kept := t.fx.Messages[:from]
	for _, o := range t.fx.Messages[from:] {
		c, ok := o.Message.(message.Countersign)
		switch {
		case !ok || c.Turn != 0:
			kept = append(kept, o)
		case !seen[c.MatchID] && len(out) < protocol.MaxNew:
			seen[c.MatchID] = true
			out = append(out, c)
		}
	}
	t.fx.Messages = kept
	return out
}
