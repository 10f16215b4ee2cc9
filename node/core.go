package node

// core is what every room of a node stands on.
type core struct {
	*base
	*sight
	*identity
	*directory
	*roster
	budgets  budgets // what others can make the node do
	presence *presence
}
