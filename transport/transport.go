package transport

import (
	"time"

	"github.com/ethereum/go-ethereum/common"

	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"github.com/ante-games/ante/protocol"
)

// Handler is what a transport tells its node. For one account the calls come one after the other,
// in this order: any number of Connected and Receive, beginning with a Connected, then one
// Disconnected, and again. Calls about different accounts come at the same time. A call may block:
// it delays that account's messages and nobody else's. It may call every method of the transport
// except Close. After Close no call comes, and Close waits for those that are running.
type Handler interface {
	// Connected says that there is a new stream with an account that has proved itself. Whatever
	// was sent before may be lost, so the node should Sync. When the peer connects again, Connected
	// comes again without a Disconnected.
	Connected(account common.Address)

	// Receive takes a message. It is well-formed protobuf of the schema and has a body; nothing
	// else is checked. The handler may keep it.
	Receive(from common.Address, env *antev1.Envelope)

	// Disconnected says that the last stream with the account is gone, and why. An account that is
	// kept is reconnected.
	Disconnected(account common.Address, why error)
}

// Envoy is a Handler for players whose keys are elsewhere: the transport signs with a deputy's key,
// and accepts the deputies of peers whose accounts are contract wallets. Both methods are called
// during every handshake.
type Envoy interface {
	// Deputy returns the appointment of the key that the transport signs with; nil: that key is the
	// account's own.
	Deputy() *protocol.SignedDeputy
	// Wallet says whether a contract wallet takes a signature: see protocol.Wallets. Who claims it
	// comes from a group of network addresses, see budget.Group.
	Wallet(group string, account common.Address, digest common.Hash, signature []byte) error
}

// Witness is a Handler that wants to know when another program uses the transport's key.
type Witness interface {
	// Copied says that another program signed with the transport's key since the transport started.
	// A signature proves it; via is the account of the peer that showed it, or the transport's own
	// if that program connected itself. It may be called often, and concurrently with other calls.
	Copied(via common.Address)
}

// RelayWatcher is a Handler that wants to know when those whom the transport can't dial don't reach
// it.
type RelayWatcher interface {
	// Relayed says that no relay passes them on (ErrNoRelay), or that one does again or none is
	// needed any more (nil). Calls don't overlap.
	Relayed(err error)
}

// Befriender is a Handler that knows which accounts are no strangers, kept or not: they have their
// own budgets and places, and when they are gone others don't keep them from being dialled.
type Befriender interface {
	// Befriended reports whether an account is no stranger. It is called before each of its
	// messages, before it is dialled again, and whenever somebody needs a place. It must not block,
	// nor call the transport.
	Befriended(account common.Address) bool
}

// Peer is what a transport knows about one account.
type Peer struct {
	Account   common.Address
	Kept      bool     // Keep was called: reconnected, and sure of a place
	Connected bool     // there is a stream now
	Addresses []string // where it is dialled; empty: it has to dial us
	// what it says comes through a relay: no direct way was found yet
	Relayed   bool
	RoundTrip time.Duration // to it and back; 0: not measured
	Err       error         // why it isn't connected, if that is known
}
