package node

import (
	"cmp"
	"slices"

	"github.com/ethereum/go-ethereum/common"
)

// keptOffers is how many offers are remembered that nothing more will come of.
const keptOffers = 100

// Offers returns the offers made and received that are remembered, newest last.
func (n *offers) Offers() ([]Offer, error) {
	list, err := n.records.all()
	slices.SortStableFunc(list, func(a, b Offer) int { return cmp.Compare(a.Time, b.Time) })
	return list, n.records.readable(err)
}

// pruneOffers forgets the oldest of the offers that nothing more will come of.
func (n *offers) pruneOffers(list []Offer) error {
	over := slices.DeleteFunc(slices.Clone(list), func(o Offer) bool { return o.State == OfferOpen || o.State == OfferAccepted })
	return n.records.forget(over, keptOffers, func(o *Offer) common.Hash { return o.ID })
}

func (n *offers) offer(id common.Hash) (Offer, error) {
	o, err := n.records.get(id)
	if err != nil {
		return Offer{}, err
	}
	return *o, nil
}

func (n *offers) saveOffer(o *Offer, events ...Event) error {
	return n.records.save(o.ID, o, events...)
}
