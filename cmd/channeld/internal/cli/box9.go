package cli

import (
	"fmt"

	"github.com/ante-games/ante/games/box9"
	"github.com/ethereum/go-ethereum/common"
	"github.com/spf13/cobra"
)

func (a *app) box9Command() *cobra.Command {
	return group(&cobra.Command{Use: "box9", Short: "Check draws of Box 9"}, a.box9CheckCommand())
}

// box9CheckCommand needs no node: anybody can check a round from the hash of its block and the
// price of a box.
func (a *app) box9CheckCommand() *cobra.Command {
	var hash string
	var price uint32
	c := &cobra.Command{Use: "check", Short: "Show which boxes a block's hash fills", Args: cobra.NoArgs,
		Long: "Show which boxes a block's hash fills at a table with this price. The hash plus the price is hashed again; of its 64 hex\n" +
			"digits the last is dropped, and the rest are the nine boxes' numbers. The lowest is gold, the next two are silver.",
		Example: "  channeld box9 check --hash 0x9333bd0dbf50896186a02547d4b97f7c44ad3a067ae2e76b4b9a6292ea03699b --price 10",
		RunE: func(*cobra.Command, []string) error {
			var block common.Hash
			if err := block.UnmarshalText([]byte(hash)); err != nil {
				return fmt.Errorf("--hash is %q, want 0x and 64 hex digits: a block's hash", hash)
			}
			if price == 0 {
				return fmt.Errorf("--price is 0, want the price of a box in coins, such as 10")
			}
			r := box9.Draw(block, price)
			if a.json {
				return a.report(map[string]any{"rehash": r.Rehash, "boxes": r.Parts, "gold": r.Gold, "silver": []int{int(r.Silver[0]), int(r.Silver[1])}}, "")
			}
			a.printDraw(r)
			return nil
		}}
	c.Flags().StringVar(&hash, "hash", "", "hash of the round's block")
	c.Flags().Uint32Var(&price, "price", 10, "price of a box in coins: the table")
	return c
}

func (a *app) printDraw(r box9.Result) {
	a.printf("%s\n", r.Rehash)
	for i, part := range r.Parts {
		metal := ""
		switch uint8(i + 1) {
		case r.Gold:
			metal = "  gold"
		case r.Silver[0], r.Silver[1]:
			metal = "  silver"
		}
		a.printf("box %d  %07x%s\n", i+1, part, metal)
	}
}
