package chain

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/ante-games/ante/money"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/params"
	"github.com/holiman/uint256"
)

// order is what was asked for, by a Request or to fill a gap in the nonces.
type order struct {
	Key      string         `json:"key"` // "": it only fills a gap in the nonces
	For      string         `json:"for"` // Request.Why
	To       common.Address `json:"to"`
	Data     hexutil.Bytes  `json:"data"`
	Value    uint256.Int    `json:"value"`
	Most     uint64         `json:"most,omitempty"` // Request.Most
	Usual    uint64         `json:"usual,omitempty"`
	Failed   bool           `json:"failed,omitempty"`
	Again    bool           `json:"again,omitempty"`
	Deadline uint64         `json:"deadline"` // in the Arena's clock; 0: none
	Defence  bool           `json:"defence"`  // Request.Defence
	Hurry    bool           `json:"hurry,omitempty"`
	Stake    uint256.Int    `json:"stake"` // Request.Stake
	Asset    common.Address `json:"asset,omitzero"`
	Waits    bool           `json:"waits,omitempty"`
}

// job is a transaction on its way, in all its versions. They share a nonce, so that at most one of
// them lands.
type job struct {
	order
	Asked uint64 `json:"asked"` // in the Arena's clock

	Nonce  uint64        `json:"nonce"`
	Gas    uint64        `json:"gas"`
	First  uint64        `json:"first"`  // block at which it was first sent
	Priced uint64        `json:"priced"` // block at which the newest version was signed
	Price  money.Bid     `json:"price"`  // of the newest version
	Raw    hexutil.Bytes `json:"raw"`    // the newest version

	// versions before it that do the same, the newest last, without the data, which it has
	Earlier []hexutil.Bytes `json:"earlier"`
	Sent    []common.Hash   `json:"sent"` // all versions, the newest last

	By       teller   `json:"by,omitempty"` // who alone said that it works, when it was asked for
	Refused  uint64   `json:"refused"`      // how often in a row the contract was found to refuse it
	Why      string   `json:"why"`          // it is being cancelled, and why
	Versions int      `json:"versions"`     // of Sent, those before it was cancelled
	Landed   *landing `json:"landed"`

	failure error  // why an endpoint didn't take the newest version
	taken   bool   // an endpoint took a version, or says so
	idle    uint64 // steps since Priced, which count where an endpoint always tells the same block
	crowds  bool   // the account can't pay for it besides what was on its way
	doubted bool   // that it landed is the word of one endpoint of two
	// it landed by the word of all endpoints that tell, of its receipt or of its nonce: a receipt
	// may be the invention of one, and the job wait for a higher price
	mined bool

	proofs map[*endpoint]pace // that it landed, as each shows it
}

// pace says how often something is tried: from a block on, and the pause before that.
type pace struct{ from, pause uint64 }

// name is what people know the job by.
func (j *job) name() string {
	if j.Key == "" {
		return fmt.Sprintf("the filler of nonce %d", j.Nonce)
	}
	return j.Key
}

// landing is where a version was mined.
type landing struct {
	Tx      common.Hash `json:"tx"`
	Block   uint64      `json:"block"`
	Hash    common.Hash `json:"hash"`
	GasUsed uint64      `json:"gasUsed"`
	Fee     uint256.Int `json:"fee"`
	Failed  string      `json:"failed"`           // why it reverted
	Agreed  bool        `json:"agreed,omitempty"` // both endpoints said so of the block, or it proved it
	alone   time.Time   // since when the other endpoint has not been heard about it; zero: it was
}

// longestPause is how many blocks pass at most until it is tried again to prove a landing.
const longestPause = 32

// tries reports whether to try to prove the landing that an endpoint shows, now that both have a
// block: at first, and then ever less often, whatever landing it is. What can't be proved yet may
// be later, and one that lies has the other one asked for few blocks.
func (j *job) tries(by *endpoint, shared uint64) bool {
	if shared < j.proofs[by].from {
		return false
	}
	if j.proofs == nil {
		j.proofs = make(map[*endpoint]pace)
	}
	pause := min(max(1, 2*j.proofs[by].pause), longestPause)
	j.proofs[by] = pace{shared + pause, pause}
	return true
}

// cancelled reports whether a job does nothing but take its nonce. One that fills a gap never did
// more.
func (j *job) cancelled() bool { return j.Why != "" }

// cancel turns a job into an empty transfer that takes its nonce.
func (j *job) cancel(why string) {
	j.Why, j.Versions, j.Gas, j.Earlier = why, len(j.Sent), params.TxGas, nil
}

// answers reports whether a job is an answer that is not cancelled.
func (j *job) answers() bool { return j.Defence && !j.cancelled() }

// level says who is paid first: answers that can't wait, then those that can, then what is none.
func (j *job) level() int {
	switch {
	case !j.Defence:
		return 0
	case j.Waits:
		return 1
	}
	return 2
}

// outweighs reports whether another job makes way for an answer where the account can't pay for
// both.
func (j *job) outweighs(other *job) bool {
	if !j.answers() || other.cancelled() || other.Hurry {
		return false
	}
	if j.level() != other.level() {
		return j.level() > other.level()
	}
	return j.Asset == other.Asset && j.Stake.Gt(&other.Stake)
}

// spare reports whether the reserve for disputes may pay for a job: for an answer, and for what
// makes way for one.
func (j *job) spare() bool { return j.Defence || j.cancelled() }

// cancelling reports whether the next version is the first that cancels.
func (j *job) cancelling() bool { return j.cancelled() && len(j.Sent) > 0 && len(j.Sent) == j.Versions }

// worst returns the most that the job may cost, in wei.
func (j *job) worst() *uint256.Int {
	cost := new(uint256.Int).Mul(uint256.NewInt(j.Gas), uint256.NewInt(j.Price.Cap))
	if !j.cancelled() {
		cost.Add(cost, &j.Value)
	}
	return cost
}

// call is what its transaction says.
func (j *job) call() []byte {
	if j.cancelled() {
		return nil
	}
	return j.Data
}

// isCancel says whether a version is one that cancels.
func (j *job) isCancel(tx common.Hash) bool {
	return j.cancelled() && slices.Index(j.Sent, tx) >= j.Versions
}

// report says how the job stands.
func (j *job) report() Report {
	r := Report{Key: j.Key, Why: j.For, Progress: Waiting, Nonce: j.Nonce}
	if len(j.Sent) > 0 {
		r.Tx = j.Sent[len(j.Sent)-1]
	}
	switch {
	case j.Landed != nil && !j.isCancel(j.Landed.Tx): // what was to be cancelled took effect
	case j.Why == ErrMadeWay.Error():
		r.Err = ErrMadeWay
	case j.cancelled():
		r.Err = &Reverted{Reason: errors.New(j.Why)}
	}
	if j.Landed != nil {
		r.Progress, r.Tx, r.Block, r.GasUsed, r.Fee = Mined, j.Landed.Tx, j.Landed.Block, j.Landed.GasUsed, j.Landed.Fee
		if j.Landed.Failed != "" {
			r.Err = &Reverted{Reason: errors.New(j.Landed.Failed)}
		}
	}
	return r
}

// outcome is what is kept of a job that is over.
type outcome struct {
	Landed  landing `json:"landed"`
	Dropped string  `json:"dropped"` // it never took effect, and why
	Nonce   uint64  `json:"nonce"`
	For     string  `json:"for"` // Request.Why
}

func (o *outcome) report(key string) Report {
	j := job{order: order{Key: key, For: o.For}, Nonce: o.Nonce, Landed: &o.Landed, Why: o.Dropped, Sent: []common.Hash{o.Landed.Tx}}
	r := j.report()
	r.Progress = Done
	if o.Dropped != "" {
		r.Progress = Dropped
	}
	return r
}

const bookVersion = 2 // in 1 all jobs were in place

// book is what is stored of an account. Each job has a record of its own: how many there are, and
// how long, is for those to say who start disputes, and all together could be more than a store
// takes at once.
type book struct {
	Version int    `json:"version"`
	Jobs    []*job `json:"jobs,omitempty"` // by nonce
	// the nonces below it are used, as far as is known: every endpoint said so, or one of our own
	// transactions took the last of them
	Used uint64 `json:"used,omitempty"`
}

// settle returns the nonce to go by where endpoints tell different ones: the lower, because what is
// sent with one too high never lands; but none that is known to be used, as long as an endpoint
// says so, too.
func (b *book) settle(low, high uint64) uint64 { return max(low, min(b.Used, high)) }

func decodeBook(stored []byte) (*book, error) {
	b := &book{Version: bookVersion}
	if len(stored) == 0 {
		return b, nil
	}
	if err := json.Unmarshal(stored, b); err != nil {
		return nil, fmt.Errorf("the stored transactions are damaged: %w: restore the data directory, or choose another gas account", err)
	}
	if b.Version < 1 || b.Version > bookVersion {
		return nil, fmt.Errorf("the stored transactions are of version %d, this program knows version %d: use a newer program", b.Version, bookVersion)
	}
	b.Version = bookVersion
	for _, j := range b.Jobs {
		if err := j.check(); err != nil {
			return nil, err
		}
	}
	return b, nil
}

// put puts a job in, in the place of what was stored of it before.
func (b *book) put(encoded []byte) error {
	j := new(job)
	if err := json.Unmarshal(encoded, j); err != nil {
		return fmt.Errorf("a stored transaction is damaged: %w: restore the data directory, or choose another gas account", err)
	}
	b.Jobs = append(slices.DeleteFunc(b.Jobs, func(other *job) bool { return other.name() == j.name() }), j)
	slices.SortFunc(b.Jobs, byNonce)
	return j.check()
}

// check checks that what was sent can be sent again.
func (j *job) check() error {
	if _, err := j.versions(); err != nil {
		return fmt.Errorf("the stored transaction with nonce %d is damaged: %w: restore the data directory, or choose another gas account", j.Nonce, err)
	}
	return nil
}

// maxEarlier caps the versions of a job that are kept besides the newest.
const maxEarlier = 8

// versions returns what may be sent, the newest first.
func (j *job) versions() (list []*types.Transaction, err error) {
	for _, raw := range slices.Backward(append(slices.Clone(j.Earlier), j.Raw)) {
		tx := new(types.Transaction)
		if err := tx.UnmarshalBinary(raw); err != nil {
			return nil, err
		}
		if len(list) > 0 && len(tx.Data()) == 0 {
			tx = withData(tx, list[0].Data())
		}
		list = append(list, tx)
	}
	return list, nil
}

// full reports whether one more version that bids the same would have the first of them forgotten:
// a pool that has that one refuses the others, as if it wanted a higher bid.
func (j *job) full() bool {
	list, err := j.versions()
	return err == nil && len(list) > maxEarlier && list[maxEarlier].GasFeeCapCmp(list[0]) >= 0
}

// shortened returns a version without its data: that prices are raised must not make a job much
// longer.
func shortened(raw hexutil.Bytes) hexutil.Bytes {
	tx := new(types.Transaction)
	if tx.UnmarshalBinary(raw) != nil {
		return raw
	}
	short, err := withData(tx, nil).MarshalBinary()
	if err != nil {
		return raw
	}
	return short
}

// withData returns a signed transaction with other data, and the signature that it has.
func withData(tx *types.Transaction, data []byte) *types.Transaction {
	v, r, s := tx.RawSignatureValues()
	return types.NewTx(&types.DynamicFeeTx{
		ChainID: tx.ChainId(), Nonce: tx.Nonce(), GasTipCap: tx.GasTipCap(), GasFeeCap: tx.GasFeeCap(), Gas: tx.Gas(),
		To: tx.To(), Value: tx.Value(), Data: data, V: v, R: r, S: s,
	})
}
