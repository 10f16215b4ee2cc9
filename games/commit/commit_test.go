package commit

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"log/slog"
	"math/big"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/accounts/abi"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
)

var (
	tag     = NewTag("ante.test")
	matchID = common.HexToHash("0xabcdef")
	secret  = common.HexToHash("0x5ec7e75ec7e75ec7e75ec7e75ec7e75ec7e75ec7e75ec7e75ec7e75ec7e75ec7")
)

// marked is a random source that shows where its bytes go.
type marked struct{}

func (marked) Read(b []byte) (int, error) {
	for i := range b {
		b[i] = "\xd6\x3b"[i%2]
	}
	return len(b), nil
}

func openVault(t *testing.T, s Secrets) Vault {
	t.Helper()
	v, err := Open(s, matchID, 1, marked{})
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// The hash is that of go-ethereum's own ABI encoding.
func TestHash(t *testing.T) {
	word, _ := abi.NewType("bytes32", "", nil)
	number, _ := abi.NewType("uint256", "", nil)
	args := abi.Arguments{{Type: word}, {Type: word}, {Type: number}, {Type: number}, {Type: word}, {Type: word}}
	salt := common.HexToHash("0x5a17")
	for _, s := range []Scope{{}, {tag, matchID, 15, 0}, {tag, matchID, 255, 1<<32 - 1}, {tag, matchID, 0, 0x01020304}} {
		b, err := args.Pack([32]byte(s.Tag), [32]byte(s.MatchID), big.NewInt(int64(s.Seat)), big.NewInt(int64(s.Round)),
			[32]byte(secret), [32]byte(salt))
		if err != nil {
			t.Fatal(err)
		}
		if got := s.Hash(secret, salt); got != crypto.Keccak256Hash(b) {
			t.Errorf("%+v: %v", s, got)
		}
	}
}

func TestVault_KeepsAcrossRestart(t *testing.T) {
	v := openVault(t, Secrets{})
	first, err := v.Commit(tag, 0, secret)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := v.Commit(tag, 7, common.Hash{1}); err != nil {
		t.Fatal(err)
	}
	v = openVault(t, Load(v.Secrets().Expose()))
	got, salt, err := v.Secret(tag, 0)
	if err != nil || got != secret {
		t.Fatalf("secret %x, %v", got, err)
	}
	if (Scope{tag, matchID, 1, 0}).Hash(got, salt) != first {
		t.Error("the kept secret and salt do not open the commitment")
	}
	if again, err := v.Commit(tag, 0, secret); err != nil || again != first {
		t.Errorf("committed again to %x, %v", again, err)
	}
	if _, err := v.Commit(tag, 0, common.Hash{2}); !errors.Is(err, ErrCommitted) {
		t.Errorf("another secret: %v", err)
	}
	for _, missing := range []struct {
		tag   Tag
		round uint32
	}{{tag, 1}, {NewTag("other"), 0}} {
		if _, _, err := v.Secret(missing.tag, missing.round); !errors.Is(err, ErrNoSecret) {
			t.Errorf("%v: %v", missing, err)
		}
	}
	if !v.Has(tag, 7) || v.Has(tag, 1) {
		t.Error("Has is wrong")
	}
}

// Salts are drawn anew for each commitment, all 32 bytes of them.
func TestVault_Salts(t *testing.T) {
	v, err := Open(Secrets{}, matchID, 0, &counter{})
	if err != nil {
		t.Fatal(err)
	}
	seen := make(map[common.Hash]bool)
	for round := range uint32(10) {
		if _, err := v.Commit(tag, round, secret); err != nil {
			t.Fatal(err)
		}
		_, salt, _ := v.Secret(tag, round)
		for i := 1; i < 32; i++ {
			if salt[i] != salt[i-1]+1 {
				t.Fatalf("salt %x is not read from the source", salt)
			}
		}
		seen[salt] = true
	}
	if len(seen) != 8 { // 32 bytes at a time of a counter of 8 bits
		t.Errorf("%d different salts", len(seen))
	}
	v, _ = Open(Secrets{}, matchID, 0, strings.NewReader("too short"))
	if _, err := v.Commit(tag, 0, secret); err == nil || v.Has(tag, 0) {
		t.Errorf("committed without randomness: %v", err)
	}
	if _, err := (Vault{}).Commit(tag, 0, secret); err == nil {
		t.Error("a zero Vault commits")
	}
}

type counter struct{ n byte }

func (c *counter) Read(b []byte) (int, error) {
	for i := range b {
		b[i] = c.n
		c.n++
	}
	return len(b), nil
}

func TestSecrets_Refused(t *testing.T) {
	v := openVault(t, Secrets{})
	if _, err := v.Commit(tag, 0, secret); err != nil {
		t.Fatal(err)
	}
	good := v.Secrets().Expose()
	change := func(f func(b []byte) []byte) Secrets { return Load(f(bytes.Clone(good))) }
	for name, s := range map[string]Secrets{
		"version": change(func(b []byte) []byte { b[0] = 2; return b }),
		"match":   change(func(b []byte) []byte { b[1]++; return b }),
		"seat":    change(func(b []byte) []byte { b[33]++; return b }),
		"cut":     change(func(b []byte) []byte { return b[:len(b)-1] }),
		"head":    change(func(b []byte) []byte { return b[:10] }),
		"longer":  change(func(b []byte) []byte { return append(b, 0) }),
	} {
		_, err := Open(s, matchID, 1, marked{})
		if !errors.Is(err, ErrSecrets) {
			t.Errorf("%s: %v", name, err)
		}
		if err != nil && strings.Contains(err.Error(), "5ec7e7") {
			t.Errorf("%s: the error tells the secret: %v", name, err)
		}
	}
	if (Secrets{}).Expose() != nil || Load(nil).Expose() != nil {
		t.Error("no secrets are not nothing")
	}
}

// Nothing prints a vault or its secrets: no verb, no encoder, no logger, not even as an unexported
// field of another struct.
func TestAttack_LoggedSecret(t *testing.T) {
	v := openVault(t, Secrets{})
	if _, err := v.Commit(tag, 0, secret); err != nil {
		t.Fatal(err)
	}
	s := v.Secrets()
	type holder struct {
		v  Vault
		s  Secrets
		pv *Vault
		l  []Secrets
		m  map[string]any
	}
	h := holder{v, s, &v, []Secrets{s}, map[string]any{"s": s, "v": &v}}
	var out strings.Builder
	for _, value := range []any{v, &v, s, &s, h, &h, []any{v, s}, map[string]any{"v": v}, fmt.Errorf("wrapped: %v %v", v, s)} {
		for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%X", "%d", "%o", "%b", "%c", "%U", "%e", "%t", "%08x", "% x", "%T"} {
			fmt.Fprintf(&out, verb+"\n", value)
		}
		fmt.Fprintln(&out, value)
		if b, err := json.Marshal(value); err == nil {
			out.Write(b)
		}
		if b, err := xml.Marshal(value); err == nil {
			out.Write(b)
		}
		slog.New(slog.NewTextHandler(&out, nil)).Info("m", "value", value)
		slog.New(slog.NewJSONHandler(&out, nil)).Info("m", "value", value)
	}
	text := strings.ToLower(out.String())
	for name, b := range map[string][]byte{"secret": secret[:6], "salt": {0xd6, 0x3b, 0xd6, 0x3b, 0xd6}} {
		for form, hidden := range map[string]string{
			"hex": fmt.Sprintf("%x", b), "spaced hex": fmt.Sprintf("% x", b), "decimals": fmt.Sprint(b)[1:], "commas": strings.Trim(strings.ReplaceAll(fmt.Sprintf("%#v", b), "[]byte", ""), "{}"),
			"raw": strings.ToLower(string(b)),
		} {
			if i := strings.Index(text, strings.TrimSuffix(hidden, "]")); i >= 0 {
				t.Errorf("the %s is printed in %s: …%s…", name, form, text[max(0, i-80):min(len(text), i+80)])
			}
		}
	}
	if !strings.Contains(text, Redacted) {
		t.Error("nothing was printed at all")
	}
}

func FuzzSecrets(f *testing.F) {
	v, err := Open(Secrets{}, matchID, 1, marked{})
	if err != nil {
		f.Fatal(err)
	}
	if _, err := v.Commit(tag, 3, secret); err != nil {
		f.Fatal(err)
	}
	f.Add(v.Secrets().Expose())
	f.Fuzz(func(t *testing.T, b []byte) {
		v, err := Open(Load(b), matchID, 1, marked{})
		if err != nil {
			return
		}
		again := v.Secrets().Expose()
		if len(b) > secretsHead && !bytes.Equal(b, again) {
			t.Errorf("%x is read, and written as %x", b, again)
		}
	})
}
