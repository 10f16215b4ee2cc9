// Package natlab tries how players behind routers reach each other: real hosts in network
// namespaces of their own, behind routers that translate addresses as those of homes, mobile
// networks and companies do. Its test needs Linux, root, iproute2 and nftables, and is skipped
// elsewhere; what it sends stays in its namespaces.
package natlab
