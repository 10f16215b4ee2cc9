package node

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/ethereum/go-ethereum/common"
)

// keptOffers is how many offers are remembered that nothing more will come of.
const keptOffers = 100

const offerPrefix = "offer/"

func offerKey(id common.Hash) string { return offerPrefix + id.Hex() }

// Offers returns the offers made and received that are remembered, newest last.
func (n *offers) Offers() ([]Offer, error) {
	var list []Offer
	err := allStored(n.config.Store, offerPrefix, func(_ string, o Offer) { list = append(list, o) })
	slices.SortStableFunc(list, func(a, b Offer) int { return cmp.Compare(a.Time, b.Time) })
	return list, err
}

// pruneOffers forgets the oldest of the offers that nothing more will come of.
func (n *offers) pruneOffers(list []Offer) error {
	list = slices.DeleteFunc(slices.Clone(list), func(o Offer) bool { return o.State == OfferOpen || o.State == OfferAccepted })
	if len(list) <= keptOffers {
		return nil
	}
	changes := map[string][]byte{}
	for _, o := range list[:len(list)-keptOffers] {
		changes[offerKey(o.ID)] = nil
	}
	return n.config.Store.Commit(changes)
}

func (n *offers) offer(id common.Hash) (Offer, error) {
	o, err := stored[Offer](n.config.Store, offerKey(id))
	if err != nil {
		return Offer{}, err
	}
	if o == nil {
		return Offer{}, fmt.Errorf("%w: %s", ErrUnknownOffer, id)
	}
	return *o, nil
}

func (n *offers) saveOffer(o *Offer, events ...Event) error {
	value, err := json.Marshal(o)
	if err != nil {
		return fmt.Errorf("encode an offer: %w", err)
	}
	return n.commit(map[string][]byte{offerKey(o.ID): value}, events)
}
