// Package ante is the root of the module: off-chain game channels over libp2p, settled and judged
// on an EVM chain.
//
// Only the version is here. Start with package node, the SDK's front door, or with README.md.
package ante
