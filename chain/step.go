package chain

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/ethereum/go-ethereum/common"
)

// maxBlocks asked for in one JSON-RPC batch: public endpoints refuse large ones.
const maxBlocks = 64

// maxSeen is after how many bytes of logs no more blocks are followed at once: they are in memory
// until they are told.
const maxSeen = 4 << 20

// entrySize is what an entry takes in memory besides its topics and its data: an endpoint can
// invent any number of logs that have neither.
const entrySize = 128

// step moves a cursor forward once, at one endpoint.
type step struct {
	*FollowConfig
	client   *Client
	began    time.Time
	endpoint *endpoint
	other    *endpoint // whose word counts as well; nil: none
	compared bool      // some of what was told is final
	cursor   *cursor
	reach    Reach
	news     []news
}

// news is what is to be told of a block.
type news struct {
	Stage Stage     `json:"stage"`
	Block *followed `json:"block"`
}

func (s *step) run(ctx context.Context) error {
	heads, err := s.client.heads(ctx, s.endpoint)
	if err != nil {
		return err
	}
	head, shared := heads.newest, heads.shared
	s.other, s.reach.Head, s.reach.Shared, s.reach.Highest = heads.other, head, shared, heads.highest
	if next := s.cursor.next(); s.cursor.tip() == nil && next > head.Number+1 { // nothing before would be known
		return fmt.Errorf("the Arena is to be followed from block %d on, and the newest is %d: set chain.from to the block in which it was deployed", next, head.Number)
	}
	if behind, err := s.reconcile(ctx, head); err != nil || behind {
		return err
	}
	// following goes on, but what was final is not
	if next := s.cursor.next(); next < s.cursor.Final {
		s.cursor.Final = next
		_ = s.deepReorg(&DeepReorg{Number: next})
	}
	done := false
	if next := s.cursor.next(); shared.Number-min(shared.Number, next) >= s.Window {
		done, err = s.catchUp(ctx, shared)
		if err != nil || done && (s.other == nil || !s.slow(next, mostHaste)) {
			return err
		}
	}
	// the cursor does not grow for as long as the endpoints contradict each other
	last := min(head.Number, max(s.cursor.Final, min(shared.Number, s.cursor.Final+s.Window))+s.MaxAhead)
	if err := s.advance(ctx, last); err != nil {
		if !done && !s.compared {
			return err
		}
		s.reach.Behind = true
	}
	// what only one has is read without haste
	s.reach.Behind = s.reach.Behind && s.cursor.next() <= shared.Number+s.MaxRange
	unread := s.cursor.next() > last && last < head.Number
	stuck := shared.Number >= s.cursor.Final+s.Window // both are far beyond what does not become final
	s.client.bell.set(unread && !stuck, s.Arena.Hex()+", ahead", &NotFollowing{Err: &Ahead{Number: last}})
	s.client.bell.set(unread && stuck, s.Arena.Hex()+", unconfirmed", &NotFollowing{Err: &Unconfirmed{Number: s.cursor.Final, Last: last}})
	if err := s.finalise(ctx, shared); err != nil {
		return err
	}
	s.cursor.forget(s.Window)
	return nil
}

// reconcile undoes the followed blocks that left the chain. A head that is lower than what was
// followed, on the same chain, shows an endpoint that lags, and undoes nothing.
func (s *step) reconcile(ctx context.Context, head Block) (behind bool, err error) {
	began := time.Now()
	for tip := s.cursor.tip(); tip != nil; tip = s.cursor.tip() {
		if tip.Number > head.Number {
			if known := s.cursor.at(head.Number); known == nil || known.Hash == head.Hash {
				far := tip.Number > head.Number+s.client.config.MaxLag
				s.client.bell.set(far, s.Arena.Hex(), &WentBack{Endpoint: s.endpoint.name, Head: head.Number, Followed: tip.Number})
				return true, nil
			}
			s.undo(tip)
			continue
		}
		s.client.bell.set(false, s.Arena.Hex(), &WentBack{})
		now := head.Hash
		switch {
		case tip.Number+1 == head.Number: // the usual case, in which nothing more is asked
			now = head.Parent
		case tip.Number < head.Number:
			block, err := s.endpoint.at(ctx, tip.Number)
			if err != nil {
				return false, err
			}
			now = block.Hash
		}
		if now == tip.Hash {
			return false, nil
		}
		if tip.Number < s.cursor.Final {
			if err := s.client.vouch(ctx, s.endpoint, s.other, &tip.Block); err != nil {
				return false, err
			}
		}
		if s.undo(tip); len(s.cursor.Blocks) == 0 && s.cursor.Base > s.From && s.cursor.Base < s.cursor.Final {
			return false, s.deepReorg(&DeepReorg{Number: s.cursor.Base, Forgotten: true})
		}
		if s.cursor.next() >= s.cursor.Final && time.Since(began) >= mostHaste {
			s.reach.Behind = true // the next step goes on
			return true, nil
		}
	}
	return false, nil
}

// undo takes the newest followed block back.
func (s *step) undo(tip *followed) {
	s.news = append(s.news, news{Undone, tip})
	s.cursor.Blocks = s.cursor.Blocks[:len(s.cursor.Blocks)-1]
}

// deepReorg raises an alarm each time: one such reorganisation is not a state that ends, and the
// next is news.
func (s *step) deepReorg(fault *DeepReorg) error {
	s.client.bell.ring(Alarm{About: s.Arena.Hex(), Fault: fault, Once: true})
	return fault
}

// errSlow says that what happens is seen late.
var errSlow = errors.New("more happens than is read: the endpoint takes long for each answer, or tells little at once")

// slow reports whether a step took longer for the blocks from first on than so long for maxBlocks.
func (s *step) slow(first uint64, than time.Duration) bool {
	blocks := time.Duration(s.cursor.next()) - time.Duration(first) //nolint:gosec // few
	return time.Since(s.began)*maxBlocks > than*blocks
}

// late reports whether a step has taken so long that what can wait is the next one's.
func (s *step) late() bool { return time.Since(s.began) >= mostHaste }

// advance follows the next blocks one by one, up to the last: maxBlocks of them, or more in a step
// that others keep waiting, for as long as it takes little time itself.
func (s *step) advance(ctx context.Context, last uint64) error {
	began, first, size := time.Now(), s.cursor.next(), 0
	end := last
	if !s.late() {
		end = min(last, first+maxBlocks-1)
	}
	for s.cursor.next() <= end && size < maxSeen && time.Since(began) < mostHaste {
		more, err := s.follow(ctx, end)
		if err != nil && size == 0 { // else it is the next step's
			return err
		}
		if more == 0 {
			break
		}
		size += more
	}
	if s.cursor.next() > first {
		s.reach.Behind = s.cursor.next() <= last
	}
	return nil
}

// follow follows as many blocks as the endpoint tells at once, and returns what they take in
// memory.
func (s *step) follow(ctx context.Context, last uint64) (size int, err error) {
	next := s.cursor.next()
	blocks := []Block{s.reach.Head}
	if next < s.reach.Head.Number {
		if blocks, err = s.endpoint.blocks(ctx, next, min(last, next+maxBlocks-1)); err != nil {
			return 0, err
		}
	}
	if tip := s.cursor.tip(); len(blocks) == 0 || tip != nil && blocks[0].Parent != tip.Hash {
		// it lags, or the tip left the chain since reconcile looked: the other one is asked, if it
		// has a say, or else the next call tells
		if s.other != nil {
			return 0, ErrUnknownBlock
		}
		return 0, nil
	}
	told, err := s.endpoint.logsOf(ctx, s.source(), blocks)
	if err != nil {
		return 0, err
	}
	for i, logs := range told {
		block := &followed{Block: blocks[i], Logs: entries(logs), Digest: digest(logs), By: s.endpoint.id}
		s.cursor.Blocks = append(s.cursor.Blocks, block)
		s.news = append(s.news, news{Seen, block})
		size += entrySize
		for i := range logs {
			size += entrySize + len(logs[i].Topics)*common.HashLength + len(logs[i].Data)
		}
		if size >= maxSeen {
			break
		}
	}
	return size, nil
}

// finalise tells the events of the blocks that are deep enough below a block that both endpoints
// have, as far as both tell the same. Where that takes long the rest is for the next step: what
// only one of them shows is seen meanwhile.
func (s *step) finalise(ctx context.Context, shared Block) error {
	for began := time.Now(); time.Since(began) < mostHaste; {
		var ripe []*followed
		for block := s.cursor.at(s.cursor.Final); block != nil && final(block.Number, shared.Number, s.Confirmations) && len(ripe) < maxBlocks; block = s.cursor.at(block.Number + 1) {
			if len(ripe) > 0 && block.By != ripe[0].By {
				break
			}
			ripe = append(ripe, block)
		}
		if len(ripe) == 0 {
			return nil
		}
		agreed, err := s.compare(ctx, ripe)
		if err != nil && !s.compared { // else it is the next step's
			return err
		}
		for _, block := range ripe[:agreed] {
			s.news = append(s.news, news{Final, block})
		}
		s.cursor.Final += uint64(agreed)
		if agreed == 0 {
			break
		}
		s.compared = true
	}
	return nil
}

// compare returns how many blocks, from the first on, of some that one endpoint told, another one
// tells as well. Blocks that this endpoint told are compared with the second one; those that
// another one told, while this one was down, with this one.
func (s *step) compare(ctx context.Context, blocks []*followed) (agreed int, err error) {
	if blocks[0].By == s.endpoint.id {
		if agreed = s.client.witness(ctx, s.endpoint, s.other, s.source(), blocks); agreed == 0 {
			s.again(ctx, blocks[0].Block)
		}
		return agreed, nil
	}
	agreed, fault, err := s.endpoint.confirm(ctx, s.source(), blocks)
	if tooMuch(err) {
		return 0, nil // it doesn't know them all yet
	}
	if fault != nil {
		s.undoFrom(fault.Number)
	}
	return agreed, err
}

// again asks once more for the logs of a block about which the other endpoint says other things. If
// they are others now, they are read anew: else a log that was left out once would never be told,
// and a contradiction would stand though both agree.
func (s *step) again(ctx context.Context, block Block) {
	now, err := s.endpoint.logsOf(ctx, s.source(), []Block{block})
	if err == nil && digest(now[0]) != s.cursor.at(block.Number).Digest {
		s.undoFrom(block.Number)
	}
}

// undoFrom takes a followed block back, and all after it, to be followed anew by the next call.
func (s *step) undoFrom(number uint64) {
	for tip := s.cursor.tip(); tip != nil && tip.Number >= number; tip = s.cursor.tip() {
		s.undo(tip)
	}
	s.reach.Behind = true
}

// catchUp tells a range of blocks that lie deeper than the window: they are seen and final at once,
// and not remembered. What is remembered of earlier blocks becomes final first. It is not done
// while the other endpoint contradicts that, or what comes next, or refuses it: then the blocks are
// followed one by one, since what only one shows is seen all the same.
func (s *step) catchUp(ctx context.Context, shared Block) (done bool, err error) {
	if err := s.finalise(ctx, shared); err != nil {
		return false, err
	}
	first := s.cursor.next()
	if s.cursor.Final < first { // the remembered blocks must not be forgotten
		return false, nil
	}
	most := s.MaxRange
	if s.other != nil {
		most = s.other.ranges.of(most)
	}
	logs, last, err := s.endpoint.logsIn(ctx, s.source(), first, min(first+most-1, shared.Number-s.Window))
	if err != nil {
		return false, err
	}
	end := s.client.witnessRange(ctx, s.endpoint, s.other, s.source(), first, last, logs)
	if end == first {
		return false, nil
	}
	logs = until(logs, end)
	for len(logs) > 0 {
		if logs[0].BlockNumber > first && s.late() {
			end = logs[0].BlockNumber
			break
		}
		block, err := s.endpoint.at(ctx, logs[0].BlockNumber)
		if err != nil {
			return false, err
		}
		n := 0
		for ; n < len(logs) && logs[n].BlockNumber == block.Number; n++ {
			if logs[n].BlockHash != block.Hash {
				return false, &Lying{Endpoint: s.endpoint.name, Number: block.Number, What: "the logs it tells are of another block"}
			}
		}
		told := &followed{Block: block, Logs: entries(logs[:n])}
		s.news = append(s.news, news{Seen, told}, news{Final, told})
		logs = logs[n:]
	}
	s.cursor.Base, s.cursor.Final, s.cursor.Blocks = end, end, nil
	s.reach.Behind = true
	return true, nil
}
