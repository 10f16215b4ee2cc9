package codec

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/ante-games/ante/protocol"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// packer writes values as the Arena reads them: big-endian, nothing between them
// (contracts/src/Types.sol has every layout). It keeps the first error, so that a whole value can
// be written before anybody looks.
type packer struct {
	out []byte
	err error
}

func (p *packer) fail(format string, args ...any) {
	if p.err == nil {
		p.err = fmt.Errorf(format, args...)
	}
}

func (p *packer) raw(b []byte)       { p.out = append(p.out, b...) }
func (p *packer) hash(h common.Hash) { p.raw(h[:]) }
func (p *packer) uint8(v uint8)      { p.out = append(p.out, v) }
func (p *packer) uint64(v uint64)    { p.out = binary.BigEndian.AppendUint64(p.out, v) }

// count writes a number of things.
func (p *packer) count(n int) {
	if n > math.MaxUint8 {
		p.fail("%d things where a call can name %d", n, math.MaxUint8)
	}
	p.uint8(uint8(n))
}

// time writes a time of the Arena's clock.
func (p *packer) time(v uint64) {
	if v > protocol.MaxDeadline {
		p.fail("time %d is beyond what the Arena can hold", v)
	}
	p.raw(binary.BigEndian.AppendUint64(nil, v)[2:])
}

// part writes bytes after their length, 2 bytes.
func (p *packer) part(b []byte) {
	if len(b) > math.MaxUint16 {
		p.fail("%d bytes where a call can carry %d", len(b), math.MaxUint16)
	}
	p.out = binary.BigEndian.AppendUint16(p.out, uint16(len(b)))
	p.raw(b)
}

func (p *packer) addresses(list []common.Address) {
	for i := range list {
		p.raw(list[i][:])
	}
}

func (p *packer) amounts(list []uint256.Int) {
	for i := range list {
		word := list[i].Bytes32()
		p.raw(word[:])
	}
}

// unpacker reads what a packer wrote. It keeps the first error and returns zeros from then on.
type unpacker struct {
	in  []byte
	err error
}

func (u *unpacker) raw(n int) []byte {
	if u.err == nil && n > len(u.in) {
		u.err = fmt.Errorf("%d bytes where %d are wanted", len(u.in), n)
	}
	if u.err != nil {
		return make([]byte, min(n, math.MaxUint16))
	}
	b := u.in[:n:n]
	u.in = u.in[n:]
	return b
}

func (u *unpacker) hash() common.Hash       { return common.Hash(u.raw(32)) }
func (u *unpacker) address() common.Address { return common.Address(u.raw(20)) }
func (u *unpacker) uint8() uint8            { return u.raw(1)[0] }
func (u *unpacker) uint64() uint64          { return binary.BigEndian.Uint64(u.raw(8)) }

// time reads a time of the Arena's clock.
func (u *unpacker) time() uint64 {
	return binary.BigEndian.Uint64(append(make([]byte, 2, 8), u.raw(6)...))
}

// part reads bytes after their length, 2 bytes.
func (u *unpacker) part() []byte { return u.raw(int(binary.BigEndian.Uint16(u.raw(2)))) }

func (u *unpacker) addresses(n int) (list []common.Address) {
	for range n {
		list = append(list, u.address())
	}
	return list
}

func (u *unpacker) amounts(n int) (list []uint256.Int) {
	for range n {
		list = append(list, *new(uint256.Int).SetBytes32(u.raw(32)))
	}
	return list
}

// end returns the first error, or one if not all was read.
func (u *unpacker) end(what string) error {
	if u.err == nil && len(u.in) > 0 {
		u.err = fmt.Errorf("%d bytes too many", len(u.in))
	}
	if u.err != nil {
		return fmt.Errorf("%s: %w", what, u.err)
	}
	return nil
}
