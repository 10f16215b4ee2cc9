package battleships

import "github.com/ante-games/ante/games"

// liars are the ways to cheat that a proof exists against. A round is over when a ship of the liar
// was hit.
var liars = []games.Liar{
	lie("hides a ship that was hit", FalseAnswer, answersFalsely),
	lie("places a fleet that is none", BadFleet, placesRubbish),
}

func lie(name string, ending Ending, cheat func(seat, uint32) (Move, bool, error)) games.Liar {
	return games.Lie(name, ending.reason(), rules{}, player{}, cheat)
}

// answersFalsely denies each hit of its round: with one hidden the other can't hit all, so the liar
// must open its board. Where answers carry proofs it can't.
func answersFalsely(t seat, round uint32) (Move, bool, error) {
	s := t.State
	if s.Phase != Answering || t.Params.Trusting == 0 || uint32(s.Boards[t.Seat].Hits.Count()) != round {
		return nil, false, nil
	}
	m, err := answer(t)
	if a, ok := m.(Answer); !ok || a.Ship == 0 {
		return nil, false, err
	}
	return Answer{Ship: 0}, true, nil
}

// placesRubbish leaves out a cell of its fleet, so that it can't all be hit.
func placesRubbish(t seat, round uint32) (Move, bool, error) {
	if t.State.Phase > Calling || round > 0 || t.Vault.Has(fleetTag, 0) {
		return nil, false, nil
	}
	fleet, err := randomFleet(t.Random)
	if err != nil {
		return nil, false, err
	}
	m, err := place(t, fleet&(fleet-1))
	return m, err == nil, err
}
