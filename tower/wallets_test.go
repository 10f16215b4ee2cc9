package tower

import (
	"encoding/json"
	"errors"
	"math/big"
	"testing"
	"time"

	"github.com/ante-games/ante/contracts/bindings/testbindings"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/message"
	"github.com/ante-games/ante/store/storetest"
	"github.com/ante-games/ante/transport"
	"github.com/ante-games/ante/transport/budget"
	"github.com/ethereum/go-ethereum/common"
)

// TestSeatsOfWallets: a contract wallet is asked whom it appointed as its deputy; for an account
// that has shown a seat also while strangers use up what is asked for them.
func TestSeatsOfWallets(t *testing.T) {
	s := besiege(t, nil)
	made, err := s.world.Chain.Deploy(t.Context(), append(common.FromHex(testbindings.TestWalletMetaData.Bin), testbindings.NewTestWallet().PackConstructor(s.owners[0].Address())...))
	s.must(err)
	wallet, once := made.ContractAddress, common.Hash{1}
	envoy, asks := any(handler{s.Tower}).(transport.Envoy)
	if !asks || envoy.Deputy() != nil {
		t.Fatal("a tower takes no contract wallets")
	}
	ask := func(by *protocol.Key, digest common.Hash) error {
		sig := s.sign(by, digest)
		return envoy.Wallet("", wallet, digest, append(sig[:], make([]byte, 32)...))
	}
	s.must(ask(s.owners[0], once))
	if err := ask(s.owners[1], common.Hash{2}); !errors.Is(err, protocol.ErrSignature) {
		t.Errorf("appointed by another: %v", err)
	}
	flood := func() {
		for s.budgets.chain.Allow(budget.Who{Account: wallet}) {
		}
	}
	flood()
	if err := ask(s.owners[0], once); !errors.Is(err, ErrBusy) || errors.Is(err, protocol.ErrSignature) {
		t.Errorf("a stranger, of whom many came: %v", err)
	}
	s.now = s.now.Add(1e12)
	s.seat(common.Address{}, wallet)
	s.disk.fail(storetest.ErrCrash, storetest.Commit) // it is good all the same
	s.must(ask(s.owners[0], once))
	s.disk.fail(nil, storetest.Commit)
	flood()
	if err := ask(s.owners[0], once); err != nil {
		t.Errorf("a seat, when many strangers came: %v", err)
	}
	s.seat(wallet, common.Address{})
	if err := ask(s.owners[0], once); !errors.Is(err, ErrBusy) {
		t.Errorf("a seat that is gone: %v", err)
	}
	s.stop()
	if err := (handler{&Tower{run: s.run, ready: make(chan struct{})}}).Wallet("", wallet, once, nil); !errors.Is(err, errClosed) {
		t.Errorf("closed before it began: %v", err)
	}
}

// TestAttack_TowerFlood_Deputies: those in one place of the network claim to be deputies of ever
// other accounts, for each of which the chain is asked. They leave questions to who comes from
// elsewhere.
func TestAttack_TowerFlood_Deputies(t *testing.T) {
	s := besiege(t, nil)
	asked := func(group string, number uint64) error {
		return handler{s.Tower}.Wallet(group, common.BigToAddress(new(big.Int).SetUint64(1<<32+number)), common.Hash{1}, make([]byte, 97))
	}
	number := uint64(0)
	for range 2 {
		s.now = s.now.Add(time.Second)
		for err := error(nil); !errors.Is(err, ErrBusy); number++ {
			err = asked("192.0.2.0/24", number)
		}
	}
	if err := asked("198.51.100.0/24", number); errors.Is(err, ErrBusy) {
		t.Errorf("from elsewhere: %v", err)
	}
}

// TestAttack_FalseDeputy_Restart: a tower that was started again takes a seat's deputy however many
// strangers claim to be that.
func TestAttack_FalseDeputy_Restart(t *testing.T) {
	s := besiege(t, nil)
	made, err := s.world.Chain.Deploy(t.Context(), append(common.FromHex(testbindings.TestWalletMetaData.Bin), testbindings.NewTestWallet().PackConstructor(s.owners[1].Address())...))
	s.must(err)
	wallet, once := made.ContractAddress, common.Hash{1}
	ask := func() error {
		sig := s.sign(s.owners[1], once)
		return handler{s.Tower}.Wallet("", wallet, once, append(sig[:], make([]byte, 32)...))
	}
	s.entrust()
	value, err := json.Marshal(&holding{Account: wallet})
	s.must(err)
	s.must(s.config.Store.Commit(map[string][]byte{holdingKey(common.Hash{1}, 0): value, "proved/" + common.Address{9}.Hex(): once[:]}))
	s.seat(common.Address{}, wallet)
	s.must(ask())
	s.must(s.Close())
	s.Tower, err = Start(t.Context(), s.config)
	s.must(err)
	for s.budgets.chain.Allow(budget.Who{Account: wallet}) {
	}
	s.must(ask())
	if left, err := s.config.Store.Get("proved/" + common.Address{9}.Hex()); err != nil || left != nil {
		t.Errorf("that of an account without a seat: %x, %v", left, err)
	}
}

// TestAttack_FalseDeputy_Shown: a seat's deputy that was good before the seat was shown is taken
// again however many strangers claim to be that, also after a restart.
func TestAttack_FalseDeputy_Shown(t *testing.T) {
	s := besiege(t, nil)
	made, err := s.world.Chain.Deploy(t.Context(), append(common.FromHex(testbindings.TestWalletMetaData.Bin), testbindings.NewTestWallet().PackConstructor(s.owners[1].Address())...))
	s.must(err)
	wallet, once := made.ContractAddress, common.Hash{1}
	again := func() error {
		for s.budgets.chain.Allow(budget.Who{Account: wallet}) {
		}
		sig := s.sign(s.owners[1], once)
		return handler{s.Tower}.Wallet("", wallet, once, append(sig[:], make([]byte, 32)...))
	}
	sig := s.sign(s.owners[1], once)
	s.must(handler{s.Tower}.Wallet("", wallet, once, append(sig[:], make([]byte, 32)...)))
	if err := again(); !errors.Is(err, ErrBusy) {
		t.Errorf("it has shown no seat: %v", err)
	}
	f, err := s.opening(s.id)
	s.must(err)
	s.must(s.keep(&budget.Who{Account: wallet, Friend: true}, f, 1, new(holding), message.StoreMark{}, map[string][]byte{}))
	s.must(s.Close())
	s.Tower, err = Start(t.Context(), s.config)
	s.must(err)
	if err := again(); err != nil {
		t.Errorf("it has shown a seat: %v", err)
	}
}
