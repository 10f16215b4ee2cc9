// This channeld knows one game more than others.
package main

import (
	"github.com/ante-games/ante/cmd/channeld/program"
	"github.com/ante-games/ante/games/catalog"

	"github.com/ante-games/ante/examples/roshambo"
)

func main() {
	program.Main(append(catalog.Standard(), roshambo.Game()))
}
