package evm

import (
	"encoding/binary"

	"github.com/ante-games/ante/games"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/holiman/uint256"
)

// The calls of IRules. Written by hand rather than through reflection: these run for every move.

const contextType = "(bytes32,bytes,uint256[],address[],bytes32,uint16,uint64)"

var (
	startSelector   = crypto.Keccak256([]byte("start(" + contextType + ")"))[:4]
	moverSelector   = crypto.Keccak256([]byte("mover(bytes)"))[:4]
	playSelector    = crypto.Keccak256([]byte("play(" + contextType + ",bytes,bytes)"))[:4]
	expireSelector  = crypto.Keccak256([]byte("expire(" + contextType + ",bytes)"))[:4]
	outcomeSelector = crypto.Keccak256([]byte("outcome(bytes,uint256[])"))[:4]
)

// argument is a value of dynamic type: appended behind a head of offsets.
type argument interface{ append(b []byte) []byte }

type (
	bytesArg   []byte
	uintsArg   []uint256.Int
	contextArg struct{ *games.Context }
)

func encode(selector []byte, args ...argument) []byte {
	b := make([]byte, 4+32*len(args), 1024)
	copy(b, selector)
	for i, a := range args {
		putUint(b[4+32*i:], uint64(len(b)-4))
		b = a.append(b)
	}
	return b
}

func (a bytesArg) append(b []byte) []byte {
	b = appendUint(b, uint64(len(a)))
	b = append(b, a...)
	return append(b, make([]byte, -len(a)&31)...)
}

func (a uintsArg) append(b []byte) []byte {
	b = appendUint(b, uint64(len(a)))
	for i := range a {
		w := a[i].Bytes32()
		b = append(b, w[:]...)
	}
	return b
}

func (a contextArg) append(b []byte) []byte {
	start := len(b)
	b = append(b, a.MatchID[:]...)
	b = append(b, make([]byte, 32*3)...) // offsets of params, stakes, signers
	b = append(b, a.Domain[:]...)
	b = appendUint(b, uint64(a.Signed))
	b = appendUint(b, a.Recorded)
	// In the Arena's order, to the byte: code could tell the two apart, and judge otherwise there.
	putUint(b[start+64:], uint64(len(b)-start))
	b = uintsArg(a.Stakes).append(b)
	putUint(b[start+96:], uint64(len(b)-start))
	b = appendUint(b, uint64(len(a.Signers)))
	for _, s := range a.Signers {
		b = append(b, make([]byte, 12)...)
		b = append(b, s[:]...)
	}
	putUint(b[start+32:], uint64(len(b)-start))
	return bytesArg(a.Params).append(b)
}

func appendUint(b []byte, v uint64) []byte {
	return binary.BigEndian.AppendUint64(append(b, make([]byte, 24)...), v)
}

func putUint(word []byte, v uint64) { binary.BigEndian.PutUint64(word[24:], v) }
