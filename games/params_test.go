package games_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/ante-games/ante/games"
)

var small = games.Numbers{
	{Name: "pegs", Help: "pegs of a code", Bytes: 1, Default: 4, Min: 1, Max: 5},
	{Name: "fee", Help: "fee", Bytes: 1},
}

func TestNumbers_Small(t *testing.T) {
	for object, want := range map[string]string{
		``:                             "\x04\x00",
		`{}`:                           "\x04\x00",
		`null`:                         "\x04\x00",
		`{"pegs":5}`:                   "\x05\x00",
		`{"fee":255,"pegs":1}`:         "\x01\xff",
		`{"pegs":0}`:                   "",
		`{"pegs":6}`:                   "",
		`{"pegs":260}`:                 "",
		`{"pegs":-1}`:                  "",
		`{"pegs":4.5}`:                 "",
		`{"pegs":"4"}`:                 "",
		`{"pegs":null}`:                "",
		`{"colours":4}`:                "",
		`[4,0]`:                        "",
		`{"pegs":4} {"pegs":5}`:        "",
		`{"pegs":4`:                    "",
		`{"fee":18446744073709551616}`: "",
	} {
		got, err := small.Encode(json.RawMessage(object))
		if (err == nil) != (want != "") || string(got) != want {
			t.Errorf("%s: %x, %v, want %x", object, got, err, want)
		}
		if err != nil && !errors.Is(err, games.ErrParams) {
			t.Errorf("%s: %v does not wrap ErrParams", object, err)
		}
	}
	for _, params := range []string{"", "\x04", "\x04\x00\x00", "\x00\x00", "\x06\x00"} {
		if object, err := small.Decode([]byte(params)); !errors.Is(err, games.ErrParams) {
			t.Errorf("%x: %s, %v", params, object, err)
		}
	}
	if object, err := small.Decode([]byte("\x05\x07")); err != nil || string(object) != `{"pegs":5,"fee":7}` {
		t.Errorf("%s, %v", object, err)
	}
	if f := small.Fields(); f[0].Help != "pegs of a code, 1..5" || string(f[0].Default) != "4" {
		t.Errorf("%+v", f)
	}
}

func TestParamsObject(t *testing.T) {
	parse := func(pairs ...string) ([]byte, error) {
		object, err := games.ParamsObject(pairs)
		if err != nil {
			return nil, err
		}
		return small.Encode(object)
	}
	if got, err := parse("fee=9", "pegs=2"); err != nil || string(got) != "\x02\x09" {
		t.Errorf("%x, %v", got, err)
	}
	for _, pairs := range [][]string{{"pegs"}, {"=4"}, {"pegs=4", "pegs=4"}, {"pegs=four"}, {"pegs="}, {"pegs=6"}} {
		if _, err := parse(pairs...); !errors.Is(err, games.ErrParams) {
			t.Errorf("%v: %v", pairs, err)
		}
	}
	// What is no JSON is a string, so that names can be typed as they are.
	if object, err := games.ParamsObject([]string{"name=alice", "n=[1,2]"}); err != nil || string(object) != `{"n":[1,2],"name":"alice"}` {
		t.Errorf("%s, %v", object, err)
	}
}

func TestCatalog_Find(t *testing.T) {
	c := games.Catalog{{Name: "a"}, {Name: "b"}}
	if g, err := c.Find("b"); err != nil || g.Name != "b" {
		t.Errorf("%+v, %v", g, err)
	}
	_, err := c.Find("chess")
	if !errors.Is(err, games.ErrUnknownGame) || !strings.HasSuffix(err.Error(), "a, b") {
		t.Error(err)
	}
}
