package p2p

import (
	"slices"

	"github.com/libp2p/go-libp2p/core/network"
	"github.com/libp2p/go-libp2p/core/peer"
	"github.com/multiformats/go-multiaddr"
)

// location is where an account may be.
type location struct {
	peer peer.ID
	addr multiaddr.Multiaddr
}

// learn adds a peer's addresses. The newest are dialled first and the oldest of more than
// maxAddresses forgotten, for accounts move. Others may say where an account is: where it was
// reached itself stays ahead of all that they say.
func (a *account) learn(info peer.AddrInfo) {
	said := make([]location, len(info.Addrs))
	for i, addr := range info.Addrs {
		said[i] = location{info.ID, addr}
	}
	var list []location
	for _, p := range slices.Concat(a.reached, said, a.locations) {
		known := slices.ContainsFunc(list, func(q location) bool { return q.peer == p.peer && q.addr.Equal(p.addr) })
		if !known && len(list) < maxAddresses {
			list = append(list, p)
		}
	}
	a.locations = list
}

// reach notes that an account was reached where we dialled it.
func (a *account) reach(c network.Conn) {
	if a.kept && c.Stat().Direction == network.DirOutbound {
		a.reached = []location{{c.RemotePeer(), c.RemoteMultiaddr()}}
		a.learn(peer.AddrInfo{})
	}
}

// infos returns an account's locations by peer, in the order in which they are dialled.
func (a *account) infos() []peer.AddrInfo {
	var list []peer.AddrInfo
	for _, p := range a.locations {
		i := slices.IndexFunc(list, func(i peer.AddrInfo) bool { return i.ID == p.peer })
		if i < 0 {
			i = len(list)
			list = append(list, peer.AddrInfo{ID: p.peer})
		}
		list[i].Addrs = append(list[i].Addrs, p.addr)
	}
	return list
}
