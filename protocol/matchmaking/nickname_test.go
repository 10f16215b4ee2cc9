package matchmaking_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/matchmaking"
	"github.com/ante-games/ante/protocol/protocoltest"
	"github.com/ethereum/go-ethereum/common"
)

// TestAttack_Homoglyph: a name that people can't read, or take for something else, is refused, and
// those that look alike are known to.
func TestAttack_Homoglyph(t *testing.T) {
	for _, name := range []string{"Alice", "Jürgen 2", "Алиса", "Ελένη", "さくら花", "민준", "x.y_z-1", "42", strings.Repeat("ü", matchmaking.MaxName)} {
		if err := matchmaking.CheckName(name); err != nil {
			t.Errorf("%q: %v", name, err)
		}
	}
	for _, name := range []string{
		"", strings.Repeat("a", matchmaking.MaxName+1), " a", "a ", "a  b", "a\nb", "a\x1b[31m", "a\u202eb", "a\u200bb", "e\u0301", "0xabc",
		"Аlice", "Alicе", "ａｌｉｃｅ", "a\xff", "...", "<b>", "😀", "𝐀lice", "क\u093f",
	} {
		if err := matchmaking.CheckName(name); !errors.Is(err, matchmaking.ErrName) {
			t.Errorf("%q is taken: %v", name, err)
		}
	}
	for _, alike := range [][2]string{{"coco", "сосо"}, {"Alice", "al1ce"}, {"Bob", "B0B"}, {"a b", "a_b"},
		{"BOB", "ΒΟΒ"}, {"Tony", "ΤΟΝΥ"}, {"Bob", "Вов"}, {"kat", "κατ"}, {"Tom", "том"}, {"hugo", "һugo"}, {"uno", "սոօ"}, {"Bob", "Bọb"}, {"lodz", "łodz"},
		{"Лена", "лена"}, {"Борис", "борис"}, {"Олег", "ОЛЕГ"}, {"Νίκος", "νίκος"}, {"Ελένη", "ελένη"}, {"ken", "κεη"}} {
		if !matchmaking.Alike(alike[0], alike[1]) {
			t.Errorf("%q and %q are told apart", alike[0], alike[1])
		}
	}
}

// TestAttack_Homoglyph_You: nobody is called what a program calls its own player, beside whose
// stake another's would be read as one's own.
func TestAttack_Homoglyph_You(t *testing.T) {
	for _, name := range []string{"you", "You", "Y0U", "y.o.u", "Your opponent", "Nobody", "the_chain", "The other player", "Υου", "Yọu"} {
		if err := matchmaking.CheckName(name); !errors.Is(err, matchmaking.ErrName) {
			t.Errorf("%q is taken: %v", name, err)
		}
	}
	for _, name := range []string{"Young", "Yo", "Chain"} {
		if err := matchmaking.CheckName(name); err != nil {
			t.Errorf("%q: %v", name, err)
		}
	}
}

// TestNicknameIsSigned: nobody names another account.
func TestNicknameIsSigned(t *testing.T) {
	d := protocol.Domain{ChainID: 7, Arena: common.Address{7}}
	alice := protocoltest.Key("alice")
	n := matchmaking.SignedNickname{Nickname: matchmaking.Nickname{Account: alice.Address(), Name: "Alice", Time: 5}}
	var err error
	if n.Signature, err = alice.Sign(n.Digest(d)); err != nil {
		t.Fatal(err)
	}
	if err := n.Verify(protocol.Authority{Domain: d}); err != nil {
		t.Error(err)
	}
	for name, change := range map[string]func(*matchmaking.SignedNickname){
		"another account": func(n *matchmaking.SignedNickname) { n.Account = common.Address{1} },
		"another name":    func(n *matchmaking.SignedNickname) { n.Name = "Bob" },
		"another time":    func(n *matchmaking.SignedNickname) { n.Time++ },
	} {
		forged := n
		change(&forged)
		if err := forged.Verify(protocol.Authority{Domain: d}); !errors.Is(err, protocol.ErrSignature) {
			t.Errorf("%s: %v", name, err)
		}
	}
	none, unreadable := n, n
	none.Name, unreadable.Name = "", "a\nb"
	for _, c := range []struct {
		n    *matchmaking.SignedNickname
		want error
	}{{&none, nil}, {&unreadable, matchmaking.ErrName}} {
		var err error
		if c.n.Signature, err = alice.Sign(c.n.Digest(d)); err != nil {
			t.Fatal(err)
		}
		if err := c.n.Verify(protocol.Authority{Domain: d}); !errors.Is(err, c.want) {
			t.Errorf("%q: %v, want %v", c.n.Name, err, c.want)
		}
	}
	if err := n.Verify(protocol.Authority{Domain: protocol.Domain{ChainID: 8, Arena: d.Arena}}); !errors.Is(err, protocol.ErrSignature) {
		t.Errorf("another chain: %v", err)
	}
}
