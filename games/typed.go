package games

import "github.com/holiman/uint256"

// Typed is a rule set over structs, as a game developer writes it: P are its parameters, S its
// states, M its moves. Bytes makes it a Rules.
//
// The encodings are the game's own and must be canonical: DecodeState accepts only what EncodeState
// returns, and fails on every state that this game's matches do not have. Every failure wraps
// ErrIllegal. Like Rules, a Typed is pure, never panics, and is safe for concurrent use.
type Typed[P, S, M any] interface {
	DecodeParams(params []byte) (P, error)
	DecodeState(state []byte) (S, error)
	EncodeState(s S) []byte
	// DecodeMove reads a move made in state s; whether the rules allow it is for Play to say.
	DecodeMove(s S, move []byte) (M, error)
	EncodeMove(m M) []byte

	// The rules, as in Rules. Play and Expire are called with states of matches that may be over,
	// or that these parameters rule out, and must refuse them.
	Start(c *Context, p P) (S, error)
	Mover(s S) uint8
	Play(c *Context, p P, s S, m M) (S, error)
	Expire(c *Context, p P, s S) (S, error)
	Outcome(s S, stakes []uint256.Int) (Outcome, error)
}

// Bytes returns the rules over bytes.
func Bytes[P, S, M any](t Typed[P, S, M]) Rules { return typedRules[P, S, M]{t} }

type typedRules[P, S, M any] struct{ t Typed[P, S, M] }

func (r typedRules[P, S, M]) Start(c *Context) ([]byte, error) {
	p, err := r.t.DecodeParams(c.Params)
	if err != nil {
		return nil, err
	}
	return r.encode(r.t.Start(c, p))
}

func (r typedRules[P, S, M]) Mover(state []byte) (uint8, error) {
	s, err := r.t.DecodeState(state)
	if err != nil {
		return 0, err
	}
	return r.t.Mover(s), nil
}

func (r typedRules[P, S, M]) Play(c *Context, state, move []byte) ([]byte, error) {
	p, s, err := r.decode(c, state)
	if err != nil {
		return nil, err
	}
	m, err := r.t.DecodeMove(s, move)
	if err != nil {
		return nil, err
	}
	return r.encode(r.t.Play(c, p, s, m))
}

func (r typedRules[P, S, M]) Expire(c *Context, state []byte) ([]byte, error) {
	p, s, err := r.decode(c, state)
	if err != nil {
		return nil, err
	}
	return r.encode(r.t.Expire(c, p, s))
}

func (r typedRules[P, S, M]) Outcome(state []byte, stakes []uint256.Int) (Outcome, error) {
	s, err := r.t.DecodeState(state)
	if err != nil {
		return Outcome{}, err
	}
	return r.t.Outcome(s, stakes)
}

func (r typedRules[P, S, M]) decode(c *Context, state []byte) (p P, s S, err error) {
	if p, err = r.t.DecodeParams(c.Params); err != nil {
		return p, s, err
	}
	s, err = r.t.DecodeState(state)
	return p, s, err
}

func (r typedRules[P, S, M]) encode(s S, err error) ([]byte, error) {
	if err != nil {
		return nil, err
	}
	return r.t.EncodeState(s), nil
}

// TypedDated is a Dated over structs.
type TypedDated[P, S any] interface {
	SignBefore(c *Context, p P, s S) uint64
}

func (r typedRules[P, S, M]) SignBefore(c *Context, state []byte) (uint64, error) {
	d, ok := r.t.(TypedDated[P, S])
	if !ok {
		return 0, nil
	}
	p, s, err := r.decode(c, state)
	if err != nil {
		return 0, err
	}
	return d.SignBefore(c, p, s), nil
}
