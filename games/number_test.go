package games_test

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/ante-games/ante/games"
)

var numbers = games.Numbers{
	{Name: "letters", Help: "letters", Bytes: 1, Default: 26, Min: 1, Max: 26},
	{Name: "delay", Help: "blocks", Bytes: 2, Default: 10},
	{Name: "fee", Help: "wei a guess", Bytes: 16, Default: 1e15},
	{Name: "seed", Help: "anything", Bytes: 32, Min: 1, Default: 1},
}

func TestNumbers_None(t *testing.T) {
	if _, err := (games.Numbers{}).Encode(json.RawMessage(`{"a":1}`)); err == nil || err.Error() != `bad parameters: there is no "a": there are none` {
		t.Error(err)
	}
}

func TestNumbers(t *testing.T) {
	const seed = "0000000000000000000000000000000000000000000000000000000000000001"
	for object, want := range map[string]string{
		``:                        "1a" + "000a" + "000000000000000000038d7ea4c68000" + seed,
		`{"fee":"5","letters":1}`: "01" + "000a" + "00000000000000000000000000000005" + seed,
		`{"fee":5,"delay":65535}`: "1a" + "ffff" + "00000000000000000000000000000005" + seed,
		`{"fee":"340282366920938463463374607431768211455"}`:                                         "1a" + "000a" + strings.Repeat("ff", 16) + seed,
		`{"fee":340282366920938463463374607431768211456}`:                                           "",
		`{"seed":"115792089237316195423570985008687907853269984665640564039457584007913129639936"}`: "",
		`{"seed":"0"}`:    "",
		`{"fee":"-1"}`:    "",
		`{"fee":"+1"}`:    "",
		`{"fee":""}`:      "",
		`{"fee":"0x10"}`:  "",
		`{"fee":"1e3"}`:   "",
		`{"fee":1e3}`:     "",
		`{"fee":1.5}`:     "",
		`{"fee":" 1"}`:    "",
		`{"fee":"1_0"}`:   "",
		`{"fee":null}`:    "",
		`{"delay":"3"}`:   "", // small ones are numbers
		`{"delay":65536}`: "",
		`{"letters":27}`:  "",
		`{"pegs":1}`:      "",
		`{"fee":1} {}`:    "",
	} {
		got, err := numbers.Encode(json.RawMessage(object))
		if (err == nil) != (want != "") || hex.EncodeToString(got) != want {
			t.Errorf("%s: %x, %v, want %s", object, got, err, want)
		}
		if object == `{"pegs":1}` && !strings.HasSuffix(err.Error(), `there is no "pegs": there are letters, delay, fee, seed`) {
			t.Errorf("%s: %v", object, err)
		}
		if err != nil && !errors.Is(err, games.ErrParams) {
			t.Errorf("%s: %v does not wrap ErrParams", object, err)
		}
		if err != nil {
			continue
		}
		back, err := numbers.Decode(got)
		if err != nil {
			t.Errorf("%s: %v", object, err)
		}
		if again, err := numbers.Encode(back); err != nil || string(again) != string(got) {
			t.Errorf("%s is read as %x, %v, want %x", back, again, err, got)
		}
	}
	for _, params := range []string{"", "1a", "1b000a" + strings.Repeat("00", 16) + seed, "1a000a" + strings.Repeat("00", 48), "1a000a" + strings.Repeat("00", 16) + seed + "00"} {
		b, _ := hex.DecodeString(params)
		if _, err := numbers.Values(b); !errors.Is(err, games.ErrIllegal) {
			t.Errorf("%s: %v", params, err)
		}
		if _, err := numbers.Decode(b); !errors.Is(err, games.ErrParams) {
			t.Errorf("%s: %v", params, err)
		}
	}
	f := numbers.Fields()
	if f[0].Help != "letters, 1..26" || f[1].Help != "blocks, 0..65535" || f[2].Help != "wei a guess, at least 0" {
		t.Errorf("%+v", f)
	}
	if string(f[2].Default) != `"1000000000000000"` || string(f[1].Default) != "10" {
		t.Errorf("%+v", f)
	}
}
