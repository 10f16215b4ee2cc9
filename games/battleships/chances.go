package battleships

// sketch is a fleet of which some ships are placed.
type sketch struct {
	cells, closed Cells // closed: where no further ship may lie, by a miss or beside a ship
	left          [5]uint8
}

func (b Board) sketch() sketch { return sketch{closed: b.Shots &^ b.Hits, left: fleetOf} }

// options returns the places for the next ship: those that explain the first hit that no ship does
// yet, else all for one of the longest that are left. So every fleet that fits is drawn in one
// order of its ships only, but for those that are of one length and placed freely.
func (k *sketch) options(hits Cells, list []ship) []ship {
	list = list[:0]
	open := hits &^ k.cells
	next := ofLength[k.longest()]
	if open != 0 {
		next = covering[open.first()]
	}
	for _, s := range next {
		if k.left[s.length] > 0 && s.cells&k.closed == 0 && s.beside&open == 0 {
			list = append(list, s)
		}
	}
	return list
}

// longest returns the length of the longest ship that is left, 0 if none is.
func (k *sketch) longest() int {
	for length := 4; length >= 2; length-- {
		if k.left[length] > 0 {
			return length
		}
	}
	return 0
}

func (k sketch) with(s ship) sketch {
	k.cells |= s.cells
	k.closed |= s.cells | s.beside
	k.left[s.length]--
	return k
}

// possible reports whether some legal fleet has all the board's hits and none of its misses. It
// gives up in doubt of its answer after a while, and says that there is one.
func (b Board) possible() bool {
	effort := 20_000
	return b.sketch().possible(b.Hits, &effort)
}

func (k sketch) possible(hits Cells, effort *int) bool {
	if *effort--; *effort < 0 {
		return true
	}
	if k.longest() == 0 {
		return hits&^k.cells == 0
	}
	for _, s := range k.options(hits, nil) {
		if next := k.with(s); next.possible(hits, effort) {
			return true
		}
	}
	return false
}

// samples is how many fleets are drawn for a shot: some five milliseconds.
const samples = 1000

// chances rates each cell by how many of the fleets that fit the board have a ship there. Fleets
// are drawn ship by ship and weighed by the choices there were, which makes the sum an unbiased
// estimate (sequential importance sampling; D. Knuth, "Estimating the efficiency of backtrack
// programs", 1975). The second result estimates 48 × draws × the fleets that fit.
func (b Board) chances(seed uint64, draws int) (cells [boardCells]uint64, total uint64) {
	list := make([]ship, 0, len(places))
	for range draws {
		k, weight := b.sketch(), uint64(48) // the orders of the ships of one length, 2! × 4!
		for weight > 0 && k.longest() > 0 {
			free := b.Hits&^k.cells == 0
			list = k.options(b.Hits, list)
			if len(list) == 0 {
				weight = 0
				break
			}
			seed = mix(seed)
			s := list[seed%uint64(len(list))]
			if free {
				weight /= uint64(k.left[s.length])
			}
			weight *= uint64(len(list))
			k = k.with(s)
		}
		if b.Hits&^k.cells != 0 {
			continue
		}
		total += weight
		for rest := k.cells; rest != 0; rest &= rest - 1 {
			cells[rest.first()] += weight
		}
	}
	return cells, total
}

// best returns the cell that is not shot at yet and most likely has a ship.
func (b Board) best(seed uint64) Cell {
	chances, _ := b.chances(seed, samples)
	best := (^b.Shots).first()
	for c := range Cell(boardCells) {
		if !b.Shots.Has(c) && chances[c] > chances[best] {
			best = c
		}
	}
	return best
}

// mix is a step of splitmix64 (G. Steele, D. Lea, C. Flood, "Fast splittable pseudorandom number
// generators", 2014): for choices that nobody gains by guessing.
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
