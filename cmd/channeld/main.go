// Channeld plays games for money in channels between players' own machines. See the init and run
// commands.
package main

import (
	"github.com/ante-games/ante/cmd/channeld/program"
	"github.com/ante-games/ante/games/catalog"
)

func main() { program.Main(catalog.Standard()) }
