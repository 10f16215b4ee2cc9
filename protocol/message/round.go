package message

import (
	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/encoding"
	"github.com/ante-games/ante/protocol/matchmaking"
	"github.com/ethereum/go-ethereum/common"
)

// Messages of organised rounds. They belong to no channel.
type (
	// RoundQuery asks a house for the rounds that players may register for.
	RoundQuery struct{}
	// RoundEnd follows the notices that answer a RoundQuery.
	RoundEnd struct{}
	// RoundJoin registers its sender.
	RoundJoin struct {
		RoundID   common.Hash
		Entry     matchmaking.Registration
		Addresses []string // where the sender can be reached
	}
	// RoundNotice is how a round stands.
	RoundNotice struct {
		Round     matchmaking.Round
		Signature protocol.Signature // by the house, of the round's id
		Entries   []matchmaking.Registration
		Seal      protocol.Signature // by the house, of SealDigest; zero while players register
		Refusal   string             // why the receiver's registration is not taken
		Peers     []Peer             // where those whom the receiver plays with can be reached
	}
	// Peer is where an account can be reached.
	Peer struct {
		Account   common.Address
		Addresses []string
	}
)

// MaxPeerAddresses is the most addresses of one peer.
const MaxPeerAddresses = 16

func (RoundQuery) isMessage()  {}
func (RoundEnd) isMessage()    {}
func (RoundJoin) isMessage()   {}
func (RoundNotice) isMessage() {}

// encodeRound puts a message of a round into an envelope.
func encodeRound(e *antev1.Envelope, m Message) {
	switch m := m.(type) {
	case RoundQuery:
		e.Body = &antev1.Envelope_RoundQuery{RoundQuery: &antev1.RoundQuery{}}
	case RoundEnd:
		e.Body = &antev1.Envelope_RoundEnd{RoundEnd: &antev1.RoundEnd{}}
	case RoundJoin:
		e.Body = &antev1.Envelope_RoundJoin{RoundJoin: &antev1.RoundJoin{RoundId: m.RoundID[:], Entry: encodeEntry(&m.Entry), Addresses: m.Addresses}}
	case RoundNotice:
		r := &m.Round
		e.Body = &antev1.Envelope_RoundNotice{RoundNotice: &antev1.RoundNotice{
			Round: &antev1.Round{House: r.House[:], Rules: r.Rules[:], Params: r.Params, Asset: r.Asset[:], Least: r.Least.Bytes(),
				Most: r.Most.Bytes(), Fewest: uint32(r.Fewest), Seats: uint32(r.Seats), Window: r.Window, Closes: r.Closes, Shuffle: r.Shuffle, Study: r.Study, Salt: r.Salt[:]},
			Signature: m.Signature[:], Entries: encoding.All(m.Entries, encodeEntry), Seal: encoding.Held(&m.Seal), Refusal: m.Refusal,
			Peers: encoding.All(m.Peers, func(p *Peer) *antev1.RoundPeer {
				return &antev1.RoundPeer{Account: p.Account[:], Addresses: p.Addresses}
			}),
		}}
	}
}

func encodeEntry(e *matchmaking.Registration) *antev1.RoundEntry {
	return &antev1.RoundEntry{Player: e.Player[:], Stake: e.Stake.Bytes(), Referrer: e.Referrer[:], Signature: e.Signature[:], Deputy: encoding.Deputy(e.Deputy)}
}

// round reads a message of a round, nil if it is none.
func (d *decoder) round(e *antev1.Envelope) Message {
	switch b := e.GetBody().(type) {
	case *antev1.Envelope_RoundQuery:
		return RoundQuery{}
	case *antev1.Envelope_RoundEnd:
		return RoundEnd{}
	case *antev1.Envelope_RoundJoin:
		if m := b.RoundJoin; d.Need(m != nil, "registration") {
			return RoundJoin{d.Hash(m.RoundId, "round id"), d.entry(m.Entry, "entry"), d.reach(m.Addresses)}
		}
	case *antev1.Envelope_RoundNotice:
		return d.notice(b.RoundNotice)
	}
	return nil
}

func (d *decoder) notice(m *antev1.RoundNotice) Message {
	if !d.Need(m != nil && m.Round != nil, "round") {
		return nil
	}
	r := m.Round
	out := RoundNotice{
		Round: matchmaking.Round{House: d.Address(r.House, "house"), Rules: d.Address(r.Rules, "rules"), Params: d.Bytes(r.Params, protocol.MaxParams, "parameters"),
			Asset: d.Address(r.Asset, "asset"), Least: d.Amount(r.Least, "least stake"), Most: d.Amount(r.Most, "most stake"),
			Fewest: d.Seat(r.Fewest), Seats: d.Seat(r.Seats), Window: r.Window, Closes: r.Closes, Shuffle: r.Shuffle, Study: r.Study, Salt: d.Hash(r.Salt, "salt")},
		Signature: d.Signature(m.Signature, "signature"), Entries: encoding.DecodeAll(&d.Decoder, m.Entries, matchmaking.MaxRegistrations, "entries", d.entry),
		Refusal: d.Text(m.Refusal, "refusal"), Peers: encoding.DecodeAll(&d.Decoder, m.Peers, matchmaking.MaxGroup, "peers", d.peer),
	}
	if len(m.Seal) > 0 {
		out.Seal = d.Signature(m.Seal, "seal")
	}
	return out
}

func (d *decoder) entry(e *antev1.RoundEntry, what string) matchmaking.Registration {
	if !d.Need(e != nil, what) {
		return matchmaking.Registration{}
	}
	player := d.Address(e.Player, "player")
	return matchmaking.Registration{Player: player, Stake: d.Amount(e.Stake, "stake"), Referrer: d.Address(e.Referrer, "referrer"),
		Signature: d.Signature(e.Signature, "signature"), Deputy: d.Deputy(player, e.Deputy)}
}

func (d *decoder) peer(p *antev1.RoundPeer, what string) Peer {
	if !d.Need(p != nil, what) {
		return Peer{}
	}
	return Peer{d.Address(p.Account, "account"), d.reach(p.Addresses)}
}

func (d *decoder) reach(list []string) []string {
	return encoding.DecodeAll(&d.Decoder, list, MaxPeerAddresses, "addresses", d.Text)
}
