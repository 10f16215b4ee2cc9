package gametest

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/games/commit"
	"github.com/ethereum/go-ethereum/common"
)

// keeper looks, through one match, for what seats hide in all that anybody is shown.
type keeper struct {
	*match
	hidden []hidden
	looks  int
}

// hidden is what was committed to and not opened yet.
type hidden struct {
	commit.Opening
	forms map[string][][]byte // the usual ways to write its salt, and its secret
}

func hide(o commit.Opening) hidden {
	h := hidden{o, map[string][][]byte{"salt": forms(o.Salt)}}
	if wide(o.Secret) { // the bytes of others stand anywhere
		h.forms["secret"] = forms(o.Secret)
	}
	return h
}

// position checks what each seat is shown of a position: none of it may depend on what that seat
// itself hides, for views may be logged, and a seat sees what others hide only in states and moves.
func (k *keeper) position(state []byte) {
	k.t.Helper()
	k.quiet("the state", state, state)
	for seat := range k.secrets {
		table := games.Table{Context: k.c, State: state, Seat: uint8(seat), Random: k.random}
		without := k.shown(table)
		with := without
		k.looks++
		if k.secrets[seat].Expose() != nil || k.looks%8 == 0 { // else it is asked the same again
			table.Secrets = k.secrets[seat]
			with = k.shown(table)
		}
		for i := range with {
			if with[i] != without[i] {
				k.t.Fatalf("%s0x%x\nwhat seat %d is shown depends on its secrets, and may be logged (Recall is for its eyes only):\n"+
					"  with them    %s\n  without them %s", k.where, state, seat, with[i], without[i])
			}
		}
		k.quiet(fmt.Sprintf("what seat %d is shown", seat), []byte(strings.Join(with, "\n")), state)
	}
}

// shown is all that a seat's user, page and log may be shown of a position.
func (k *keeper) shown(t games.Table) []string {
	k.t.Helper()
	view, err := k.suite.Game.Player.View(t)
	if err != nil {
		k.t.Fatalf("%s0x%x\nseat %d has no view: %v", k.where, t.State, t.Seat, err)
	}
	object, err := json.Marshal(view)
	if err != nil {
		k.t.Fatalf("%s0x%x\nthe view of seat %d is no JSON: %v", k.where, t.State, t.Seat, err)
	}
	ask, err := k.suite.Game.Player.Ask(t)
	if err != nil {
		k.t.Fatalf("%s0x%x\nseat %d can't be asked: %v", k.where, t.State, t.Seat, err)
	}
	_, refused := k.suite.Game.Player.Choose(t, "?")
	return []string{view.String(), string(object), ask, fmt.Sprint(refused)}
}

// move checks a move before it is made: it may commit, or open, but nothing between.
func (k *keeper) move(state, move []byte, seat uint8, before, after commit.Secrets) {
	k.t.Helper()
	said, err := k.suite.Game.Player.Describe(k.c, state, move)
	if err != nil {
		k.t.Fatalf("%s0x%x\nmove 0x%x can't be described: %v", k.where, state, move, err)
	}
	old, now := k.openings(seat, before), k.openings(seat, after)
	fresh := now[min(len(old), len(now)):]
	for _, o := range fresh {
		if k.told.salts[o.Salt] {
			k.t.Fatalf("%s0x%x\nmove 0x%x commits (%s) under a salt that was used before, in this match or another", k.where, state, move, kind(o))
		}
		k.told.salts[o.Salt] = true
	}
	k.recompute(state, move, fresh)
	k.bind(state, move, seat, now)
	k.told.add(k.c.Params, state, move, fresh)
	for _, o := range fresh {
		k.hidden = append(k.hidden, hide(o))
	}
	k.hidden = slices.DeleteFunc(k.hidden, func(o hidden) bool {
		switch {
		case o.Scope.Seat != seat || !shows(move, o.Salt):
			return false
		case slices.ContainsFunc(fresh, func(f commit.Opening) bool { return f.Scope == o.Scope }):
			k.t.Fatalf("%s0x%x\nmove 0x%x shows the salt of what it commits to (%s)", k.where, state, move, kind(o.Opening))
		case !bytes.Contains(move, bytes.TrimLeft(o.Secret[:], "\x00")):
			k.t.Fatalf("%s0x%x\nmove 0x%x shows the salt of a commitment (%s), but not the secret: whoever sees it can try out secrets",
				k.where, state, move, kind(o.Opening))
		}
		return true
	})
	k.quiet("the move", move, state)
	k.quiet(fmt.Sprintf("the description of move 0x%x", move), []byte(said), state)
}

// quiet fails if anything that is hidden stands in some bytes, raw or written in a usual way.
func (k *keeper) quiet(what string, b, state []byte) {
	k.t.Helper()
	lower := bytes.ToLower(b)
	for _, o := range k.hidden {
		for name, list := range o.forms {
			for _, form := range list {
				if bytes.Contains(b, form) || bytes.Contains(lower, form) {
					k.t.Fatalf("%s0x%x\n%s holds the %s of seat %d's commitment (%s) before it is opened: %q", k.where, state, what, name, o.Scope.Seat, kind(o.Opening), b)
				}
			}
		}
	}
}

func forms(w common.Hash) [][]byte {
	return [][]byte{
		w[:], []byte(hex.EncodeToString(w[:])), []byte(base64.StdEncoding.EncodeToString(w[:])[:42]),
		[]byte(new(big.Int).SetBytes(w[:]).String()), []byte(strings.Trim(fmt.Sprint(w[:]), "[]")),
	}
}

// wide reports whether a word is random enough not to stand anywhere by chance.
func wide(w common.Hash) bool { return 32-bytes.Count(w[:], []byte{0}) >= 12 }

func kind(o commit.Opening) string {
	return fmt.Sprintf("%s, round %d", strings.TrimRight(string(o.Scope.Tag[:]), "\x00"), o.Scope.Round)
}

// samples are moves that commit, by the parameters, the game's phase and the size of the move, then
// by what is hidden; and all salts there were.
type samples struct {
	moves map[string]map[string][][]byte
	salts map[common.Hash]bool
}

func newSamples() *samples {
	return &samples{make(map[string]map[string][][]byte), make(map[common.Hash]bool)}
}

func (s *samples) add(params, state, move []byte, fresh []commit.Opening) {
	if len(fresh) == 0 || len(state) == 0 {
		return
	}
	var secrets []byte
	for _, o := range fresh {
		secrets = append(secrets, o.Secret[:]...)
	}
	kind := fmt.Sprintf("params 0x%x, states that begin with 0x%02x, moves of %d bytes", params, state[0], len(move))
	if s.moves[kind] == nil {
		s.moves[kind] = make(map[string][][]byte)
	}
	s.moves[kind][string(secrets)] = append(s.moves[kind][string(secrets)], move)
}

// tell returns where a byte of a move that commits follows from the secret alone, whatever the
// salt; empty if nowhere.
func (s *samples) tell() string {
	for kind, bySecret := range s.moves {
		var groups [][][]byte
		for _, moves := range bySecret {
			if len(moves) >= 4 {
				groups = append(groups, moves)
			}
		}
		if len(groups) < 2 {
			continue
		}
		for at := range groups[0][0] {
			same := func(moves [][]byte) bool {
				return !slices.ContainsFunc(moves, func(m []byte) bool { return m[at] != moves[0][at] })
			}
			differ := slices.ContainsFunc(groups, func(g [][]byte) bool { return g[0][at] != groups[0][0][at] })
			if differ && !slices.ContainsFunc(groups, func(g [][]byte) bool { return !same(g) }) {
				return fmt.Sprintf("%s: byte %d follows from the secret, whatever the salt: 0x%x and 0x%x", kind, at, groups[0][0], groups[1][0])
			}
		}
	}
	return ""
}
