package node

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/ante-games/ante/channel"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/onchain"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// Result is how a match of this node ended. The node keeps the newest results, and those that are
// still needed.
type Result struct {
	Match   common.Hash
	Channel common.Hash
	Terms   protocol.MatchTerms
	Seat    int           // this node's, in the match
	Turn    protocol.Turn // of the position that was over, or agreed on
	Payouts []uint256.Int // by seat of the match
	Guilty  uint16        // bit mask of the seats that are proved to have cheated
	Reason  string        // why it ended so, if not by the score
	Began   int64         // when it was locked: Unix seconds, by this computer's clock
	Time    int64         // when the newest of this was learnt
	Paid    bool          // the stakes are in the balances again, or paid out on-chain
	// how it was for each seat, where there were no stakes: 1 won, 0 drawn, -1 lost
	Free []int

	// of the Result for the score board, by seat of the match; zero: not held
	Signatures []protocol.Signature
	// the Arena's newest that says what each seat gets; nil: it decided nothing
	Record  *protocol.Record
	Settled bool // the Arena paid it, by that record
}

// Won returns 1 if this node won the match, 0 if it was drawn, -1 if lost, by what the node got for
// its stake or, where nothing was staked, would have got.
func (r *Result) Won() int { return r.standing()[r.Seat] }

// errNoResult says that a match has not ended, or is not known.
var errNoResult = fmt.Errorf("%w with a result", ErrUnknownMatch)

// Results returns how the matches of this node ended, oldest first. Nobody may change what they
// point to. An alarm says that some can't be read.
func (n *channels) Results() ([]Result, error) {
	list, err := n.allResults()
	return list, n.results.readable(err)
}

// allResults is Results for those who must not lack one: it fails with errUnreadable, too.
func (n *channels) allResults() ([]Result, error) {
	list, err := n.results.known()
	list = slices.DeleteFunc(list, func(r Result) bool { return r.Payouts == nil })
	// Several matches may begin in one second; nonces grow with the versions of a channel's
	// ledgers.
	slices.SortFunc(list, func(a, b Result) int {
		return cmp.Or(cmp.Compare(a.Began, b.Began), cmp.Compare(a.Terms.Nonce, b.Terms.Nonce))
	})
	return list, err
}

// Result returns how a match ended. It fails with ErrUnknownMatch while it has not.
func (n *channels) Result(matchID common.Hash) (Result, error) {
	r, err := n.results.get(matchID)
	if err != nil {
		return Result{}, err
	}
	if r.Payouts == nil {
		return Result{}, fmt.Errorf("%w: %s", errNoResult, matchID)
	}
	return *r, nil
}

// history adds to what is about to be committed what is kept of a channel's matches: how they went,
// and how they ended. The session's lock is held.
type history struct {
	*member
	machine *channel.Machine
	signer  protocol.Signer
	changes map[string][]byte
}

// results adds what the events say of how matches ended.
func (s history) results(events []channel.Event) error {
	for _, e := range events {
		var err error
		switch e := e.(type) {
		case channel.MatchLocked:
			err = s.updateResult(e.MatchID, func(r *Result) error {
				r.Terms, r.Seat = e.Terms, slices.Index(e.Terms.Seats, uint8(s.seat))
				return nil
			})
		case channel.MatchEnded:
			err = s.updateResult(e.MatchID, func(r *Result) error {
				r.Turn, r.Payouts, r.Guilty, r.Reason = e.Turn, e.Outcome.Payouts, e.Outcome.Guilty, e.Outcome.ReasonText()
				s.freely(r)
				return nil
			})
		case channel.AgreementReached:
			err = s.updateResult(e.Agreement.MatchID, func(r *Result) error {
				r.Turn, r.Payouts, r.Reason = e.Agreement.Turn, e.Agreement.Payouts, "agreed"
				return nil
			})
		case channel.MatchReleased:
			err = s.updateResult(e.MatchID, func(r *Result) error {
				r.Terms, r.Seat, r.Paid = e.Terms, slices.Index(e.Terms.Seats, uint8(s.seat)), true
				if e.Payouts != nil {
					r.Payouts = e.Payouts
				}
				s.cosign(r)
				return nil
			})
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// verdict adds how the Arena decided a match. If a ledger has paid the match's stakes, it adds
// nothing until the Arena pays the lock: nobody answers any more, so the loser by that ledger can
// have the Arena decide otherwise.
func (s history) verdict(e onchain.Event) error {
	if paid, ok := e.(onchain.LockPaid); ok {
		return s.updateResult(paid.MatchID, func(to *Result) error {
			to.Settled = true
			if paid.Payouts != nil {
				to.Payouts = paid.Payouts
			}
			s.cosign(to)
			return nil
		})
	}
	r, ok := e.(onchain.Recorded)
	if !ok || r.Guilty == 0 && r.Record.Payouts == nil {
		return nil
	}
	return s.updateResult(r.MatchID, func(to *Result) error {
		if r.Record.Payouts != nil {
			to.Record = &r.Record
		}
		if to.Paid && !to.Settled {
			return nil
		}
		to.Guilty |= r.Guilty
		if reason := strings.TrimRight(string(r.Reason[:]), "\x00"); reason != "" {
			to.Reason = reason
		}
		if r.Record.Status == protocol.MatchFinal && r.Record.Payouts != nil {
			to.Payouts = r.Record.Payouts
		}
		return nil
	})
}

func (s history) updateResult(id common.Hash, update func(*Result) error) error {
	key := s.node.results.key(id)
	value, err := newest(s.node.config.Store, s.changes, key)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrStore, err)
	}
	r := Result{Match: id, Channel: s.id}
	damaged := decode(key, value, &r) // no money in the channel depends on it
	if damaged != nil {
		r = s.rebuilt(id)
	}
	err = update(&r)
	switch {
	case err != nil:
		return err
	case damaged != nil && !r.whole():
		s.node.Warn(key, fmt.Sprintf("how match %s ended is not noted; no open channel depends on it: %v", id, damaged))
		s.changes[key] = value // it is read again, and whoever counts results hears of it
		return nil
	case damaged != nil:
		s.node.Warn(key+"/anew", fmt.Sprintf("what is kept of match %s is noted anew: %v", id, damaged))
	case r.Seat < 0 || len(r.Terms.Seats) == 0:
		return nil // another seat's match
	}
	r.Time = s.node.config.Now().Unix()
	r.Began = cmp.Or(r.Began, r.Time)
	s.changes[key], err = json.Marshal(r)
	s.addWin(s.changes, &r)
	for i, seat := range r.Terms.Seats {
		if i != r.Seat && r.Paid && r.Signatures != nil && r.Signatures[i] == (protocol.Signature{}) {
			s.changes[lackKey(s.terms.Players[seat], id)] = []byte{1}
		}
	}
	return err
}

// rebuilt returns what the machine knows of a result that can't be read.
func (s history) rebuilt(id common.Hash) Result {
	r := Result{Match: id, Channel: s.id}
	m, known := s.machine.Match(id)
	if !known {
		return r
	}
	r.Terms, r.Seat, r.Paid = m.Terms, m.Seat, !m.Locked
	switch a := m.Agreement; {
	case r.Paid: // by a ledger that need not book how it ended
	case a != nil:
		r.Turn, r.Payouts, r.Reason = a.Turn, a.Payouts, "agreed"
	case m.Outcome != nil:
		r.Turn, r.Payouts, r.Guilty, r.Reason = m.Turn, m.Outcome.Payouts, m.Outcome.Guilty, m.Outcome.ReasonText()
		s.freely(&r)
	}
	return r
}

// whole reports whether a result that was rebuilt says how the match went, once nothing more comes.
func (r *Result) whole() bool {
	staked := slices.ContainsFunc(r.Terms.Stakes, func(v uint256.Int) bool { return !v.IsZero() })
	return r.Seat >= 0 && len(r.Terms.Seats) > 0 && (!r.Paid || r.Payouts != nil && (staked || r.Free != nil))
}

// lackPrefix is where the results lie that lack the signature of an account, by account: what is
// asked for when it connects.
const lackPrefix = "lacking/"

func lackKey(account common.Address, match common.Hash) string {
	return lackPrefix + account.Hex() + "/" + match.Hex()
}
