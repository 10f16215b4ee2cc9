package games

// Lie returns a liar whose player side is an honest one, but where the cheat decides: told a
// position and the round to cheat in, it moves or leaves it to the honest side.
func Lie[P, S, M any](name, reason string, t Typed[P, S, M], honest TypedPlayer[P, S, M], cheat func(t Seat[P, S], round uint32) (m M, decided bool, err error)) Liar {
	return Liar{Name: name, Reason: reason, Player: func(round uint32) Player {
		return Seated(t, lying[P, S, M]{honest, func(t Seat[P, S]) (M, bool, error) { return cheat(t, round) }})
	}}
}

type lying[P, S, M any] struct {
	TypedPlayer[P, S, M]
	cheat func(Seat[P, S]) (M, bool, error)
}

func (l lying[P, S, M]) Auto(t Seat[P, S]) (M, bool, error) {
	if m, decided, err := l.cheat(t); decided || err != nil {
		return m, decided, err
	}
	return l.TypedPlayer.Auto(t)
}

func (l lying[P, S, M]) Bot(t Seat[P, S]) (M, error) {
	if m, decided, err := l.Auto(t); decided || err != nil {
		return m, err
	}
	return l.TypedPlayer.Bot(t)
}
