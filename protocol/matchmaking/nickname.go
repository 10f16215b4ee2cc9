package matchmaking

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/ante-games/ante/games/eip712"
	"github.com/ante-games/ante/protocol"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/mtibben/confusables"
)

// MaxName caps the characters of a name.
const MaxName = 32

// ErrName is wrapped by what CheckName says.
var ErrName = errors.New("that can't be a name")

// Nickname is how an account asks others to call it. Names are not unique, and prove nothing.
type Nickname struct {
	Account common.Address
	Name    string // empty: none any more
	Time    uint64 // Unix seconds: of two, the later counts
}

// SignedNickname is a Nickname with the signature of the account or of its deputy.
type SignedNickname struct {
	Nickname
	Signature protocol.Signature
	Deputy    *protocol.SignedDeputy // nil: the account's own key signed
}

var nicknameType = crypto.Keccak256Hash([]byte("Nickname(address account,string name,uint64 time)"))

// Digest returns what is signed.
func (n *Nickname) Digest(d protocol.Domain) common.Hash {
	return d.Digest(eip712.NewEncoder(nicknameType).Address(n.Account).Bytes([]byte(n.Name)).Uint64(n.Time).Sum())
}

// Verify checks the name and who signed it.
func (n *SignedNickname) Verify(a protocol.Authority) error {
	if n.Name != "" {
		if err := CheckName(n.Name); err != nil {
			return err
		}
	}
	return a.Spoken(n.Account, n.Digest(a.Domain), n.Signature, n.Deputy)
}

// scripts are those that a name may be written in: one of them, with digits and marks between.
var scripts = []*unicode.RangeTable{
	unicode.Latin, unicode.Greek, unicode.Cyrillic, unicode.Armenian, unicode.Georgian, unicode.Hebrew, unicode.Arabic, unicode.Devanagari,
	unicode.Bengali, unicode.Tamil, unicode.Thai, unicode.Hangul,
}

// spoken are what programs say where they could say a name: "you 0.1 ETH, bob 0.9 ETH".
var spoken = []string{"you", "your opponent", "the other player", "the chain", "nobody"}

// CheckName refuses what people could not read or would take for something else: control and
// invisible characters, combining marks, letters of two scripts, addresses, and what programs say
// of their own player. Han and kana go together.
func CheckName(name string) error {
	switch {
	case utf8.RuneCountInString(name) > MaxName:
		return fmt.Errorf("%w: want at most %d characters", ErrName, MaxName)
	case strings.TrimSpace(name) != name || strings.Contains(name, "  "):
		return fmt.Errorf("%w: no space at its ends, and none doubled", ErrName)
	case strings.HasPrefix(strings.ToLower(name), "0x"):
		return fmt.Errorf("%w: it looks like an address", ErrName)
	case slices.ContainsFunc(spoken, func(word string) bool { return Alike(word, name) }):
		return fmt.Errorf("%w: programs say it of their own player, or of none", ErrName)
	}
	script, letters := -1, false
	for _, r := range name {
		in, ok := scriptOf(r)
		switch {
		case !ok:
			return fmt.Errorf("%w: %q is not allowed: want letters, digits, spaces and . _ - '", ErrName, r)
		case in < 0:
			letters = letters || r >= '0' && r <= '9'
			continue
		case script >= 0 && script != in:
			return fmt.Errorf("%w: its letters are of two scripts", ErrName)
		}
		script, letters = in, true
	}
	if !letters {
		return fmt.Errorf("%w: it has no letter and no digit", ErrName)
	}
	return nil
}

// scriptOf returns the number of a letter's script, -1 for what goes with all, and whether the
// character is allowed.
func scriptOf(r rune) (script int, ok bool) {
	if r < unicode.MaxASCII && (unicode.IsDigit(r) || strings.ContainsRune(" ._-'", r)) {
		return -1, true
	}
	if !unicode.IsLetter(r) {
		return 0, false
	}
	for i, table := range scripts {
		if unicode.Is(table, r) {
			// full-width letters and the like look as if they were others
			return i, i > 0 || r < 0x250
		}
	}
	return len(scripts), unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana)
}

// loosely are what people confuse though Unicode tells it apart, small capitals among it, which
// stand for small Cyrillic and Greek letters.
var loosely = strings.NewReplacer(
	"i", "l", "ʙ", "b", "ʜ", "h", "ĸ", "k", "ʍ", "rn", "ᴛ", "t", "ꞓ", "e", " ", "", ".", "", "_", "", "-", "", "'", "",
)

// Alike reports whether people may confuse two names.
func Alike(a, b string) bool {
	return slices.ContainsFunc(Likenesses(a), func(like string) bool { return slices.Contains(Likenesses(b), like) })
}

// Likenesses returns one or two texts, of which names that people may confuse share one: those that
// are alike by Unicode Technical Standard 39, as they are written and in small letters, whatever
// marks their letters bear.
func Likenesses(name string) []string {
	var likes [2]string
	for i, written := range []string{name, skeleton(name)} {
		likes[i] = loosely.Replace(skeleton(strings.ToLower(written)))
	}
	return slices.Compact(likes[:])
}

// skeleton returns the skeleton of that standard, without marks.
func skeleton(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		return r
	}, confusables.Skeleton(s))
}
