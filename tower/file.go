package tower

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/ante-games/ante/chain"
	"github.com/ante-games/ante/disputes"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/onchain"
	"github.com/ante-games/ante/store"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/rlp"
)

// Where things are in the store.
const (
	cursorKey     = "cursor"
	logPrefix     = "log/"     // what the chain said of a channel
	hotPrefix     = "hot/"     // channels of which it said more than that they were opened
	holdingPrefix = "holding/" // what is held for a seat
	proofPrefix   = "proof/"   // the evidence itself
	paidPrefix    = "paid/"    // what is paid out for good, by until when it is kept, in the Arena's clock
)

// file is what the chain says of a channel that is open.
type file struct {
	id     common.Hash
	terms  protocol.Terms
	open   bool // the opening is final
	events []logged
}

// logged is one event of a channel.
type logged struct {
	onchain.Event
	block uint64
	final bool
	ours  bool // the tower's own transaction brought it about
}

// logRecord is a log as it is stored. Its place is in the key.
type logRecord struct {
	Topics []common.Hash
	Data   []byte
	Final  bool
	Ours   bool `rlp:"optional"` // the tower's own transaction brought it about
}

func logsOf(id common.Hash) string { return logPrefix + id.Hex() + "/" }

// openings begins the place of what opened a channel: before all else, because matches may be
// recorded before an opening that a reorganisation took back is mined again.
const openings = "0000000000000000/"

// logKey names a log by its place, so that logs sort in the order in which they happened.
func logKey(id common.Hash, e *chain.Event) string {
	place := fmt.Sprintf("%016x/%08x/%s", e.Block.Number, e.Log.Index, e.Block.Hash.Hex())
	if _, opens := e.Event.(onchain.Opened); opens {
		place = openings + place
	}
	return logsOf(id) + place
}

// happened stores the consequences of one event, once at each stage. It fails only when the store
// does. It passes over what the store cannot take, because the follower repeats an event until it
// is handled, even a false one.
func (t *Tower) happened(e *chain.Event) error {
	id, _ := onchain.Of(e.Event)
	defer t.lock(id)()
	key := logKey(id, e)
	stored, err := t.config.Store.Get(key)
	if err != nil {
		return err
	}
	_, opens := e.Event.(onchain.Opened)
	ours, err := t.drive.Sender.Sent(e.Log.TxHash)
	if err != nil {
		return err
	}
	record := logRecord{Topics: e.Log.Topics, Data: e.Log.Data, Final: e.Stage == chain.Final, Ours: ours}
	value, err := rlp.EncodeToBytes(&record)
	if err != nil {
		return err
	}
	changes := map[string][]byte{key: value}
	switch {
	case e.Stage == chain.Seen && stored == nil:
		if !opens {
			if known, err := t.opening(id); err != nil || known == nil {
				return err // it was paid out, and is forgotten
			}
			changes[hotPrefix+id.Hex()] = []byte{1}
		}
	case e.Stage == chain.Undone && opens && stored != nil && t.knows(id):
		// its terms are still those by which the Arena judges what is held
	case e.Stage == chain.Undone && stored != nil:
		changes[key] = nil
	case e.Stage == chain.Final && stored != nil && (pays(e.Event) || !bytes.Equal(stored, value)):
		// a crash may have left a file open
	default:
		return nil
	}
	err = t.config.Store.Commit(changes)
	if errors.Is(err, store.ErrTooLarge) {
		t.config.Log.Error("the endpoint tells more of a channel than can be stored; this is passed over", "channel", id, "block", e.Block.Number, "error", err)
		return nil
	}
	if err != nil {
		return err
	}
	switch {
	case e.Stage == chain.Final && pays(e.Event):
		return t.closeFile(id, t.drive.Arena.TimeOf(e.Block))
	case e.Stage != chain.Final && !opens:
		t.disturb(id, e, ours)
	case e.Stage == chain.Final:
		t.mu.Lock()
		c := t.disputes[id]
		t.mu.Unlock()
		if c != nil && c.settled != nil {
			c.settled.Happened(e.Block.Number, e.Event)
		}
	}
	return nil
}

// pays reports whether an event may be the last that there is to say of a channel.
func pays(e onchain.Event) bool {
	switch e.(type) {
	case onchain.Closed, onchain.Settled, onchain.LockPaid:
		return true
	}
	return false
}

// opening returns what opened a channel, nil if it was not opened or is paid out. Its cost does not
// depend on later logs, so that messages that anybody can send need no more. The caller holds the
// channel's lock.
func (t *Tower) opening(id common.Hash) (*file, error) { return t.read(id, openings) }

// file returns all that the chain says of a channel, nil if it was not opened or is paid out. The
// caller holds its lock.
func (t *Tower) file(id common.Hash) (*file, error) { return t.read(id, "") }

// read reads those of a channel's events whose places begin with something, in the order in which
// they happened.
func (t *Tower) read(id common.Hash, part string) (*file, error) {
	var f *file
	prefix := logsOf(id)
	err := t.config.Store.Scan(prefix+part, "", func(key string, value []byte) error {
		var r logRecord
		if err := rlp.DecodeBytes(value, &r); err != nil {
			return fmt.Errorf("read %s: %w", key, err)
		}
		e, err := t.drive.Codec.Decode(types.Log{Topics: r.Topics, Data: r.Data})
		if err != nil {
			return fmt.Errorf("read %s: %w", key, err)
		}
		block, err := blockOf(strings.TrimPrefix(key, prefix))
		if err != nil {
			return fmt.Errorf("read %s: %w", key, err)
		}
		opened, opens := e.(onchain.Opened)
		switch {
		case opens && f != nil: // it was mined again
			f.open = f.open || r.Final
			return nil
		case opens:
			f = &file{id: id, terms: opened.Terms, open: r.Final}
		}
		if f != nil {
			f.events = append(f.events, logged{e, block, r.Final, r.Ours})
		}
		return nil
	})
	return f, err
}

func blockOf(place string) (uint64, error) {
	number, _, _ := strings.Cut(place, "/")
	b := common.FromHex(number)
	if len(b) != 8 {
		return 0, fmt.Errorf("%q is no block number", number)
	}
	return binary.BigEndian.Uint64(b), nil
}

// settled returns what is final of a channel: one endpoint may have invented the rest, and what is
// held for a seat is not ranked anew when that turns out to be false. What there is to read is read
// once, and not for every piece of evidence. The caller holds the channel's lock.
func (t *Tower) settled(id common.Hash) (*disputes.View, error) {
	hot, err := t.config.Store.Get(hotPrefix + id.Hex())
	if err != nil || hot == nil {
		return new(disputes.View), err // it was opened, and no more
	}
	c := t.dispute(id)
	if c.settled != nil {
		return c.settled, nil
	}
	f, err := t.file(id)
	if err != nil || f == nil {
		return new(disputes.View), err
	}
	c.settled = new(disputes.View)
	for _, e := range f.events {
		if e.final {
			e.tell(c.settled)
		}
	}
	return c.settled, nil
}

// listener hears the chain's logs of a channel, and whether the tower's own transactions caused
// them.
type listener interface {
	Happened(block uint64, ev onchain.Event)
	Answered(block uint64, ev onchain.Event)
}

func (f *file) tell(to listener) {
	for _, e := range f.events {
		e.tell(to)
	}
}

func (e *logged) tell(to listener) {
	if e.ours {
		to.Answered(e.block, e.Event)
	} else {
		to.Happened(e.block, e.Event)
	}
}

// paid reports whether all of the channel is paid out for good.
func (f *file) paid() bool {
	var posted *protocol.Ledger
	settled, paid := false, map[common.Hash]bool{}
	for _, e := range f.events {
		if !e.final {
			continue
		}
		switch e := e.Event.(type) {
		case onchain.Closed:
			return true
		case onchain.Contested:
			posted = &e.Ledger.Ledger
		case onchain.Settled:
			settled = posted != nil
		case onchain.LockPaid:
			paid[e.MatchID] = true
		}
	}
	return settled && !slices.ContainsFunc(posted.Locks, func(l protocol.Lock) bool { return !paid[l.MatchID] })
}

// closeFile notes that a channel is paid out for good, by what happened at a time. Where something
// is held for a seat, that and all that the chain says stay for a window, but for no longer than of
// a silent seat: a reorganisation may undo even what is final. The caller holds its lock.
func (t *Tower) closeFile(id common.Hash, at uint64) error {
	f, err := t.file(id)
	if err != nil || f == nil || !f.paid() {
		return err
	}
	if !t.knows(id) {
		return t.forget(id)
	}
	until := at + min(f.terms.Window, t.config.Limits.keep(t.drive.Arena.Clock()))
	return t.config.Store.Commit(map[string][]byte{paidKey(until, id): {1}})
}

func paidKey(until uint64, id common.Hash) string {
	return fmt.Sprintf("%s%016x/%s", paidPrefix, until, id.Hex())
}

// mostCleared is how many channels are dropped at a block. Each takes a write to the disk, and what
// the chain says next waits for it.
const mostCleared = 64

// clear drops the channels that were paid out for good a window ago, and while there is no room for
// another seat those that come next.
func (t *Tower) clear(now uint64) error {
	n := 0
	return t.config.Store.Scan(paidPrefix, "", func(key string, _ []byte) error {
		until, id, _ := strings.Cut(strings.TrimPrefix(key, paidPrefix), "/")
		if n++; n > mostCleared || !t.full() && fmt.Sprintf("%016x", now) < until {
			return store.ErrStop
		}
		return t.clearFile(common.HexToHash(id), key)
	})
}

// full reports whether there is no room for another seat.
func (t *Tower) full() bool {
	l, c := &t.config.Limits, t.Counts()
	return c.Seats >= l.Seats || c.Bytes+l.Bytes > l.Disk
}

func (t *Tower) clearFile(id common.Hash, mark string) error {
	defer t.lock(id)()
	f, err := t.file(id)
	if err != nil {
		return err
	}
	if f != nil && !f.paid() {
		return t.config.Store.Commit(map[string][]byte{mark: nil})
	}
	return t.forget(id, mark)
}

// forget drops a channel, and a mark of it. The caller holds its lock.
func (t *Tower) forget(id common.Hash, mark ...string) error {
	t.mu.Lock()
	delete(t.disputes, id)
	t.mu.Unlock()
	return t.drop(id, append([]string{hotPrefix + id.Hex(), holdingPrefix + id.Hex(), proofPrefix + id.Hex(), logsOf(id)}, mark...)...)
}

// mostDropped is how many keys are deleted at once. All that seats gave of a channel is fewer, and
// its opening comes next: what a crash leaves of its logs is of no channel.
const mostDropped = 1 << 14

// drop deletes everything of a channel under some prefixes. The caller holds its lock.
func (t *Tower) drop(id common.Hash, prefixes ...string) error {
	var keys []string
	var seats []common.Address
	bytes := 0
	for _, prefix := range prefixes {
		err := t.config.Store.Scan(prefix, "", func(key string, value []byte) error {
			if strings.HasPrefix(key, holdingPrefix) {
				h, err := readHolding(value)
				if err != nil {
					return fmt.Errorf("read %s: %w", key, err)
				}
				seats, bytes = append(seats, h.Account), bytes+h.Bytes
			}
			keys = append(keys, key)
			return nil
		})
		if err != nil {
			return err
		}
	}
	for part := range slices.Chunk(keys, mostDropped) {
		changes := map[string][]byte{}
		for _, key := range part {
			changes[key] = nil
		}
		if err := t.config.Store.Commit(changes); err != nil {
			return err
		}
	}
	for _, account := range seats {
		t.seat(account, common.Address{})
	}
	t.count(-len(seats), -bytes)
	t.config.Log.Info("dropped", "channel", id, "seats", len(seats))
	return nil
}
