package cli

import (
	"fmt"
	"io"
	"strconv"

	"github.com/ante-games/ante/games/box9"
	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"github.com/ethereum/go-ethereum/common"
	"github.com/spf13/cobra"
)

func box9Command(a *app) *cobra.Command {
	return group(&cobra.Command{Use: "box9", Short: "Check draws of Box 9"}, box9CheckCommand(a))
}

// box9CheckCommand shows what a block draws. Given the block's hash it needs no node.
func box9CheckCommand(a *app) *cobra.Command {
	var hash string
	var price uint32
	c := &cobra.Command{Use: "check [BLOCK]", Short: "Show which boxes a block fills, and which win", Args: cobra.MaximumNArgs(1),
		Long: "Show which boxes a block fills at a table with this price. Your daemon asks the chain for the block's hash; with --hash no\n" +
			"daemon is needed. The hash plus the price is hashed again; of its 64 hex digits the last is dropped, and the rest are the\n" +
			"nine boxes' numbers. The lowest is gold, the next two are silver.",
		Example: "  channeld box9 check 21000000 --price 10\n" +
			"  channeld box9 check --hash 0x9333bd0dbf50896186a02547d4b97f7c44ad3a067ae2e76b4b9a6292ea03699b --price 10",
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 0 && hash == "" {
				return usage(c, fmt.Errorf("which block? Type its number, or its hash with --hash"))
			}
			if price == 0 {
				return fmt.Errorf("--price is 0, want the price of a box in coins, such as 10")
			}
			if len(args) > 0 {
				if hash != "" {
					return fmt.Errorf("a block and --hash are two ways to say the same: give one of them")
				}
				return checkBlock(a.dial(c.Context()), args[0], price)
			}
			var block common.Hash
			if err := block.UnmarshalText([]byte(hash)); err != nil {
				return fmt.Errorf("--hash is %q, want 0x and 64 hex digits, a block's hash; or give the number of the block", hash)
			}
			r := box9.Draw(block, price)
			if a.json {
				return a.report(map[string]any{"rehash": r.Rehash, "boxes": r.Parts, "gold": r.Gold, "silver": []int{int(r.Silver[0]), int(r.Silver[1])}}, "")
			}
			printDraw(a.Out, r)
			return nil
		}}
	c.Flags().StringVar(&hash, "hash", "", "hash of the round's block")
	c.Flags().Uint32Var(&price, "price", 10, "price of a box in coins: the table")
	return c
}

// checkBlock has the daemon ask the chain for a block.
func checkBlock(api *remote, typed string, price uint32) error {
	block, err := strconv.ParseUint(typed, 10, 64)
	if err != nil || block == 0 {
		return fmt.Errorf("the block is %q, want its number, such as 21000000; its hash goes with --hash", typed)
	}
	if block != box9.NextRound(block-1) {
		return fmt.Errorf("block %d draws no round: the number of one that does ends in 0", block)
	}
	return show(api, api.VerifyRound, &antev1.VerifyRoundRequest{Block: block, PriceCoins: strconv.FormatUint(uint64(price), 10)}, func(r *antev1.VerifyRoundResponse) {
		hash := common.HexToHash(r.Draw.GetHash())
		api.printf("block %d is %s\n", block, hash)
		printDraw(api.Out, box9.Draw(hash, price))
	})
}

func printDraw(w io.Writer, r box9.Result) {
	fmt.Fprintf(w, "hashed with the price: %s\n", r.Rehash)
	for i, part := range r.Parts {
		metal := ""
		switch uint8(i + 1) {
		case r.Gold:
			metal = "  gold"
		case r.Silver[0], r.Silver[1]:
			metal = "  silver"
		}
		fmt.Fprintf(w, "box %d  %07x%s\n", i+1, part, metal)
	}
}
