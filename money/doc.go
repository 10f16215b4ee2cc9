// Package money decides what may be spent: pure functions of facts that the caller supplies. It
// reads no chain, no clock and no store, and remembers nothing, so that a node, a house, a tower
// and a simulator decide alike.
//
// Gas prices are in wei per gas, amounts in wei or in the units of a token. Nothing here panics on
// any value.
package money
