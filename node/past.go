package node

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"strings"

	"github.com/ante-games/ante/chain"
	"github.com/ante-games/ante/protocol/message"
	"github.com/ante-games/ante/store"
	"github.com/ethereum/go-ethereum/common"
)

// ErrEnded says that a channel is paid out for good, so that there is nothing left to do in it.
var ErrEnded = errors.New("the channel is closed and paid out")

const (
	endedPrefix = "ended/" // by channel id: what there is to say of a channel that is over
	pastPrefix  = "past/"  // what the store held of it under channelPrefix
)

// mostCopied is how many bytes of a channel are copied in one commit. How much the Arena said of it
// is for its seats to say.
const mostCopied = 4 << 20

// ending is a channel that is over.
type ending struct {
	Channel
	Ended int64 // when it was let go: Unix seconds, by this computer's clock
}

// letGo removes a channel that is paid out for good from memory. The store keeps its records where
// a start does not read them. If the process stops before all are there, the next one repeats this.
func (n *channels) letGo(s *session) error {
	s.disputeLock.Lock()
	defer s.disputeLock.Unlock()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.gone {
		return nil
	}
	info, err := json.Marshal(ending{s.describeChannel(), n.config.Now().Unix()})
	if err != nil {
		return fmt.Errorf("encode channel %s: %w", s.id, err)
	}
	past := pastPrefix + strings.TrimPrefix(s.prefix(), channelPrefix)
	if err := store.Clear(n.config.Store, past); err != nil { // what revive left
		return fmt.Errorf("%w: %w", ErrStore, err)
	}
	// a start takes up what has terms
	err = n.copyRecords(s.id, channelPrefix, pastPrefix, map[string][]byte{endedPrefix + s.id.Hex(): info, s.prefix() + foundingSuffix: nil})
	if err != nil {
		return err
	}
	s.gone, s.todo = true, nil
	n.over.Add(1)
	n.dismiss(s)
	n.partFrom(s.others())
	if err := store.Clear(n.config.Store, s.prefix()); err != nil {
		// no alarm, which nothing would end: nobody looks at the channel again
		n.config.Log.Warn("what the store held of a channel that is over is left until it is forgotten", "channel", s.id, "error", err)
	}
	return nil
}

// copyRecords copies what the store holds of a channel under one prefix to another, with the last
// commit other changes.
func (n *channels) copyRecords(id common.Hash, from, to string, with map[string][]byte) error {
	copies, size := map[string][]byte{}, 0
	err := n.config.Store.Scan(from+id.Hex()+"/", "", func(key string, value []byte) error {
		if size += len(key) + len(value); size > mostCopied {
			if err := n.config.Store.Commit(copies); err != nil {
				return err
			}
			copies, size = map[string][]byte{}, len(key)+len(value)
		}
		copies[to+strings.TrimPrefix(key, from)] = value
		return nil
	})
	if err == nil {
		maps.Copy(copies, with)
		err = n.config.Store.Commit(copies)
	}
	if err != nil {
		return fmt.Errorf("%w: %w", ErrStore, err)
	}
	return nil
}

// revive takes up a channel again that was let go, when a reorganisation deeper than the
// confirmations takes back what the chain said of it: somebody may have it paid out otherwise now.
// It returns nil where that was never final.
func (n *channels) revive(id common.Hash, undone *chain.Event) (*session, error) {
	c, err := n.pastChannel(id)
	if err != nil || c == nil {
		return nil, err
	}
	s := &member{node: n, id: id, terms: c.Terms, seat: c.Seat}
	past := pastPrefix + strings.TrimPrefix(s.prefix(), channelPrefix)
	said, err := stored[notedLog](n.config.Store, pastPrefix+strings.TrimPrefix(s.logKey(undone), channelPrefix))
	if err != nil || said == nil || !said.Final {
		return nil, err
	}
	founded, err := stored[founding](n.config.Store, past+foundingSuffix)
	if err != nil || founded == nil {
		return nil, err
	}
	restored, err := store.Restored(n.config.Store)
	if err != nil {
		return nil, err
	}
	if err := n.copyRecords(id, pastPrefix, channelPrefix, nil); err != nil {
		return nil, err
	}
	live, told, err := n.loadSession(founded, restored)
	if err == nil {
		err = n.config.Store.Commit(map[string][]byte{endedPrefix + id.Hex(): nil})
	}
	if err != nil {
		return nil, err // the follower asks again
	}
	return live, errors.Join(n.takeUp(live, told), store.Clear(n.config.Store, past))
}

// endings visits the channels that are over, and reports whether all can be read. If some can't, an
// alarm says so.
func (n *base) endings(visit func(e ending)) (whole bool, err error) {
	err = allStored(n.config.Store, endedPrefix, func(_ string, e ending) { visit(e) })
	if errors.Is(err, errUnreadable) {
		n.Warn(endedPrefix, fmt.Sprintf("not all channels that are over can be read, on which no open channel depends: %v", err))
		return false, nil
	}
	return true, err
}

// pastChannel returns a channel that was let go, nil if there is no such.
func (n *channels) pastChannel(id common.Hash) (*Channel, error) {
	return stored[Channel](n.config.Store, endedPrefix+id.Hex())
}

// late handles a peer's message in a channel that is over: it takes signatures of results and
// ignores the rest, because the chain tells the peer.
func (n *channels) late(from common.Address, id common.Hash, m message.Message) error {
	result, ok := m.(message.ResultSignature)
	if !ok {
		n.config.Log.Debug("message passed over, its channel is paid out", "peer", from, "channel", id)
		return nil
	}
	mb, err := n.member(id)
	if err != nil {
		return err
	}
	seat, err := mb.seatOf(from)
	if err != nil {
		return err
	}
	if err := n.charge(n.budgets.signatures, from, 1); err != nil {
		return err
	}
	return mb.receiveResult(seat, result)
}

// member returns this node's place in a channel, which may be over.
func (n *channels) member(id common.Hash) (member, error) {
	s, err := n.session(id)
	if err == nil {
		return s.member, nil
	}
	if !errors.Is(err, ErrEnded) {
		return member{}, err
	}
	c, err := n.pastChannel(id)
	if err != nil {
		return member{}, err
	}
	return member{node: n, id: id, terms: c.Terms, seat: c.Seat}, nil
}
