package node

import (
	"sync"

	"github.com/ethereum/go-ethereum/common"
)

// meeting is how opponents find each other: by invites, which lobbies show, and by bids for them.
type meeting struct {
	*core
	*funds
	channels *channels
	offers   *offers
	browser  *browser

	records    records[Invite] // locked after a session's lock, never before
	unanswered reminders       // of this player's bids for others' invites
	// held while a joined invite is taken on, the chain asked included; taken before all others
	pursuing lock

	mu sync.Mutex
	// invites by name that the user was told of, and when each expires: Unix seconds
	invited map[common.Hash]uint64
	lobbies []common.Address // that are to show this player's invites
}

func newMeeting(c *core, f *funds, channels *channels, offers *offers, browser *browser) *meeting {
	return &meeting{
		core: c, funds: f, channels: channels, offers: offers, browser: browser, pursuing: newLock(),
		records: records[Invite]{base: c.base, prefix: invitePrefix, unknown: ErrUnknownInvite},
		invited: map[common.Hash]uint64{},
	}
}
