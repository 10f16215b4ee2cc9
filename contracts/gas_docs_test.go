package contracts_test

import (
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/ante-games/ante/contracts"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/onchain"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// figure is a number with commas.
func figure(t *testing.T, text string) int64 {
	t.Helper()
	n, err := strconv.ParseInt(strings.ReplaceAll(text, ",", ""), 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// prose reads a page, whose lines may break anywhere.
func prose(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(strings.Fields(string(text)), " ")
}

// TestGasInDocs holds the figures that the pages name to rows of gas.json, or to sums of them.
func TestGasInDocs(t *testing.T) {
	for file, figures := range map[string]map[string]string{
		"../docs/play.md": {
			"score_1":    "the first of both players, ([0-9,]+) gas \\(`score_1`\\)",
			"score_20":   "([0-9,]+) \\(`score_20`\\)",
			"score_paid": "([0-9,]+) \\(`score_paid`\\)",

			"deposit_eth_first+deposit_eth_first+happy_warm": "an opening and a close cost ([0-9,]+) gas together",
			"withdraw_eth": "each withdrawal ([0-9,]+)",
		},
		"../games/sumscows/encoding.txt": {"sumscows_longest": "([0-9,]+) gas with the whole of the Arena's `advance`"},
		"gas_history.txt": {
			"settle": `\| \*\*uses\*\* \| \*\*([0-9,]+)\*\*`,
			"expire": `\| \*\*uses\*\* \| \*\*[0-9,]+\*\* \| \*\*([0-9,]+)\*\*`,
		},
	} {
		text := prose(t, file)
		for row, pattern := range figures {
			found := regexp.MustCompile(pattern).FindStringSubmatch(text)
			var sum uint64
			for part := range strings.SplitSeq(row, "+") {
				sum += contracts.Gas[part]
			}
			if found == nil {
				t.Errorf("%s does not tell %s", file, row)
			} else if got := figure(t, found[1]); got != int64(sum) {
				t.Errorf("%s says %d for %s, gas.json %d", file, got, row, sum)
			}
		}
	}
}

// TestPushInDocs: a wallet that is pushed money gets the gas that README.md says. This one stores
// what is left of it after 17, and otherwise says that it signed whatever it is asked about.
func TestPushInDocs(t *testing.T) {
	tb := newTable(t, 2)
	wallet := tb.deploy("7636600857"+"5a5f5500"+"5b631626ba7e60e01b5f5260205ff3"+"5f5260176009f3", nil)
	tb.chain.Fund(tb.sender, uint256.NewInt(stake))
	tb.must(onchain.Deposit{Account: wallet, Amount: *uint256.NewInt(stake)})
	tb.setTerms(eth, func(t *protocol.Terms) { t.Players[0] = wallet })
	tb.open()
	tb.must(onchain.Close{Terms: tb.terms, Ledger: tb.closing(2, stake, stake), Push: true})
	said := regexp.MustCompile("needs over ([0-9,]+) gas for it").FindStringSubmatch(prose(t, "README.md"))
	if said == nil {
		t.Fatal("README.md does not say how much gas a push gives")
	}
	if got := tb.chain.Storage(wallet, common.Hash{}).Big().Int64() + 17; got != figure(t, said[1]) {
		t.Errorf("README.md says %s, a wallet gets %d", said[1], got)
	}
}

// TestGasGrowth holds what gas_history.txt says that rows grew by to gas.json.
func TestGasGrowth(t *testing.T) {
	text, err := os.ReadFile("gas_history.txt")
	if err != nil {
		t.Fatal(err)
	}
	rows := regexp.MustCompile("(?m)^\\| `([a-z0-9_]+)` \\| ([0-9,]+) \\| ([0-9,]+) \\| ([+-][0-9,]+) \\|$").FindAllStringSubmatch(string(text), -1)
	if len(rows) == 0 {
		t.Fatal("gas_history.txt has no table of growth")
	}
	for _, row := range rows {
		before, now, more := figure(t, row[2]), figure(t, row[3]), figure(t, row[4])
		if now != int64(contracts.Gas[row[1]]) || now-before != more {
			t.Errorf("gas_history.txt says %v, gas.json %d", row[1:], contracts.Gas[row[1]])
		}
	}
}
