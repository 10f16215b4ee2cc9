package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/ante-games/ante/chain"
	"github.com/ante-games/ante/chain/deploy"
	"github.com/ante-games/ante/cmd/channeld/internal/config"
	"github.com/ante-games/ante/cmd/channeld/internal/daemon"
	"github.com/ante-games/ante/cmd/channeld/internal/network"
	"github.com/ante-games/ante/games/foreign"
	"github.com/ante-games/ante/internal/files"
	"github.com/ante-games/ante/node/wei"
	"github.com/ante-games/ante/store"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
	"github.com/spf13/cobra"
)

// deployment is what the user wants on a chain.
type deployment struct {
	*app
	out                  string
	clock                string // seconds or blocks
	minWindow, maxWindow uint64 // of channels, in the clock
	yes                  *bool
}

func deployCommand(a *app) *cobra.Command {
	d := deployment{app: a}
	cmd := &cobra.Command{Use: "deploy", Short: "Put the Arena and the games on a chain", Args: cobra.NoArgs,
		Long: "Put the Arena, the score board and the rules of all games on a chain, and write the settings of daemons there. Your account\n" +
			"pays. Addresses follow from the code, the clock and the windows, and are the same on every chain. What is there already\n" +
			"is compared and not paid for again, so that deploying may be repeated when it fails.",
		Example: "  channeld --dir deployer init --chain.url https://… --chain.id 11155111\n" +
			"  channeld --dir deployer deploy\n  channeld --dir alice run --network network.yaml"}
	config.Flags(cmd.Flags())
	cmd.Flags().StringVar(&d.out, "out", "network.yaml", "file to write the settings to")
	cmd.Flags().StringVar(&d.clock, "clock", "seconds", "what the Arena counts time in: seconds, or blocks of the chain")
	cmd.Flags().Uint64Var(&d.minWindow, "min-window", 3600, "least window of a channel, in the Arena's clock")
	cmd.Flags().Uint64Var(&d.maxWindow, "max-window", 30*day, "greatest window of a channel, in the Arena's clock")
	d.yes = yesFlag(cmd)
	cmd.RunE = func(c *cobra.Command, _ []string) error {
		settings, err := a.config(c)
		if err == nil {
			err = d.check()
		}
		if err != nil {
			return err
		}
		ring, err := a.unlock(settings)
		if err != nil {
			return err
		}
		signer, err := daemon.Deployer(&settings.Keys, ring)
		if err != nil {
			return err
		}
		return d.send(c.Context(), settings, signer)
	}
	return cmd
}

// check finds what is wrong before anything is asked or sent.
func (d *deployment) check() error {
	if d.clock != "seconds" && d.clock != "blocks" {
		return fmt.Errorf("--clock %s: want seconds or blocks", d.clock)
	}
	if d.minWindow < 4 || d.maxWindow < d.minWindow || d.maxWindow >= 1<<40 {
		return fmt.Errorf("--min-window %d, --max-window %d: want 4 at least, in ascending order, and less than 2^40", d.minWindow, d.maxWindow)
	}
	if _, err := os.Lstat(d.out); err == nil {
		return fmt.Errorf("there is a file %s already: name another with --out", d.out)
	}
	return nil
}

// contracts returns what is deployed: first the Arena, then the score board, then the games.
func (d *deployment) contracts() (list []deploy.Contract) {
	arena := deploy.Arena(d.clock == "blocks", d.minWindow, d.maxWindow)
	list = append(list, arena, deploy.Scoreboard(arena.Address()))
	for _, g := range d.Games {
		list = append(list, deploy.Contract{Name: g.Name, Init: g.Contract})
	}
	return list
}

// suitable returns what is deployed on a chain: where contracts are told the numbers of another
// chain's blocks neither an Arena whose clock counts them nor a game that draws from their hashes.
func (d *deployment) suitable(ctx context.Context, client *chain.Client) ([]deploy.Contract, error) {
	own, _, err := client.OwnNumbers(ctx)
	if err != nil || own {
		return d.contracts(), err
	}
	if d.clock == "blocks" {
		return nil, errors.New("--clock blocks: " + chain.OtherNumbers + "; take --clock seconds")
	}
	return slices.DeleteFunc(d.contracts(), func(c deploy.Contract) bool {
		g, err := d.Games.Find(c.Name)
		if err != nil {
			return false
		}
		_, pure, _ := foreign.Deployed(g) // what has no code is not pure
		if !pure {
			fmt.Fprintf(d.Err, "Without %s: %s, so that bets could be closed after a draw.\n", g.Name, chain.OtherNumbers)
		}
		return !pure
	}), nil
}

// send deploys what is missing, and writes the settings.
func (d *deployment) send(ctx context.Context, settings *config.Config, signer chain.Signer) error {
	of := &settings.Chain
	endpoints := of.Endpoints()
	endpoints.Alarm = func(alarm chain.Alarm) { fmt.Fprintln(d.Err, clean(alarm.String())) }
	client, err := chain.Dial(ctx, endpoints)
	if err != nil {
		return err
	}
	defer client.Close()
	list, err := d.suitable(ctx, client)
	if err != nil {
		return err
	}
	suits, err := d.settings(settings, network.Of(client.ChainID()))
	if err != nil {
		return err
	}
	plan, err := deploy.Look(ctx, client, list)
	if err != nil {
		return err
	}
	before, err := d.mayDeploy(ctx, plan, client, signer.Address(), &settings.Fees)
	if err != nil {
		return err
	}
	sender, err := chain.NewSender(client, chain.SenderConfig{
		Signer: signer, Store: store.NewMemory(), Confirmations: settings.Wait.Confirmations,
		// nothing is at stake, so the account may be emptied
		Fees: chain.Fees{Max: settings.Fees.Max, UrgentMax: settings.Fees.Urgent, Reserve: 1},
		Now: func(ctx context.Context) (uint64, error) {
			head, err := client.Head(ctx)
			return head.Time, err
		},
	})
	if err != nil {
		return err
	}
	var from uint64
	shows := d.progress()
	err = plan.Send(ctx, deploy.Sending{
		Client: client, Sender: sender, Poll: settings.Wait.Poll,
		Waits: func(name string) { shows.at(name + ": waits for a block") },
		Done: func(name string, r chain.Report) {
			shows.past(fmt.Sprintf("%s: in block %d, for %s", name, r.Block, wei.Format(&r.Fee)))
			if name == plan.Steps[0].Name {
				from = r.Block
			}
		},
	})
	shows.done()
	if err != nil {
		return fmt.Errorf("%w; run the command again: what is deployed is not paid for twice", err)
	}
	if from == 0 {
		from, err = client.Since(ctx, plan.Steps[0].Address())
		if errors.Is(err, chain.ErrNoHistory) && of.From != 0 {
			from, err = of.From, nil
		}
		if err != nil {
			return fmt.Errorf("look since when the Arena is there: %w: say it with --chain.from (a block explorer shows when %v was created)", err, plan.Steps[0].Address())
		}
	}
	after, err := client.Balance(ctx, signer.Address())
	if err != nil {
		return err
	}
	n := network.Network{URL: of.URL, ID: client.ChainID(), From: from, More: suits}
	return d.deployed(n, plan, new(uint256.Int).Sub(before, after))
}

// mayDeploy says what deploying costs, sees that the account has it, and asks. It returns what the
// account has.
func (d *deployment) mayDeploy(ctx context.Context, plan *deploy.Plan, client *chain.Client, payer common.Address, fees *config.Fees) (*uint256.Int, error) {
	have, err := client.Balance(ctx, payer)
	if err != nil || len(plan.Missing()) == 0 {
		return have, err
	}
	head, err := client.Head(ctx)
	if err != nil {
		return nil, err
	}
	market, err := client.Market(ctx, head)
	if err != nil {
		return nil, err
	}
	price := market.Price()
	gas, cost := plan.Cost(market)
	if fees.Max != 0 && price > fees.Max {
		return nil, fmt.Errorf("gas costs %s and fees.max is %s: wait, or raise it", wei.Gwei(uint256.NewInt(price)), wei.Gwei(uint256.NewInt(fees.Max)))
	}
	if have.Lt(cost) {
		return nil, fmt.Errorf("account %v has %s and deploying costs %s (%d gas at %s): send it some ether", payer, wei.Format(have), wei.Rough(wei.Format(cost)), gas,
			wei.Gwei(uint256.NewInt(price)))
	}
	fmt.Fprintf(d.Err, "To chain %d: %d contracts, %d gas at %s: %s. Account %v pays and has %s.\n", client.ChainID(), len(plan.Missing()), gas,
		wei.Gwei(uint256.NewInt(price)), wei.Rough(wei.Format(cost)), payer, wei.Format(have))
	of := network.Of(client.ChainID())
	if of.Rollup && market.Byte == 0 { // it is no part of the cost
		fmt.Fprintf(d.Err, "Besides, %s charges for the data of transactions.\n", of.Name)
	}
	if of.Rollup {
		fmt.Fprintf(d.Err, "One party makes the blocks of %s: while it stops, nobody can answer, and clocks run on. Let windows be a day.\n", of.Name)
	}
	if !plan.Factory {
		fmt.Fprintln(d.Err, "The chain lacks the factory of contracts "+deploy.Factory.Hex()+", which is made first, for 0.01 eth.")
	}
	if *d.yes {
		return have, nil
	}
	return have, d.agree()
}

// deployed writes the settings, and says where everything is.
func (d *deployment) deployed(n network.Network, plan *deploy.Plan, paid *uint256.Int) error {
	n.Arena, n.Scoreboard, n.Games = plan.Steps[0].Address(), plan.Steps[1].Address(), map[string]common.Address{}
	for _, s := range plan.Steps[2:] {
		n.Games[s.Name] = s.Address()
	}
	text := n.Text("Chain " + fmt.Sprint(n.ID) + ": channeld run --network " + d.out)
	if err := files.WriteNew(filepath.Dir(d.out), filepath.Base(d.out), []byte(text)); err != nil {
		return fmt.Errorf("%w; run the command again: what is deployed is not paid for twice", err)
	}
	return d.report(map[string]any{"arena": n.Arena.Hex(), "scoreboard": n.Scoreboard.Hex(), "from": n.From, "paid": paid.Dec(), "network": d.out},
		"The Arena is at %v, and everything else is in %s; you paid %s.\nThe file has your endpoint's address: give others a copy with theirs.\n"+
			"next: channeld --dir alice run --network %s\n", n.Arena, d.out, wei.Format(paid), d.out)
}

// day is the window that nobody chose, in seconds.
const day = 86400

// settings returns what suits the chain, besides where it is. It fails where nodes would refuse the
// window: see checkWindow of package node.
func (d *deployment) settings(s *config.Config, of network.Profile) (map[string]string, error) {
	window, confirmations, poll := s.Play.Window, s.Wait.Confirmations, s.Wait.Poll
	if confirmations == 0 {
		confirmations, poll = of.Confirmations, of.Poll()
	}
	if d.clock == "blocks" && window == day {
		window = uint64(day * time.Second / of.Block) //nolint:gosec // positive
	}
	window = min(max(window, d.minWindow), d.maxWindow)
	final, known := cmp.Or(confirmations, chain.DefaultConfirmations)-1, true
	if d.clock == "seconds" {
		final, known = uint64(time.Duration(final)*of.Block/time.Second), of.Confirmations != 0 //nolint:gosec // few
	}
	if known && final > window/8 {
		return nil, fmt.Errorf("a window of %d %s is too short: a block is final after %d, and daemons refuse windows of less than eight times that: "+
			"give a longer --play.window (at most --max-window), or fewer --wait.confirmations", window, d.clock, final)
	}
	return map[string]string{
		"play.window":        fmt.Sprint(window),
		"wait.confirmations": fmt.Sprint(confirmations), "wait.poll": poll.String(), "chain.max_age": s.Chain.MaxAge.String(),
	}, nil
}
