package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/ante-games/ante/chain"
	"github.com/ante-games/ante/cmd/channeld/internal/config"
	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"github.com/spf13/cobra"
)

// progress shows how far something is that takes blocks: on a terminal by a line that is redrawn,
// elsewhere by a line for each new state, and not at all with --json.
type progress struct {
	out     io.Writer
	redraws bool
	began   time.Time
	shown   string
}

func (a *app) progress() *progress {
	p := &progress{out: a.Err, redraws: a.redraws(a.Err), began: time.Now()}
	if a.json {
		p.out, p.redraws = io.Discard, false
	}
	return p
}

// at shows a state.
func (p *progress) at(state string) {
	switch {
	case p.redraws:
		fmt.Fprintf(p.out, "\r\x1b[K%s (%s)", state, time.Since(p.began).Truncate(time.Second))
	case state != p.shown:
		fmt.Fprintln(p.out, state)
	}
	p.shown = state
}

// past shows what is done for good.
func (p *progress) past(what string) {
	p.done()
	fmt.Fprintln(p.out, what)
}

// done takes the line away that is redrawn.
func (p *progress) done() {
	if p.redraws {
		fmt.Fprint(p.out, "\r\x1b[K")
	}
}

// waitFlag has the user say whether a command stays until what it began is done. It returns what
// tells once the flags are read.
func (a *app) waitFlag(cmd *cobra.Command) (stays func() bool) {
	wait := cmd.Flags().Bool("wait", false, "stay until it is done, and show how far it is (the default on a terminal: --wait=false does not)")
	return func() bool {
		return *wait || !cmd.Flags().Changed("wait") && !a.json && a.redraws(a.Err) && a.redraws(a.Out)
	}
}

// beat is how often is looked how far something is.
const beat = time.Second

var errLeft = errors.New("interrupted: it goes on by itself")

// follow shows how far something is until it is done. A daemon that goes away meanwhile is waited
// for.
func (api *remote) follow(look func() (state string, done bool, err error)) error {
	p := api.progress()
	defer p.done()
	for {
		state, done, err := look()
		switch {
		case api.ctx.Err() != nil:
			return errLeft
		case done:
			return err
		case err != nil && !lost(err):
			return err
		case err != nil:
			state = "the daemon is away: this goes on once it is back"
		}
		p.at(state)
		select {
		case <-time.After(beat):
		case <-api.ctx.Done():
			return errLeft
		}
	}
}

// transaction returns a transaction of the daemon's as it is now, nil if it is not there, or old.
func (api *remote) transaction(key string) (*antev1.Transaction, error) {
	r, err := call(api, api.ListTransactions, &antev1.ListTransactionsRequest{})
	for _, t := range r.GetTransactions() {
		if t.Key == key {
			return t, nil
		}
	}
	return nil, err
}

// inBlocks says how far a transaction is: of how many blocks is what the settings say.
func (api *remote) inBlocks(t *antev1.Transaction) string {
	switch {
	case t == nil:
		return "is prepared"
	case t.Block == 0:
		return "waits for a block"
	}
	need := uint64(chain.DefaultConfirmations)
	if c, err := config.Load(api.path(configFile), api.Environ, nil); err == nil {
		need = cmp.Or(c.Wait.Confirmations, need)
	}
	have := uint64(1)
	if s, err := call(api, api.GetStatus, &antev1.GetStatusRequest{}); err == nil && s.Block > t.Block {
		have += s.Block - t.Block
	}
	return fmt.Sprintf("block %d of %d", min(have, need), need)
}

// final shows how far a transaction is until it is final, and returns it as it is then.
func (api *remote) final(t *antev1.Transaction) (now *antev1.Transaction, err error) {
	err = api.follow(func() (string, bool, error) {
		if now, err = api.transaction(t.Key); err != nil {
			return "", false, err
		}
		switch now.GetStatus() {
		case antev1.TransactionStatus_TRANSACTION_STATUS_DROPPED, antev1.TransactionStatus_TRANSACTION_STATUS_FINAL:
			return "", true, nil
		}
		return clean(t.Why) + ": " + api.inBlocks(now), false, nil
	})
	if err == nil && now.Error != "" {
		err = fmt.Errorf("%s: %s", clean(t.Why), clean(now.Error))
	}
	return now, err
}
