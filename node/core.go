package node

// core holds the base and the parts that every part of a node uses.
type core struct {
	*base
	*sight
	*identity
	*directory
	*roster
	budgets  budgets // what others can make the node do
	presence *presence
}
