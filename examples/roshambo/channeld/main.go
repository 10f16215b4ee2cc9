// This channeld knows one game more than others.
package main

import (
	"github.com/ante-games/ante/cmd/channeld/program"
	"github.com/ante-games/ante/games/catalog"

	"example.com/roshambo"
)

func main() {
	program.Main(append(catalog.Standard(), roshambo.Game()))
}
