package p2p

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/libp2p/go-libp2p/core/peer"

	"github.com/ante-games/ante/transport"
	"github.com/ante-games/ante/transport/budget"
)

// places are what accounts that aren't kept hold at once, each until it is done. One peer holds the
// Account share of the limit.
type places struct {
	budget.Limit
	rest time.Duration // how long a holder has been silent before it may have to yield
}

// handshakes are the places of peers that have proved nothing yet.
func (l *Limits) handshakes() places {
	return places{rest: l.Handshake / 10, Limit: budget.Limit{Name: "p2p/handshakes", Counts: "handshakes that go on",
		Account: budget.Places(2), Group: budget.Places(max(1, l.Handshakes/4)), Total: budget.Places(l.Handshakes)}}
}

// proofLimit bounds the handshakes of peers that aren't kept: in each an account is checked, and
// ours proved. All strangers together have no share, which would be that of friends too.
var proofLimit = budget.Limit{Name: "p2p/proofs", Counts: "handshakes that begin",
	Account: budget.Rate(32, 500*time.Millisecond), Group: budget.Rate(128, 100*time.Millisecond)}

// guests are the places of accounts that are connected, not kept, and no friends.
func (l *Limits) guests() places {
	return places{rest: l.Idle / 10, Limit: budget.Limit{Name: "p2p/accounts", Counts: "connected accounts; who is silent for long yields to a newcomer",
		Account: budget.Places(1), Group: budget.Places(max(1, l.Strangers/8)), Total: budget.Places(l.Strangers),
		Friend: budget.Places(1), Friends: budget.Places(l.inbound() * 3 / 4)}}
}

// friends are the places of accounts that are connected, not kept, and friends: as those of
// strangers, but more of them.
func (l *Limits) friends() places {
	p := l.guests()
	p.Group, p.Total = budget.Places(max(1, p.Friends.Burst/8)), p.Friends
	return p
}

// Budgets lists what strangers may use, with these limits.
func (l Limits) Budgets() []budget.Limit {
	l = l.withDefaults()
	return []budget.Limit{l.entering(), l.handshakes().Limit, proofLimit, l.guests().Limit, arrivalLimit, l.reading(), logLimit, streamLimit, l.reservations(), l.circuits(), punchLimit, questionLimit}
}

// holder is a stranger that holds a place.
type holder struct {
	session *session
	group   string // of its network address, see budget.Group
	peer    peer.ID
	silent  time.Duration // since its last sign of life
}

// ofGroup returns the share of a group. Strangers who come through one relay leave half of its ways
// to others.
func (p *places) ofGroup(group string) int {
	if strings.HasPrefix(group, relayGroup) {
		return min(p.Group.Burst, circuitsPerPeer/2)
	}
	return p.Group.Burst
}

// room finds a place for one more stranger. Where the peer, its address group or all strangers
// together hold as many as they may, the holder among them that has been silent for longest yields:
// of all strangers, one of the address group that holds most. yields is nil when there is room
// anyway. If nobody has been silent for long, it fails with ErrNoRoom.
func (p *places) room(held []holder, group string, from peer.ID) (yields *session, err error) {
	groups := map[string]int{group: 1}
	peers := 1
	for i := range held {
		groups[held[i].group]++
		if held[i].peer == from {
			peers++
		}
	}
	var may func(*holder) bool
	switch {
	case peers > p.Account.Burst:
		may = func(h *holder) bool { return h.peer == from }
	case group != "" && groups[group] > p.ofGroup(group):
		may = func(h *holder) bool { return h.group == group }
	case len(held) >= p.Total.Burst:
		may = crowd(groups)
	default:
		return nil, nil
	}
	oldest := p.oldest(held, may)
	if oldest < 0 {
		return nil, fmt.Errorf("%w: %d places of strangers are taken", transport.ErrNoRoom, len(held))
	}
	return held[oldest].session, nil
}

// crowd tells who is of an address group that holds most.
func crowd(groups map[string]int) func(*holder) bool {
	most := slices.Max(slices.Collect(maps.Values(groups)))
	return func(h *holder) bool { return groups[h.group] == most }
}

// oldest returns the holder that has been silent for longest, of those who may yield; -1: none has
// been for long.
func (p *places) oldest(held []holder, may func(*holder) bool) int {
	oldest := -1
	for i := range held {
		if h := &held[i]; may(h) && h.silent >= p.rest && (oldest < 0 || h.silent > held[oldest].silent) {
			oldest = i
		}
	}
	return oldest
}
