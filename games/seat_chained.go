package games

// TypedTalker is a Talker over structs. Where a game's player side is one, Ask is also called for
// seats that aren't on move.
type TypedTalker[P, S any] interface {
	Say(t Seat[P, S], text string) (*Note, error)
	Chat(t Seat[P, S]) (*Note, error)
}

// TypedChained is a Chained over structs. Chance is only called when the chain moves.
type TypedChained[P, S, M any] interface {
	Chance(t Seat[P, S]) (m M, known bool, err error)
	Upkeep(t Seat[P, S]) *Call
}

// TypedPaced is a Paced over structs.
type TypedPaced[P, S any] interface {
	Until(t Seat[P, S]) uint64
}

func (g seated[P, S, M]) Say(t Table, text string) (*Note, error) {
	return g.note(t, func(p TypedTalker[P, S], s Seat[P, S]) (*Note, error) { return p.Say(s, text) }, ErrNotYourTurn)
}

func (g seated[P, S, M]) Chat(t Table) (*Note, error) {
	return g.note(t, TypedTalker[P, S].Chat, nil)
}

func (g seated[P, S, M]) note(t Table, say func(TypedTalker[P, S], Seat[P, S]) (*Note, error), silent error) (*Note, error) {
	p, talks := g.player.(TypedTalker[P, S])
	if !talks {
		return nil, silent
	}
	s, err := g.seat(t)
	if err != nil {
		return nil, err
	}
	n, err := say(p, s)
	if n != nil {
		n.From = t.Seat
	}
	return n, err
}

func (g seated[P, S, M]) Follows() bool {
	_, chained := g.player.(TypedChained[P, S, M])
	return chained
}

func (g seated[P, S, M]) Chance(t Table) ([]byte, error) {
	p, chained := g.player.(TypedChained[P, S, M])
	if !chained {
		return nil, nil
	}
	s, err := g.seat(t)
	if err != nil || g.rules.Mover(s.State) != Chance {
		return nil, err
	}
	m, known, err := p.Chance(s)
	if err != nil || !known {
		return nil, err
	}
	if _, err := g.rules.Play(t.Context, s.Params, s.State, m); err != nil {
		return nil, err
	}
	return g.rules.EncodeMove(m), nil
}

func (g seated[P, S, M]) Upkeep(t Table) (*Call, error) {
	return asked(g, t, TypedChained[P, S, M].Upkeep)
}

func (g seated[P, S, M]) Until(t Table) (uint64, error) {
	return asked(g, t, TypedPaced[P, S].Until)
}

// asked is what a player side of some kind answers, nothing from any other.
func asked[P, S, M, Kind, T any](g seated[P, S, M], t Table, what func(Kind, Seat[P, S]) T) (answer T, err error) {
	p, is := any(g.player).(Kind)
	if !is {
		return answer, nil
	}
	s, err := g.seat(t)
	if err != nil {
		return answer, err
	}
	return what(p, s), nil
}
