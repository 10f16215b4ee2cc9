package box9

import "testing"

// A house may name a block that is far away or never comes, without staking anything, and close the
// round at once. Nobody waits for that block: the chain's clock goes on to the next round, and what
// was staked is free again when the house ends the match or falls silent.
func TestAttack_Withhold_FarBlock(t *testing.T) {
	const never = ^uint64(0) - 5 // the last that ends in 0
	for _, block := range []uint64{1_000_000, never - 130, never} {
		b := newBoard(t, suite().Game.Rules, usual, 2).play(Name(block)).close()
		for seat := range uint8(3) {
			s := b.at(seat)
			if m, known, err := (player{}).Chance(s); m != nil || known || err != nil {
				t.Errorf("block %d: seat %d waits for it: %v, %v, %v", block, seat, m, known, err)
			}
			if c := (player{}).Upkeep(s); c != nil {
				t.Errorf("block %d: seat %d calls %+v", block, seat, c)
			}
		}
		b.expire()
		if until := (player{}).Until(b.at(1)); until != 0 {
			t.Errorf("block %d: the house may wait until %d", block, until)
		}
		b.expire().ends("silence", 0, 100_000, 100_000)
	}
}

// The house has bets noted and falls silent. While it is not known what the contract noted, as an
// endpoint doesn't tell or the facts come late, the hash is kept all the same: else the chain could
// forget it, and the clock would end the match without the draw.
func TestAttack_Unplay_BettingUnread(t *testing.T) {
	for head := uint64(1010 + 130); head < 1010+forgotten; head += 500 {
		s := watched{phase: Betting, signed: 0b111, noted: true, head: head, seat: 1}.look(t)
		s.Context.Facts.(*ledger).unread = true
		if call := (player{}).Upkeep(s); call == nil {
			t.Fatalf("unread: the hash is not kept at block %d", head)
		}
	}
}
