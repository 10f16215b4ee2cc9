package deploy

import (
	"context"
	"fmt"
	"time"

	"github.com/ante-games/ante/chain"
	"github.com/ethereum/go-ethereum/common"
)

// Sending is what a plan is carried out with.
type Sending struct {
	Client *chain.Client
	Sender *chain.Sender // of the account that pays; Step is called here
	Poll   time.Duration // between looks at the chain
	// told what is sent and in no block yet, at each look; nil: nobody asks
	Waits func(name string)
	// told what is in a block
	Done func(name string, r chain.Report)
}

// patience is how many looks the code of a contract may take to appear after its transaction: one
// endpoint may be many machines.
const patience = 60

// Send deploys what is missing, one after the other, and looks whether it is what it should be.
// What was deployed when it fails is found by the next Look, and what is on its way by the next
// Send: a contract that is created twice costs the second time, too.
func (p *Plan) Send(ctx context.Context, s Sending) error {
	if len(p.Missing()) == 0 {
		return nil
	}
	if err := s.settle(ctx); err != nil {
		return err
	}
	if err := p.look(ctx, s.Client); err != nil {
		return err
	}
	missing := p.Missing()
	if len(missing) != 0 && !p.Factory {
		if err := s.makeFactory(ctx); err != nil {
			return err
		}
	}
	for _, step := range missing {
		if err := s.mine(ctx, chain.Request{Key: step.Name, Why: "deploy " + step.Name, To: Factory, Data: step.call()}); err != nil {
			return err
		}
		if err := s.appears(ctx, step.Name, step.Address(), step.Code); err != nil {
			return err
		}
	}
	return nil
}

// settle waits until what the account sent before is in a block.
func (s Sending) settle(ctx context.Context) error {
	for {
		n, err := s.Client.Waiting(ctx, s.Sender.Address())
		if err == nil && n == 0 || err != nil && !chain.Temporary(err) {
			return err
		}
		if s.Waits != nil {
			s.Waits("what the account sent before")
		}
		if err := s.wait(ctx); err != nil {
			return err
		}
	}
}

// mine sends a transaction and waits until it is in a block.
func (s Sending) mine(ctx context.Context, request chain.Request) error {
	report, err := s.Sender.Submit(ctx, request)
	for err == nil && report.Progress < chain.Mined {
		if s.Waits != nil {
			s.Waits(request.Key)
		}
		if err = s.wait(ctx); err == nil {
			if _, err = s.Sender.Step(ctx); chain.Temporary(err) {
				err = nil
			}
		}
		if err == nil {
			report, err = s.Sender.Status(request.Key)
		}
	}
	if err == nil {
		err = report.Err
	}
	if err != nil {
		return fmt.Errorf("%s: %w", request.Key, err)
	}
	s.Done(request.Key, report)
	return nil
}

// appears waits until an account has the code that it should have.
func (s Sending) appears(ctx context.Context, name string, at common.Address, want []byte) error {
	for range patience {
		there, err := has(ctx, s.Client, name, at, want)
		if there || err != nil && !chain.Temporary(err) {
			return err
		}
		if err := s.wait(ctx); err != nil {
			return err
		}
	}
	return fmt.Errorf("%s was deployed, and its code does not appear at %v: look for the transaction in a block explorer, and try again", name, at)
}

func (s Sending) wait(ctx context.Context) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(s.Poll):
		return nil
	}
}
