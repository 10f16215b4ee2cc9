package node

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/ante-games/ante/chain"
	"github.com/ante-games/ante/contracts"
	"github.com/ante-games/ante/money"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// A node publishes what it won, if Policy.PublishWins says so: only its own wins, so that of two
// such nodes neither pays for what the other has sent.

// winPrefix is where the wins lie that the score board would take, by channel and match. The value
// is the key of the transaction that is to count it, unsent before there is one.
const (
	winPrefix = "win/"
	unsent    = "unsent"
)

// dearPublication is what a unit of gas costs, in wei, when nothing is published by itself: nothing
// is lost by waiting.
const dearPublication = 50_000_000_000

func winKey(r *Result) string { return winPrefix + r.Channel.Hex() + "/" + r.Match.Hex() }

// addWin adds to the changes that a result waits for the score board, if it is a win that the board
// would take, that is worth it, and the node publishes by itself.
func (s *member) addWin(changes map[string][]byte, r *Result) {
	if s.node.publishes() && r.Payouts != nil && r.countable() && r.Won() > 0 && s.worthPublishing(r) {
		changes[winKey(r)] = []byte(unsent)
	}
}

// worthPublishing reports whether a win brought more than the gas to count it alone, at today's
// price: otherwise an opponent who loses a wei each time makes the winner pay for it. In tokens,
// and where nothing was staked, only the floor counts.
func (s *member) worthPublishing(r *Result) bool {
	var gain, cost uint256.Int
	if r.Free == nil {
		gain.Sub(&r.Payouts[r.Seat], &r.Terms.Stakes[r.Seat])
		cost = s.cost(contracts.Gas["score_1"])
	}
	return money.Worth(&gain, &s.node.config.Policy.Floor, &cost)
}

// cost returns what gas costs at today's price in wei: what it is weighed against. 0 where tokens
// are played for, with which wei can't be compared.
func (s *member) cost(gas uint64) uint256.Int {
	if s.terms.Asset != (common.Address{}) {
		return uint256.Int{}
	}
	price := s.node.drive.GasPrice()
	return money.Cost(gas, &price)
}

// tendWins publishes the wins of channels in which enough of them wait, and of channels that are
// over. It forgets those that count, and those that the board refuses. While gas is dear it waits.
func (n *scores) tendWins(ctx context.Context) error {
	if price := n.drive.GasPrice(); !n.publishes() || price.CmpUint64(dearPublication) > 0 {
		return nil
	}
	waiting, err := n.waitingWins()
	if err != nil {
		return err
	}
	for id, matches := range waiting {
		least := n.config.Policy.PublishWins
		if _, open := n.channels.session(id); errors.Is(open, ErrEnded) {
			least = 1
		}
		if uint64(len(matches)) < least { // before the board is asked about each
			continue
		}
		wins, e := n.uncounted(ctx, matches)
		if uint64(len(wins)) >= least {
			e = n.publishWins(ctx, id, wins)
		}
		err = errors.Join(err, e)
	}
	return err
}

// waitingWins returns the matches whose wins wait for the score board and for which no transaction
// is under way, by channel.
func (n *scores) waitingWins() (map[common.Hash][]common.Hash, error) {
	sent := map[string]string{}
	err := n.config.Store.Scan(winPrefix, "", func(key string, value []byte) error {
		sent[key] = string(value)
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrStore, err)
	}
	waiting := map[common.Hash][]common.Hash{}
	for _, key := range slices.Sorted(maps.Keys(sent)) {
		if tx := sent[key]; tx != unsent {
			report, err := n.drive.Sender.Status(tx)
			if err != nil {
				return nil, err
			}
			if report.Progress == chain.Waiting || report.Progress == chain.Mined {
				continue
			}
			if report.Err != nil {
				if err := n.giveUpWin(key, report.Err); err != nil {
					return nil, err
				}
				continue
			}
		}
		id, match, _ := strings.Cut(strings.TrimPrefix(key, winPrefix), "/")
		waiting[common.HexToHash(id)] = append(waiting[common.HexToHash(id)], common.HexToHash(match))
	}
	return waiting, nil
}

// uncounted returns the wins that the score board doesn't count, and forgets that the others wait.
func (n *scores) uncounted(ctx context.Context, matches []common.Hash) (wins []Result, err error) {
	for _, match := range matches {
		r, err := n.channels.Result(match)
		if errors.Is(err, errUnreadable) { // an alarm says so
			continue
		}
		if err != nil {
			return nil, err
		}
		counts, err := n.counts(ctx, &r)
		if err != nil {
			return nil, err
		}
		if !counts {
			wins = append(wins, r)
		} else if err := n.commit(map[string][]byte{winKey(&r): nil}, nil); err != nil {
			return nil, fmt.Errorf("%w: %w", ErrStore, err)
		}
	}
	return wins, nil
}

// publishWins sends wins of one channel to the score board, and notes by which transactions.
func (n *scores) publishWins(ctx context.Context, id common.Hash, wins []Result) error {
	list, err := n.publish(ctx, id, wins)
	changes := map[string][]byte{}
	for _, p := range list {
		for _, r := range p.results {
			if p.refused != nil {
				err = errors.Join(err, n.giveUpWin(winKey(r), p.refused))
			} else {
				changes[winKey(r)] = []byte(p.Key)
			}
		}
	}
	return errors.Join(err, n.commit(changes, nil))
}

// giveUpWin deletes a win that the score board refuses, since retrying at every block would cost
// requests or gas.
func (n *scores) giveUpWin(key string, why error) error {
	_, match, _ := strings.Cut(strings.TrimPrefix(key, winPrefix), "/")
	text := fmt.Sprintf("the score board refuses your win of match %s: %v; it is not published by itself again, channeld score publish does", match, why)
	n.config.Log.Error(text)
	return n.commit(map[string][]byte{key: nil}, []Event{{Kind: Alarm, Match: common.HexToHash(match), Text: text}})
}
