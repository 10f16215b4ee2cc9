package protocol

import "github.com/ethereum/go-ethereum/common"

// Proven remembers the valid signatures of positions in one channel, for a caller that judges the
// same evidence repeatedly: checking a signature takes longer than all the rest. It keeps what was
// looked up since the last call of Look, and between that call and the one before. The zero Proven
// knows nothing. Not safe for concurrent use.
type Proven struct{ now, before map[proof]bool }

// proof is a signature, and all that it is good for. The match's id says whose keys count.
type proof struct {
	match common.Hash
	turn  Turn
	state common.Hash
	seat  uint8
	sig   Signature
}

// Look begins a new round of look-ups.
func (p *Proven) Look() { p.now, p.before = make(map[proof]bool, len(p.now)), p.now }

// Remembering returns a judge of the same match that looks signatures up in p first.
func (j *Judge) Remembering(p *Proven) *Judge {
	own := *j
	own.proven = p
	return &own
}

// verify returns nil if the proof is known, and else what check says.
func (p *Proven) verify(of proof, check func() error) error {
	switch {
	case p == nil:
		return check()
	case !p.now[of] && !p.before[of]:
		if err := check(); err != nil {
			return err
		}
	}
	if p.now == nil {
		p.now = map[proof]bool{}
	}
	p.now[of] = true
	return nil
}
