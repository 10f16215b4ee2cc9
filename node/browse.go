package node

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/ante-games/ante/node/lobby"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/matchmaking"
	"github.com/ante-games/ante/protocol/message"
	"github.com/ethereum/go-ethereum/common"
)

const (
	// browsing is how long the answers of other nodes are waited for.
	browsing = 3 * time.Second
	// maxFound caps the invites that one look round brings back; maxPages what one node may tell.
	maxFound = 1024
	maxPages = maxFound / message.MaxPage
)

// Filter says which invites to look for.
type Filter struct {
	Rules common.Address  // of this game; zero: of any
	Asset *common.Address // for stakes of this asset; nil: of any
}

// fits reports whether an invite matches the filter: a peer may answer anything.
func (f *Filter) fits(i *matchmaking.Invite) bool {
	return (f.Rules == common.Address{} || f.Rules == i.Rules) && (f.Asset == nil || *f.Asset == i.Asset)
}

// browser sees what other nodes invite to, on this node's own board and on theirs.
type browser struct {
	*core
	board *lobby.Board

	mu       sync.Mutex
	looks    map[uint64]*look
	lastLook uint64
}

func newBrowser(c *core) *browser { return &browser{core: c, looks: map[uint64]*look{}} }

// look is one look round: what was asked of whom, and what has come back.
type look struct {
	filter  Filter
	waiting map[common.Address]int // pages that a node may still send
	found   map[common.Hash]matchmaking.SignedInvite
	done    chan struct{} // closed when nobody is waited for any more
}

// Browse asks the nodes that this one is connected to, lobbies among them, which invites they show,
// and returns those that this player may join, by id. What is not signed by its player, has expired
// or is for others is left out. It waits a few seconds at most for nodes that do not answer.
func (n *browser) Browse(ctx context.Context, f Filter) ([]matchmaking.SignedInvite, error) {
	l := &look{filter: f, waiting: map[common.Address]int{}, found: map[common.Hash]matchmaking.SignedInvite{}, done: make(chan struct{})}
	var asked []common.Address
	for _, p := range n.net.Peers() {
		if p.Connected {
			asked = append(asked, p.Account)
			l.waiting[p.Account] = maxPages
		}
	}
	n.lookHere(l)
	query := n.begin(l)
	defer n.finish(query)
	for _, account := range asked {
		if err := n.send(account, message.ListInvites{Query: query, Rules: f.Rules, Asset: f.Asset}); err != nil {
			n.heard(l, account)
		}
	}
	if len(asked) > 0 {
		patience, cancel := context.WithTimeout(ctx, browsing)
		defer cancel()
		select {
		case <-l.done:
		case <-patience.Done():
		case <-n.run.Done():
			return nil, ErrClosed
		}
	}
	return n.finish(query), ctx.Err()
}

// receiveQuery answers who asks what this node shows.
func (n *browser) receiveQuery(from common.Address, m message.ListInvites) error {
	if err := n.charge(n.budgets.queries, from, 1); err != nil {
		return err
	}
	return n.send(from, n.board.Page(from, m, uint64(n.config.Now().Unix())))
}

// lookHere finds what others post on this node's own board.
func (n *browser) lookHere(l *look) {
	q := message.ListInvites{Rules: l.filter.Rules, Asset: l.filter.Asset}
	for {
		page := n.board.Page(n.Account(), q, uint64(n.config.Now().Unix()))
		for _, i := range page.Invites {
			q.After = i.ID(n.domain)
			l.found[q.After] = i
		}
		if !page.More {
			return
		}
	}
}

func (n *browser) begin(l *look) (query uint64) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.lastLook++
	n.looks[n.lastLook] = l
	return n.lastLook
}

// finish ends a look round, and returns what was found.
func (n *browser) finish(query uint64) []matchmaking.SignedInvite {
	n.mu.Lock()
	defer n.mu.Unlock()
	l := n.looks[query]
	if l == nil {
		return nil
	}
	delete(n.looks, query)
	return slices.SortedFunc(maps.Values(l.found), func(a, b matchmaking.SignedInvite) int {
		x, y := a.ID(n.domain), b.ID(n.domain)
		return x.Cmp(y)
	})
}

// heard notes that a node has said all that it will.
func (n *browser) heard(l *look, account common.Address) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.heardLocked(l, account)
}

func (n *browser) heardLocked(l *look, account common.Address) {
	if _, ok := l.waiting[account]; !ok {
		return
	}
	delete(l.waiting, account)
	if len(l.waiting) == 0 {
		close(l.done)
	}
}

// turnPage returns the search that a node's page answers, and counts the page. It fails when nobody
// waits for it.
func (n *browser) turnPage(from common.Address, query uint64) (*look, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	l := n.looks[query]
	if l == nil || l.waiting[from] == 0 {
		return nil, fmt.Errorf("%w: invites that nobody asked %s for", ErrDeclined, from)
	}
	l.waiting[from]--
	return l, nil
}

// goodOf returns the invites of a page that this player may join, and why it drops another.
func (n *browser) goodOf(from common.Address, l *look, invites []matchmaking.SignedInvite) (good []matchmaking.SignedInvite, bad error) {
	a, err := n.checkedFor(n.who(from), len(invites))
	if err != nil {
		return nil, err
	}
	for k := range invites {
		if !l.filter.fits(&invites[k].Invite) {
			continue
		}
		if err := n.mayJoin(&invites[k], a); err != nil {
			bad = err
			continue
		}
		good = append(good, invites[k])
	}
	return good, bad
}

// receivePage takes a page of a node's invites, and asks for the next. It keeps only invites that
// their players signed.
func (n *browser) receivePage(from common.Address, m message.InvitePage) error {
	l, err := n.turnPage(from, m.Query)
	if err != nil {
		return err
	}
	good, bad := n.goodOf(from, l, m.Invites)
	n.mu.Lock()
	for k := range good {
		if len(l.found) < maxFound {
			l.found[good[k].ID(n.domain)] = good[k]
		}
	}
	more := m.More && len(m.Invites) > 0 && l.waiting[from] > 0
	if !more {
		n.heardLocked(l, from)
	}
	n.mu.Unlock()
	if !more {
		return bad
	}
	return n.send(from, message.ListInvites{Query: m.Query, Rules: l.filter.Rules, Asset: l.filter.Asset, After: m.Invites[len(m.Invites)-1].ID(n.domain)})
}

// mayJoin checks an invite that another node showed.
func (n *browser) mayJoin(s *matchmaking.SignedInvite, a protocol.Authority) error {
	now := uint64(n.config.Now().Unix())
	if now >= s.Expiry {
		return fmt.Errorf("%w: it expired", ErrUnknownInvite)
	}
	if s.Expiry-now > lobby.Life+lobby.Skew { // a bid for it holds until then
		return fmt.Errorf("%w: it expires in more than a week", ErrUnknownInvite)
	}
	if !s.Invites(n.Account()) {
		return fmt.Errorf("%w: it is not for you", ErrUnknownInvite)
	}
	return s.Verify(a)
}
