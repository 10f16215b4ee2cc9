package battleships

import (
	"encoding/binary"

	"github.com/ante-games/ante/games/commit"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
)

// What the seats commit to.
var (
	CoinTag = commit.NewTag("ante.battleships.coin")
	CellTag = commit.NewTag("ante.battleships.cell")
	saltTag = commit.NewTag("ante.battleships.salt")
	// fleetTag is that of the fleet in a vault, whose salt is the board's secret. What is published
	// is the tree's root.
	fleetTag = commit.NewTag("ante.battleships.fleet")
)

// tree is a board as it is committed to: node i stands over nodes 2i and 2i+1, the cells are nodes
// 64 to 127, the root is node 1. A cell's node is the commitment to whether a ship is there, under
// the cell as its round, so that a copied root opens nothing for another seat or in another match.
type tree struct {
	nodes  [2 * boardCells]common.Hash
	secret common.Hash
}

// depth is the number of hashes beside the path from a cell to the root.
const depth = 6

// proofSize is the length of a proof: the cell's salt, then the hashes beside its path.
const proofSize = 32 * (1 + depth)

// Proof shows what lies in one cell.
type Proof [proofSize]byte

// planter is plant, or does the same.
type planter func(matchID common.Hash, seat uint8, fleet Cells, secret common.Hash) *tree

func plant(matchID common.Hash, seat uint8, fleet Cells, secret common.Hash) *tree {
	t := &tree{secret: secret}
	for c := range Cell(boardCells) {
		t.nodes[boardCells+int(c)] = leaf(matchID, seat, c, uint8(fleet>>c&1), t.salt(c))
	}
	for i := boardCells - 1; i > 0; i-- {
		t.nodes[i] = join(t.nodes[2*i], t.nodes[2*i+1])
	}
	return t
}

func (t *tree) root() common.Hash { return t.nodes[1] }

// salt derives a cell's salt from the board's secret: the salts of some cells say nothing of the
// others'.
func (t *tree) salt(c Cell) common.Hash {
	return crypto.Keccak256Hash(saltTag[:], t.secret[:], common.LeftPadBytes([]byte{byte(c)}, 32))
}

func (t *tree) proof(c Cell) *Proof {
	var p Proof
	salt := t.salt(c)
	copy(p[:], salt[:])
	node := boardCells + int(c)
	for i := 1; i <= depth; i++ {
		copy(p[32*i:], t.nodes[node^1][:])
		node /= 2
	}
	return &p
}

// shows reports whether the proof shows what lies in a cell of the board with this root.
func (p *Proof) shows(root, matchID common.Hash, seat uint8, c Cell, ship uint8) bool {
	node := leaf(matchID, seat, c, ship, common.Hash(p[:32]))
	for i := 1; i <= depth; i++ {
		beside := common.Hash(p[32*i : 32*i+32])
		if c&1 == 0 {
			node = join(node, beside)
		} else {
			node = join(beside, node)
		}
		c /= 2
	}
	return node == root
}

func leaf(matchID common.Hash, seat uint8, c Cell, ship uint8, salt common.Hash) common.Hash {
	return commit.Scope{Tag: CellTag, MatchID: matchID, Seat: seat, Round: uint32(c)}.Hash(common.Hash{31: ship}, salt)
}

func join(left, right common.Hash) common.Hash { return crypto.Keccak256Hash(left[:], right[:]) }

// hidden returns a fleet as what a vault keeps.
func hidden(fleet Cells) (h common.Hash) {
	binary.BigEndian.PutUint64(h[24:], uint64(fleet))
	return h
}
