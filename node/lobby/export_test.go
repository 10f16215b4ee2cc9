package lobby

import "github.com/ante-games/ante/protocol"

// Sized returns an empty board that shows other numbers of invites.
func Sized(d protocol.Domain, each, all int) *Board { return &Board{domain: d, each: each, all: all} }
