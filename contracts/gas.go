// Package contracts holds the Arena, the rules contracts and what their calls cost.
package contracts

import (
	_ "embed"
	"encoding/json"
	"fmt"
)

//go:embed gas.json
var gasJSON []byte

// Gas is what each call of the contracts costs alone in its transaction, in gas, by name, as
// contracts/gas.json has it and the tests hold it. Don't change it.
var Gas = func() map[string]uint64 {
	var table map[string]uint64
	if err := json.Unmarshal(gasJSON, &table); err != nil {
		// the tests read the same file
		panic(fmt.Sprintf("contracts/gas.json, as built in: %v", err))
	}
	return table
}()
