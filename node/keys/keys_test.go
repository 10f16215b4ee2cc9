package keys_test

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ante-games/ante/node/keys"
	"github.com/ante-games/ante/protocol"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
)

const secretWords = "correct horse battery"

func create(t *testing.T, dir string, imported []byte) *keys.Ring {
	t.Helper()
	r, err := keys.Create(dir, keys.NewPassword(secretWords), keys.Light, imported)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestCreateAndOpen(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "keys")
	made := create(t, dir, nil)
	opened, err := keys.Open(dir, keys.NewPassword(secretWords))
	if err != nil {
		t.Fatal(err)
	}
	for name, derive := range map[string]func(*keys.Ring) (*protocol.Key, error){
		"player":  func(r *keys.Ring) (*protocol.Key, error) { return r.Player(), nil },
		"gas":     (*keys.Ring).Gas,
		"session": func(r *keys.Ring) (*protocol.Key, error) { return r.Session(common.Hash{1}) },
	} {
		a, err := derive(made)
		if err != nil {
			t.Fatal(err)
		}
		b, err := derive(opened)
		if err != nil {
			t.Fatal(err)
		}
		if a.Address() != b.Address() {
			t.Errorf("%s key: %s when made, %s after a restart", name, a.Address(), b.Address())
		}
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 2 {
		t.Fatalf("%v, %v; want two files", entries, err)
	}
	for _, e := range entries {
		if info, _ := e.Info(); info.Mode().Perm() != 0o600 {
			t.Errorf("%s has mode %v, want 0600", e.Name(), info.Mode())
		}
	}
	if info, _ := os.Stat(dir); info.Mode().Perm() != 0o700 {
		t.Errorf("the directory has mode %v, want 0700", info.Mode())
	}
}

// TestDerivation pins the derivation: were it to change, nodes would lose the keys of their open
// channels.
func TestDerivation(t *testing.T) {
	r := fixed(t)
	session, err := r.Session(common.HexToHash("0x07"))
	if err != nil {
		t.Fatal(err)
	}
	gas, err := r.Gas()
	if err != nil {
		t.Fatal(err)
	}
	peer, err := r.PeerSeed()
	if err != nil {
		t.Fatal(err)
	}
	got := fmt.Sprintf("%s %s %x", session.Address(), gas.Address(), crypto.Keccak256(peer.Reveal()))
	const want = "0x72c6A2C95380608e539adC6c5c25e5c16dB6e93C 0xDe5194Cc00C99924960Bc32B0be0dD8ef80eD4a2 052a067692e23ea5e76275553859448d9295bc5fb38c9308ca42e7b561058a60"
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	other, err := r.Session(common.HexToHash("0x08"))
	if err != nil || other.Address() == session.Address() || gas.Address() == session.Address() {
		t.Errorf("two purposes share a key: %s %s %s, %v", session.Address(), other.Address(), gas.Address(), err)
	}
}

// fixed opens keys made once and for all.
func fixed(t *testing.T) *keys.Ring {
	t.Helper()
	r, err := keys.Open("testdata", keys.NewPassword(secretWords))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestRefusals(t *testing.T) {
	good := t.TempDir()
	create(t, good, nil)
	player := filepath.Join(good, "player.json")
	for name, c := range map[string]struct {
		do   func() error
		is   error
		says string
	}{
		"wrong password": {func() error { _, err := keys.Open(good, keys.NewPassword("nope")); return err }, keys.ErrPassword, "player.json"},
		"missing":        {func() error { _, err := keys.Open(t.TempDir(), keys.NewPassword("")); return err }, keys.ErrMissing, "init"},
		"overwrite": {func() error {
			_, err := keys.Create(good, keys.NewPassword(secretWords), keys.Light, nil)
			return err
		}, keys.ErrExist, "choose another directory"},
		"short password": {func() error {
			_, err := keys.Create(t.TempDir(), keys.NewPassword("short"), keys.Light, nil)
			return err
		}, nil, "longer"},
		"import with another password": {func() error {
			_, err := keys.Create(t.TempDir(), keys.NewPassword("another password"), keys.Light, read(t, player))
			return err
		}, keys.ErrPassword, ""},
		"garbage":           {func() error { return openGarbled(t, good, "player.json", "garbage") }, keys.ErrCorrupt, "backup"},
		"empty":             {func() error { return openGarbled(t, good, "seed.json", "") }, keys.ErrCorrupt, "backup"},
		"fields missing":    {func() error { return openGarbled(t, good, "seed.json", `{"cipher":"aes-128-ctr","kdf":"scrypt"}`) }, keys.ErrCorrupt, "backup"},
		"foreign key":       {func() error { return openGarbled(t, good, "player.json", `{"version":3,"crypto":{"kdf":"x"}}`) }, keys.ErrCorrupt, "backup"},
		"huge":              {func() error { return openGarbled(t, good, "player.json", strings.Repeat(" ", 1<<17)) }, keys.ErrCorrupt, ""},
		"short iv":          {func() error { return openGarbled(t, good, "seed.json", shortIV(t, good)) }, keys.ErrCorrupt, "backup"},
		"no password file":  {func() error { _, err := keys.ReadPassword(filepath.Join(good, "none")); return err }, os.ErrNotExist, ""},
		"open password":     {func() error { return readPassword(t, "secret\n", 0o644) }, nil, "chmod 600"},
		"empty password":    {func() error { return readPassword(t, "\nsecond line\n", 0o600) }, nil, "first line"},
		"nobody to ask":     {func() error { _, err := keys.AskPassword(t.Context(), pipe(t), new(bytes.Buffer), "?"); return err }, keys.ErrNoTerminal, "password file"},
		"nobody to ask new": {func() error { _, err := keys.AskNewPassword(t.Context(), pipe(t), new(bytes.Buffer)); return err }, keys.ErrNoTerminal, ""},
	} {
		err := c.do()
		if err == nil || c.is != nil && !errors.Is(err, c.is) || !strings.Contains(fmt.Sprint(err), c.says) {
			t.Errorf("%s: %v; want %v that says %q", name, err, c.is, c.says)
		}
	}
	if _, err := keys.Open(good, keys.NewPassword(secretWords)); err != nil {
		t.Errorf("after all that: %v", err)
	}
}

func read(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func openGarbled(t *testing.T, good, name, text string) error {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(good)); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := keys.Open(dir, keys.NewPassword(secretWords))
	return err
}

func shortIV(t *testing.T, good string) string {
	t.Helper()
	var file map[string]any
	if err := json.Unmarshal(read(t, filepath.Join(good, "seed.json")), &file); err != nil {
		t.Fatal(err)
	}
	file["cipherparams"] = map[string]string{"iv": "00"}
	data, err := json.Marshal(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func readPassword(t *testing.T, text string, mode os.FileMode) error {
	t.Helper()
	name := filepath.Join(t.TempDir(), "password")
	if err := os.WriteFile(name, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
	_, err := keys.ReadPassword(name)
	return err
}

func pipe(t *testing.T) *os.File {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _, _ = r.Close(), w.Close() })
	return r
}

func TestPasswordFile(t *testing.T) {
	name := filepath.Join(t.TempDir(), "password")
	for _, text := range []string{secretWords, secretWords + "\n", secretWords + "\r\nmore"} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		password, err := keys.ReadPassword(name)
		if err != nil || string(password.Reveal()) != secretWords {
			t.Errorf("%q is read as another password, %v", text, err)
		}
	}
}

func TestImport(t *testing.T) {
	from, to := t.TempDir(), t.TempDir()
	made := create(t, from, nil)
	got := create(t, to, read(t, filepath.Join(from, "player.json")))
	if got.Player().Address() != made.Player().Address() {
		t.Errorf("imported %s as %s", made.Player().Address(), got.Player().Address())
	}
	a, _ := made.Session(common.Hash{})
	b, _ := got.Session(common.Hash{})
	if a.Address() == b.Address() {
		t.Error("an imported account shares its session keys with the original")
	}
}

// TestAttack_LoggedSecret shows every secret to every way of printing there is and looks for it in
// what comes out.
func TestAttack_LoggedSecret(t *testing.T) {
	r := fixed(t)
	session, _ := r.Session(common.Hash{1})
	peer, _ := r.PeerSeed()
	type holder struct {
		Ring     *keys.Ring
		Key      *protocol.Key
		Seed     keys.Secret
		Password keys.Password
		private  keys.Secret
		hidden   keys.Password
	}
	h := holder{r, session, peer, keys.NewPassword(secretWords), peer, keys.NewPassword(secretWords)}
	var out bytes.Buffer
	values := []any{h, &h, r, *r, session, peer, &peer, h.Password, &h.Password, []any{r, peer, h.Password}, map[string]any{"k": peer}}
	for _, v := range values {
		for _, verb := range []string{"v", "+v", "#v", "s", "q", "x", "X", "d", "o", "b", "c", "U", "e", "t", "T", "# x", "08d"} {
			fmt.Fprintf(&out, "%"+verb+"\n", v)
		}
		fmt.Fprintln(&out, v, fmt.Errorf("wrapped: %v", v))
		if data, err := json.Marshal(v); err == nil {
			out.Write(data)
		}
		slog.New(slog.NewTextHandler(&out, nil)).Info("text", "v", v)
		slog.New(slog.NewJSONHandler(&out, nil)).Info("json", "v", v)
	}
	for name, secret := range map[string][]byte{
		"player": crypto.FromECDSA(r.PlayerKey()), "session": session.Bytes(), "peer": peer.Reveal(), "password": []byte(secretWords),
	} {
		for _, form := range []string{
			string(secret), hex.EncodeToString(secret), strings.ToUpper(hex.EncodeToString(secret)),
			base64.StdEncoding.EncodeToString(secret), strings.Trim(fmt.Sprint(secret), "[]"),
			strings.TrimLeft(fmt.Sprintf("%d", secret), "["), fmt.Sprintf("% x", secret),
		} {
			if strings.Contains(out.String(), form) {
				t.Errorf("the %s secret is shown as %.8s…", name, form)
			}
		}
	}
	if !strings.Contains(out.String(), "[redacted]") || !strings.Contains(out.String(), r.Player().Address().Hex()) {
		t.Error("nothing was printed at all")
	}
}
