package chaintest

import "net/http"

// Plan is what a provider allows of one endpoint, and how it refuses more. What is 0 is not
// limited.
type Plan struct {
	Units  int            // a second; above it is HTTP 429
	Window int            // seconds over which that is counted; 0: 1
	Costs  map[string]int // of methods, in units
	Cost   int            // of each other method
	Batch  int            // requests at once; above it is HTTP 413
	Blocks uint64         // of one eth_getLogs
	Status int            // of HTTP, for more blocks
}

// Plans are the free plans of three providers, by name, as documented in 2026: what they allow is
// what is least allowed anywhere.
var Plans = map[string]Plan{
	// quicknode.com/docs/ethereum/eth_getLogs, /docs/ethereum/error-references and /pricing
	"QuickNode": {Units: 15, Cost: 1, Blocks: 5, Status: http.StatusRequestEntityTooLarge},
	// alchemy.com/docs/reference/throughput, /compute-unit-costs and eth-get-logs of its chains
	"Alchemy": {Units: 500, Window: 10, Cost: 20, Costs: map[string]int{
		"eth_chainId": 0, "eth_blockNumber": 10, "eth_feeHistory": 10, "eth_maxPriorityFeePerGas": 10,
		"eth_call": 26, "eth_sendRawTransaction": 40, "eth_getLogs": 60,
	}, Batch: 1000, Blocks: 10, Status: http.StatusBadRequest},
	// docs.moralis.com/rpc-faqs, /rpc-nodes/pricing and, under /rpc-nodes/introduction/resources,
	// /rpc-rate-limits
	"Moralis": {Units: 100, Cost: 3, Costs: map[string]int{
		"eth_getTransactionCount": 2, "eth_estimateGas": 5, "eth_getTransactionReceipt": 8,
		"eth_getBlockByHash": 12, "eth_getTransactionByHash": 12, "eth_getLogs": 12,
	}, Batch: 20, Blocks: 100, Status: http.StatusBadRequest},
}

func (p *Plan) cost(method string) int {
	if cost, ok := p.Costs[method]; ok {
		return cost
	}
	return p.Cost
}

// most is how many units are allowed at once.
func (p *Plan) most() float64 { return float64(p.Units * max(p.Window, 1)) }
