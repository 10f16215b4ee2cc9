package battleships

import "github.com/ante-games/ante/games"

// liars are the ways to cheat that a proof exists against. A round is over when a ship of the liar
// was hit.
func liars(p player) []games.Liar {
	return []games.Liar{
		games.Lie("hides a ship that was hit", FalseAnswer.reason(), rules{}, p, p.answersFalsely),
		games.Lie("places a fleet that is none", BadFleet.reason(), rules{}, p, p.placesRubbish),
	}
}

// answersFalsely denies each hit of its round: with one hidden the other can't hit all, so the liar
// must open its board. Where answers carry proofs it can't.
func (p player) answersFalsely(t seat, round uint32) (Move, bool, error) {
	s := t.State
	if s.Phase != Answering || t.Params.Trusting == 0 || uint32(s.Boards[t.Seat].Hits.Count()) != round {
		return nil, false, nil
	}
	m, err := p.answer(t)
	if a, ok := m.(Answer); !ok || a.Ship == 0 {
		return nil, false, err
	}
	return Answer{Ship: 0}, true, nil
}

// placesRubbish leaves out a cell of its fleet, so that it can't all be hit.
func (p player) placesRubbish(t seat, round uint32) (Move, bool, error) {
	if t.State.Phase > Calling || round > 0 || t.Vault.Has(fleetTag, 0) {
		return nil, false, nil
	}
	fleet, err := randomFleet(t.Random)
	if err != nil {
		return nil, false, err
	}
	m, err := p.place(t, fleet&(fleet-1))
	return m, err == nil, err
}
