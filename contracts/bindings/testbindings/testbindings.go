// Code generated via abigen V2 - DO NOT EDIT.
// This file is a generated binding and any manual changes will be lost.

package testbindings

import (
	"bytes"
	"errors"
	"math/big"

	"github.com/ethereum/go-ethereum/accounts/abi"
	"github.com/ethereum/go-ethereum/accounts/abi/bind/v2"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
)

// Reference imports to suppress errors if they are not otherwise used.
var (
	_ = bytes.Equal
	_ = errors.New
	_ = big.NewInt
	_ = common.Big1
	_ = types.BloomLookup
	_ = abi.ConvertType
)

// HungryRulesMetaData contains all meta data concerning the HungryRules contract.
var HungryRulesMetaData = bind.MetaData{
	ABI: "[{\"inputs\":[],\"name\":\"Starved\",\"type\":\"error\"}]",
	ID:  "fc097c2b47a1ff78f6b787ed5a16ab458f",
	Bin: "0x6080806040523460155761041e908161001a8239f35b5f80fdfe6080806040526004361015610012575f80fd5b5f3560e01c90816334e08cd7146103465750806338b24a221461028c578063677a8fa214610210578063a7e5065f1461018e5763bf9af3b514610053575f80fd5b3461018a57604036600319011261018a576004356001600160401b03811161018a57610083903690600401610380565b50506024356001600160401b03811161018a573660238201121561018a5780600401356001600160401b03811161018a573660248260051b8401011161018a576100d46100cf826103e6565b6103ad565b918183526100e1826103e6565b6020840190601f19013682375f5b8381101561013c57610100856103fd565b519060248160051b85010135820180921161012857600191610121876103fd565b52016100ef565b634e487b7160e01b5f52601160045260245ffd5b604051606080825286519082018190528190608082019085905f5b818110610171575050505f60208301525f60408301520390f35b8251845285945060209384019390920191600101610157565b5f80fd5b3461018a57606036600319011261018a576004356001600160401b03811161018a5760e090600319903603011261018a576024356001600160401b03811161018a576101de903690600401610380565b50506044356001600160401b03811161018a576101ff903690600401610380565b5050636a8f6d8f60e01b5f5260045ffd5b3461018a57602036600319011261018a576004356001600160401b03811161018a5760e090600319903603011261018a5761024b60406103ad565b60018152606060208201915f8352604051928391604083525180918160408501528484015e5f82820184018190526020830152601f01601f19168101030190f35b3461018a57604036600319011261018a576004356001600160401b03811161018a5760e090600319903603011261018a576024356001600160401b03811161018a576102dc903690600401610380565b5050620f1b305a10610337576102f260406103ad565b6001815260606020820191600160f81b8352604051928391604083525180918160408501528484015e5f82820184015260ff6020830152601f01601f19168101030190f35b636a8f6d8f60e01b5f5260045ffd5b3461018a57602036600319011261018a57600435906001600160401b03821161018a576103796020923690600401610380565b50505f8152f35b9181601f8401121561018a578235916001600160401b03831161018a576020838186019501011161018a57565b6040519190601f01601f191682016001600160401b038111838210176103d257604052565b634e487b7160e01b5f52604160045260245ffd5b6001600160401b0381116103d25760051b60200190565b80511561040a5760200190565b634e487b7160e01b5f52603260045260245ffd",
}

// HungryRules is an auto generated Go binding around an Ethereum contract.
type HungryRules struct {
	abi abi.ABI
}

// GetABI returns the ABI associated with this contract binding.
func (c *HungryRules) GetABI() abi.ABI {
	return c.abi
}

// NewHungryRules creates a new instance of HungryRules.
func NewHungryRules() *HungryRules {
	parsed, err := HungryRulesMetaData.ParseABI()
	if err != nil {
		panic(errors.New("invalid ABI: " + err.Error()))
	}
	return &HungryRules{abi: *parsed}
}

// Instance creates a wrapper for a deployed contract instance at the given address.
// Use this to create the instance object passed to abigen v2 library functions Call, Transact, etc.
func (c *HungryRules) Instance(backend bind.ContractBackend, addr common.Address) *bind.BoundContract {
	return bind.NewBoundContract(addr, c.abi, backend, backend, backend)
}

// UnpackError attempts to decode the provided error data using user-defined
// error definitions.
func (hungryRules *HungryRules) UnpackError(raw []byte) (any, error) {
	if bytes.Equal(raw[:4], hungryRules.abi.Errors["Starved"].ID.Bytes()[:4]) {
		return hungryRules.UnpackStarvedError(raw[4:])
	}
	return nil, errors.New("Unknown error")
}

// HungryRulesStarved represents a Starved error raised by the HungryRules contract.
type HungryRulesStarved struct {
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error Starved()
func HungryRulesStarvedErrorID() common.Hash {
	return common.HexToHash("0x6a8f6d8f43c912c0b2aae8403c60873a4fa3a79070e2e6f1ba84134e3777158b")
}

// UnpackStarvedError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error Starved()
func (hungryRules *HungryRules) UnpackStarvedError(raw []byte) (*HungryRulesStarved, error) {
	out := new(HungryRulesStarved)
	if err := hungryRules.abi.UnpackIntoInterface(out, "Starved", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// PegsBatchMetaData contains all meta data concerning the PegsBatch contract.
var PegsBatchMetaData = bind.MetaData{
	ABI: "[{\"inputs\":[{\"internalType\":\"uint256\",\"name\":\"code\",\"type\":\"uint256\"},{\"internalType\":\"uint256\",\"name\":\"pegs\",\"type\":\"uint256\"},{\"internalType\":\"bytes[]\",\"name\":\"transcripts\",\"type\":\"bytes[]\"}],\"name\":\"judge\",\"outputs\":[{\"internalType\":\"uint32[]\",\"name\":\"masks\",\"type\":\"uint32[]\"}],\"stateMutability\":\"pure\",\"type\":\"function\"}]",
	ID:  "5acb0ebbb18d56c89148369ce89b0ad1ca",
	Bin: "0x60808060405234601557610457908161001a8239f35b5f80fdfe60806040526004361015610011575f80fd5b5f3560e01c63b6c1e51014610024575f80fd5b3461036a57606036600319011261036a5760443560043567ffffffffffffffff821161036a573660238301121561036a5781600401359067ffffffffffffffff821161036a573660248360051b8501011161036a57610082826103cc565b6040519190601f01601f1916820167ffffffffffffffff8111838210176103b8576040528282526100b2836103cc565b6020830190601f19013682375f90604219863603016024356005037b0100000100000100000100000100000100000100000100000100000102916001601c86600a1c161b6001601c8760071c161b6001601c8860041c161b6001601c89821c161b6001601c8a60021b161b01010101935b8781101561036e578060051b906024828b0101358481121561036a578a019160248301359267ffffffffffffffff841161036a57833603604482011361036a5760035f94045f5b8181106101a757505050885182101561019357602063ffffffff60019416918a01015201610123565b634e487b7160e01b5f52603260045260245ffd5b60446003820284010135601881901c7cffff00ffff00ffff00ffff00ffff00ffff00ffff00ffff00ffff00ffff16908a8c6101e28f856103e4565b9384915f919082815b6102bf575050507b0f00000f00000f00000f00000f00000f00000f00000f00000f00000f917ffffffffffafffffafffffafffffafffffafffffafffffafffffafffffafffffb910101818460141c1618937b05000005000005000005000005000005000005000005000005000005039260101c16011817818303600a81105f146102b657905b81600a036018021c80915f1990840101915b610291575050600a0161016a565b62ffffff81166102aa575b60181c80915f190191610283565b966001821b179661029c565b50600a90610271565b919350919350600f8216806102e4575b50611249019060041c91828f949287946101eb565b9381946102f461124993866103e4565b7b05000005000005000005000005000005000005000005000005000005039060077b01000001000001000001000001000001000001000001000001000001826008038102840160031c1602907b0100000100000100000100000100000100000100000100000100000102821816180193906102cf565b5f80fd5b8187604051918291602083019060208452518091526040830191905f5b818110610399575050500390f35b825163ffffffff1684528594506020938401939092019160010161038b565b634e487b7160e01b5f52604160045260245ffd5b67ffffffffffffffff81116103b85760051b60200190565b7c1249001249001249001249001249001249001249001249001249001249611249917b010000010000010000010000010000010000010000010000010000017b070000070000070000070000070000070000070000070000070000079402188060021c908060011c17171602600c1c169056",
}

// PegsBatch is an auto generated Go binding around an Ethereum contract.
type PegsBatch struct {
	abi abi.ABI
}

// GetABI returns the ABI associated with this contract binding.
func (c *PegsBatch) GetABI() abi.ABI {
	return c.abi
}

// NewPegsBatch creates a new instance of PegsBatch.
func NewPegsBatch() *PegsBatch {
	parsed, err := PegsBatchMetaData.ParseABI()
	if err != nil {
		panic(errors.New("invalid ABI: " + err.Error()))
	}
	return &PegsBatch{abi: *parsed}
}

// Instance creates a wrapper for a deployed contract instance at the given address.
// Use this to create the instance object passed to abigen v2 library functions Call, Transact, etc.
func (c *PegsBatch) Instance(backend bind.ContractBackend, addr common.Address) *bind.BoundContract {
	return bind.NewBoundContract(addr, c.abi, backend, backend, backend)
}

// PackJudge is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xb6c1e510.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function judge(uint256 code, uint256 pegs, bytes[] transcripts) pure returns(uint32[] masks)
func (pegsBatch *PegsBatch) PackJudge(code *big.Int, pegs *big.Int, transcripts [][]byte) []byte {
	enc, err := pegsBatch.abi.Pack("judge", code, pegs, transcripts)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackJudge is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xb6c1e510.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function judge(uint256 code, uint256 pegs, bytes[] transcripts) pure returns(uint32[] masks)
func (pegsBatch *PegsBatch) TryPackJudge(code *big.Int, pegs *big.Int, transcripts [][]byte) ([]byte, error) {
	return pegsBatch.abi.Pack("judge", code, pegs, transcripts)
}

// UnpackJudge is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0xb6c1e510.
//
// Solidity: function judge(uint256 code, uint256 pegs, bytes[] transcripts) pure returns(uint32[] masks)
func (pegsBatch *PegsBatch) UnpackJudge(data []byte) ([]uint32, error) {
	out, err := pegsBatch.abi.Unpack("judge", data)
	if err != nil {
		return *new([]uint32), err
	}
	out0 := *abi.ConvertType(out[0], new([]uint32)).(*[]uint32)
	return out0, nil
}

// SignedStructsMetaData contains all meta data concerning the SignedStructs contract.
var SignedStructsMetaData = bind.MetaData{
	ABI: "[{\"inputs\":[],\"name\":\"BadLedger\",\"type\":\"error\"},{\"inputs\":[],\"name\":\"BadTerms\",\"type\":\"error\"},{\"inputs\":[{\"internalType\":\"bytes32\",\"name\":\"domain\",\"type\":\"bytes32\"},{\"internalType\":\"bytes32\",\"name\":\"matchId\",\"type\":\"bytes32\"},{\"internalType\":\"uint64\",\"name\":\"turn\",\"type\":\"uint64\"},{\"internalType\":\"uint256[]\",\"name\":\"payouts\",\"type\":\"uint256[]\"}],\"name\":\"agreement\",\"outputs\":[{\"internalType\":\"bytes32\",\"name\":\"\",\"type\":\"bytes32\"}],\"stateMutability\":\"pure\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"account\",\"type\":\"address\"},{\"internalType\":\"bytes32\",\"name\":\"digest\",\"type\":\"bytes32\"},{\"internalType\":\"bytes\",\"name\":\"signature\",\"type\":\"bytes\"}],\"name\":\"byAccount\",\"outputs\":[{\"internalType\":\"bool\",\"name\":\"\",\"type\":\"bool\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"address[]\",\"name\":\"signers\",\"type\":\"address[]\"},{\"internalType\":\"bytes32\",\"name\":\"digest\",\"type\":\"bytes32\"},{\"internalType\":\"bytes\",\"name\":\"packed\",\"type\":\"bytes\"}],\"name\":\"byAll\",\"outputs\":[{\"internalType\":\"bool\",\"name\":\"\",\"type\":\"bool\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"bytes32\",\"name\":\"domain\",\"type\":\"bytes32\"},{\"internalType\":\"bytes32\",\"name\":\"channelId\",\"type\":\"bytes32\"},{\"internalType\":\"uint64\",\"name\":\"version\",\"type\":\"uint64\"}],\"name\":\"contest\",\"outputs\":[{\"internalType\":\"bytes32\",\"name\":\"\",\"type\":\"bytes32\"}],\"stateMutability\":\"pure\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"bytes32\",\"name\":\"domain\",\"type\":\"bytes32\"},{\"internalType\":\"bytes32\",\"name\":\"matchId\",\"type\":\"bytes32\"},{\"internalType\":\"uint64\",\"name\":\"turn\",\"type\":\"uint64\"}],\"name\":\"demand\",\"outputs\":[{\"internalType\":\"bytes32\",\"name\":\"\",\"type\":\"bytes32\"}],\"stateMutability\":\"pure\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"bytes32\",\"name\":\"domain\",\"type\":\"bytes32\"},{\"internalType\":\"bytes32\",\"name\":\"channelId\",\"type\":\"bytes32\"},{\"internalType\":\"bytes\",\"name\":\"l\",\"type\":\"bytes\"}],\"name\":\"ledger\",\"outputs\":[{\"internalType\":\"bytes32\",\"name\":\"\",\"type\":\"bytes32\"}],\"stateMutability\":\"pure\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"bytes32\",\"name\":\"domain\",\"type\":\"bytes32\"},{\"internalType\":\"bytes32\",\"name\":\"channelId\",\"type\":\"bytes32\"},{\"internalType\":\"bytes\",\"name\":\"m\",\"type\":\"bytes\"}],\"name\":\"matchTerms\",\"outputs\":[{\"internalType\":\"bytes32\",\"name\":\"\",\"type\":\"bytes32\"}],\"stateMutability\":\"pure\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"bytes32\",\"name\":\"domain\",\"type\":\"bytes32\"},{\"internalType\":\"bytes32\",\"name\":\"matchId\",\"type\":\"bytes32\"},{\"internalType\":\"uint64\",\"name\":\"turn\",\"type\":\"uint64\"},{\"internalType\":\"bytes32\",\"name\":\"state\",\"type\":\"bytes32\"}],\"name\":\"position\",\"outputs\":[{\"internalType\":\"bytes32\",\"name\":\"\",\"type\":\"bytes32\"}],\"stateMutability\":\"pure\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"bytes32\",\"name\":\"digest\",\"type\":\"bytes32\"},{\"internalType\":\"bytes\",\"name\":\"packed\",\"type\":\"bytes\"},{\"internalType\":\"uint256\",\"name\":\"offset\",\"type\":\"uint256\"}],\"name\":\"recover\",\"outputs\":[{\"internalType\":\"address\",\"name\":\"\",\"type\":\"address\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"bytes32\",\"name\":\"domain\",\"type\":\"bytes32\"},{\"internalType\":\"bytes\",\"name\":\"t\",\"type\":\"bytes\"}],\"name\":\"terms\",\"outputs\":[{\"internalType\":\"bytes32\",\"name\":\"\",\"type\":\"bytes32\"}],\"stateMutability\":\"pure\",\"type\":\"function\"}]",
	ID:  "a14cea67b7d03b7d438d767da92bfebcf5",
	Bin: "0x60808060405234601557610d23908161001a8239f35b5f80fdfe6080806040526004361015610012575f80fd5b5f3560e01c908163293ac7a4146109aa575080634228d4f5146108f35780636e125df9146108a05780636f736abd146106a65780637a5246911461063957806399e81a81146105e6578063acdd95b61461057d578063d097850f14610387578063d1c43355146101745763db23b6ef1461008a575f80fd5b3461013c57606036600319011261013c576004356001600160401b03811161013c573660238201121561013c578060040135906001600160401b038211610160578160051b9060208201926100e26040519485610aaf565b8352602460208401928201019036821161013c57602401915b81831061014057836044356001600160401b03811161013c57602091610128610132923690600401610a4c565b9160243590610c9e565b6040519015158152f35b5f80fd5b82356001600160a01b038116810361013c578152602092830192016100fb565b634e487b7160e01b5f52604160045260245ffd5b3461013c57604036600319011261013c576024356001600160401b03811161013c576101a4903690600401610a4c565b906040519060e082018281106001600160401b03821117610160576040525f82525f60208301525f60408301525f606083015260606080830152606060a0830152606060c083015280355f1a9260108411908115610376575b506103675760408051600585901b808201808201918201606001845286835260209081018790529201859052909384820192601d8101845b878460051b860101811061034157508260016103399793899360809660140201978360051b8960608660051b8760051b8c010101377f771da6ba2c233e49505a72750971301e598f24f245bb5d9b305f586d50ac77a060059490941b88810180820180830188016040818101988952948490206060808301919091528386018590208c83015296860135871c60a080830182905288840186902060c080850191909152601590980135881c60e084018190529e9095018035881c61010080850182905260089092013561012090940193909352909820968a01528884019b909b52878701959095528387529801908501529101948201949094520152600435610ad0565b604051908152f35b9060148189923560601c845285820281013560601c838760051b86010152019101610235565b638dc5992160e01b5f5260045ffd5b9050836048026045011415846101fd565b3461013c5761039536610a79565b9190926040519260c084018481106001600160401b03821117610160576040949394525f83525f60208401525f60408401526060808401525f60808401525f60a08401528435928360091a93604051968588528560051b600a820160208a01378560051b810193600b85019060208860051b8b01019889600a8801355f1a805b61053a575080998b92600a8a01355f1a805b6104db575060c093508b83038c2060a08401527f9ce8e546e0cb03ad668c04b74a6de7ee9a6082040713d7ce4a45b6ae58358a418352602083015286831c60408301528660081a606083015260051b60208d01206080820152209760405260028460081a1092011416156104cc57602096600a86946103399860a086015201355f1a6080840152606083015260018160081a14604083015260c01c8682015252610ad0565b632eeec65760e11b5f5260045ffd5b909192604090602086015160051b9060208101907fe37814b6fefbc91246ffcdd4954697260fed0fd4f1655be442d2fe10e73a067f825287518482015282848901206060820152606082209052950101905f1901809493929194610427565b91999093806021602060409301355f1a8060051b92839181358a5260018060fb1b031660208a015281838201868b01370101950101915f1901809a92919a610415565b3461013c57602061033961059036610a22565b6001600160401b0360405191868301937fd22ec23e9c7998ad038cdfa0160ec30db1ad491a157feb28c724d4d9f48a117b85526040840152166060820152606081526105dd608082610aaf565b51902090610ad0565b3461013c57606036600319011261013c576024356001600160401b03811161013c5761062761061b6020923690600401610a4c565b60443591600435610c1f565b6040516001600160a01b039091168152f35b3461013c57608036600319011261013c5760206103396080610659610a0c565b6001600160401b03604051917fc7cdd5607f33b51060166838e4cdcedee641ab49ad1a8168f130fd208d2119bc835260243586840152166040820152606435606082015220600435610ad0565b3461013c576106b436610a79565b9291612020604051906106c78183610aaf565b6101008252601f19013660208301378235601c1a94856021029003601c19810190600287108015610896575b801561088b575b61036757869283602e026001958560051b92604051988991886014028301948660bd8701960160bd60bf820199601c199083010101926002840193606b600285601f1993010101169b8c6040528487528060208801525f604088015287606088015260bc60a08801976bffffffffffffffffffffffff196008890135168952600160c01b60b482015201535f60bd8f01601d8701825b8c8410610837575b5050505050601d60e09c9d9e9f8b928a91870190828483018c3760bd8560f01b91015201018937604c0190369037848820927fcb4ed4132f1017f739b65be8c42ad022f849235315f62b1c00079d40abe7e830895260208901523560c01c60408801525160601c606087015260808601522060a08401522060c08201522090156103675761082a608091602094610ad0565b9101819052604051908152f35b81355f1a90855182101590821017610874578f60018083602094886014950152848160051b8a01015160601b875201930193019301929190610790565b505f9f50601d93508b92508f915081905080610798565b5061040082116106fa565b50601087116106f3565b3461013c57606036600319011261013c576004356001600160a01b038116810361013c576044356001600160401b03811161013c576020916108e9610132923690600401610a4c565b9160243590610aed565b3461013c57608036600319011261013c5761090c610a0c565b6064356001600160401b03811161013c573660238201121561013c5780600401356001600160401b03811161013c5760051b90366024838301011161013c576020928260809261033994602460405192018237206001600160401b03604051927f99e8f994f450f9a4f3a79e348675a281da8d851355e89c49ef39a16cc8a0ed27845260243587850152166040830152606082015220600435610ad0565b3461013c576103396020916001600160401b036109c636610a22565b8685939594929401937fcff81b0d235821fc3b2ab98a6ebc7c2c171834a92b21cb70cf505f3bdb07894385526040840152166060820152606081526105dd608082610aaf565b604435906001600160401b038216820361013c57565b606090600319011261013c5760043590602435906044356001600160401b038116810361013c5790565b9181601f8401121561013c578235916001600160401b03831161013c576020838186019501011161013c57565b606060031982011261013c576004359160243591604435906001600160401b03821161013c57610aab91600401610a4c565b9091565b90601f801991011681019081106001600160401b0382111761016057604052565b6042916040519161190160f01b8352600283015260228201522090565b906041841480610c0d575b80610b8c575b610b8357813b15610b7b5783610b5d60845f956020976040519485928a840197630b135d3f60e11b89526024850152604060448501528160648501528484013787838284010152601f801991011681010301601f198101835282610aaf565b83805251916203d090fa601f3d1116630b135d3f60e11b5f51141690565b505050505f90565b50505050600190565b505f6040840135811a60208501356001601a198301116fa2a8918ca85bafe22016d0b997e4df60600160ff1b03821117604188101715610bdc575b50506001600160a01b03838116911614610afe565b602092505f91608091604051918683528583015287356040830152606082015282805260015afa505f515f80610bc7565b506001600160a01b0382161515610af8565b91909392805f950190602082013592604160408401355f1a9201116fa2a8918ca85bafe22016d0b997e4df60600160ff1b0384116001601a19840111171715610c69575b50505050565b6020949550915f939160809360405193845286840152356040830152606082015282805260015afa505f51905f808080610c63565b8051939291604185028403610d1a575f5b858110610cc157505050505050600190565b600581901b8301602001516001600160a01b03610ce360418402888887610c1f565b168015159182610d07575b505015610cfd57600101610caf565b5050505050505f90565b6001600160a01b03161490505f80610cee565b50505050505f9056",
}

// SignedStructs is an auto generated Go binding around an Ethereum contract.
type SignedStructs struct {
	abi abi.ABI
}

// GetABI returns the ABI associated with this contract binding.
func (c *SignedStructs) GetABI() abi.ABI {
	return c.abi
}

// NewSignedStructs creates a new instance of SignedStructs.
func NewSignedStructs() *SignedStructs {
	parsed, err := SignedStructsMetaData.ParseABI()
	if err != nil {
		panic(errors.New("invalid ABI: " + err.Error()))
	}
	return &SignedStructs{abi: *parsed}
}

// Instance creates a wrapper for a deployed contract instance at the given address.
// Use this to create the instance object passed to abigen v2 library functions Call, Transact, etc.
func (c *SignedStructs) Instance(backend bind.ContractBackend, addr common.Address) *bind.BoundContract {
	return bind.NewBoundContract(addr, c.abi, backend, backend, backend)
}

// PackAgreement is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x4228d4f5.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function agreement(bytes32 domain, bytes32 matchId, uint64 turn, uint256[] payouts) pure returns(bytes32)
func (signedStructs *SignedStructs) PackAgreement(domain [32]byte, matchId [32]byte, turn uint64, payouts []*big.Int) []byte {
	enc, err := signedStructs.abi.Pack("agreement", domain, matchId, turn, payouts)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackAgreement is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x4228d4f5.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function agreement(bytes32 domain, bytes32 matchId, uint64 turn, uint256[] payouts) pure returns(bytes32)
func (signedStructs *SignedStructs) TryPackAgreement(domain [32]byte, matchId [32]byte, turn uint64, payouts []*big.Int) ([]byte, error) {
	return signedStructs.abi.Pack("agreement", domain, matchId, turn, payouts)
}

// UnpackAgreement is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x4228d4f5.
//
// Solidity: function agreement(bytes32 domain, bytes32 matchId, uint64 turn, uint256[] payouts) pure returns(bytes32)
func (signedStructs *SignedStructs) UnpackAgreement(data []byte) ([32]byte, error) {
	out, err := signedStructs.abi.Unpack("agreement", data)
	if err != nil {
		return *new([32]byte), err
	}
	out0 := *abi.ConvertType(out[0], new([32]byte)).(*[32]byte)
	return out0, nil
}

// PackByAccount is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x6e125df9.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function byAccount(address account, bytes32 digest, bytes signature) view returns(bool)
func (signedStructs *SignedStructs) PackByAccount(account common.Address, digest [32]byte, signature []byte) []byte {
	enc, err := signedStructs.abi.Pack("byAccount", account, digest, signature)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackByAccount is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x6e125df9.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function byAccount(address account, bytes32 digest, bytes signature) view returns(bool)
func (signedStructs *SignedStructs) TryPackByAccount(account common.Address, digest [32]byte, signature []byte) ([]byte, error) {
	return signedStructs.abi.Pack("byAccount", account, digest, signature)
}

// UnpackByAccount is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x6e125df9.
//
// Solidity: function byAccount(address account, bytes32 digest, bytes signature) view returns(bool)
func (signedStructs *SignedStructs) UnpackByAccount(data []byte) (bool, error) {
	out, err := signedStructs.abi.Unpack("byAccount", data)
	if err != nil {
		return *new(bool), err
	}
	out0 := *abi.ConvertType(out[0], new(bool)).(*bool)
	return out0, nil
}

// PackByAll is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xdb23b6ef.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function byAll(address[] signers, bytes32 digest, bytes packed) view returns(bool)
func (signedStructs *SignedStructs) PackByAll(signers []common.Address, digest [32]byte, packed []byte) []byte {
	enc, err := signedStructs.abi.Pack("byAll", signers, digest, packed)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackByAll is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xdb23b6ef.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function byAll(address[] signers, bytes32 digest, bytes packed) view returns(bool)
func (signedStructs *SignedStructs) TryPackByAll(signers []common.Address, digest [32]byte, packed []byte) ([]byte, error) {
	return signedStructs.abi.Pack("byAll", signers, digest, packed)
}

// UnpackByAll is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0xdb23b6ef.
//
// Solidity: function byAll(address[] signers, bytes32 digest, bytes packed) view returns(bool)
func (signedStructs *SignedStructs) UnpackByAll(data []byte) (bool, error) {
	out, err := signedStructs.abi.Unpack("byAll", data)
	if err != nil {
		return *new(bool), err
	}
	out0 := *abi.ConvertType(out[0], new(bool)).(*bool)
	return out0, nil
}

// PackContest is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xacdd95b6.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function contest(bytes32 domain, bytes32 channelId, uint64 version) pure returns(bytes32)
func (signedStructs *SignedStructs) PackContest(domain [32]byte, channelId [32]byte, version uint64) []byte {
	enc, err := signedStructs.abi.Pack("contest", domain, channelId, version)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackContest is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xacdd95b6.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function contest(bytes32 domain, bytes32 channelId, uint64 version) pure returns(bytes32)
func (signedStructs *SignedStructs) TryPackContest(domain [32]byte, channelId [32]byte, version uint64) ([]byte, error) {
	return signedStructs.abi.Pack("contest", domain, channelId, version)
}

// UnpackContest is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0xacdd95b6.
//
// Solidity: function contest(bytes32 domain, bytes32 channelId, uint64 version) pure returns(bytes32)
func (signedStructs *SignedStructs) UnpackContest(data []byte) ([32]byte, error) {
	out, err := signedStructs.abi.Unpack("contest", data)
	if err != nil {
		return *new([32]byte), err
	}
	out0 := *abi.ConvertType(out[0], new([32]byte)).(*[32]byte)
	return out0, nil
}

// PackDemand is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x293ac7a4.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function demand(bytes32 domain, bytes32 matchId, uint64 turn) pure returns(bytes32)
func (signedStructs *SignedStructs) PackDemand(domain [32]byte, matchId [32]byte, turn uint64) []byte {
	enc, err := signedStructs.abi.Pack("demand", domain, matchId, turn)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackDemand is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x293ac7a4.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function demand(bytes32 domain, bytes32 matchId, uint64 turn) pure returns(bytes32)
func (signedStructs *SignedStructs) TryPackDemand(domain [32]byte, matchId [32]byte, turn uint64) ([]byte, error) {
	return signedStructs.abi.Pack("demand", domain, matchId, turn)
}

// UnpackDemand is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x293ac7a4.
//
// Solidity: function demand(bytes32 domain, bytes32 matchId, uint64 turn) pure returns(bytes32)
func (signedStructs *SignedStructs) UnpackDemand(data []byte) ([32]byte, error) {
	out, err := signedStructs.abi.Unpack("demand", data)
	if err != nil {
		return *new([32]byte), err
	}
	out0 := *abi.ConvertType(out[0], new([32]byte)).(*[32]byte)
	return out0, nil
}

// PackLedger is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xd097850f.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function ledger(bytes32 domain, bytes32 channelId, bytes l) pure returns(bytes32)
func (signedStructs *SignedStructs) PackLedger(domain [32]byte, channelId [32]byte, l []byte) []byte {
	enc, err := signedStructs.abi.Pack("ledger", domain, channelId, l)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackLedger is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xd097850f.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function ledger(bytes32 domain, bytes32 channelId, bytes l) pure returns(bytes32)
func (signedStructs *SignedStructs) TryPackLedger(domain [32]byte, channelId [32]byte, l []byte) ([]byte, error) {
	return signedStructs.abi.Pack("ledger", domain, channelId, l)
}

// UnpackLedger is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0xd097850f.
//
// Solidity: function ledger(bytes32 domain, bytes32 channelId, bytes l) pure returns(bytes32)
func (signedStructs *SignedStructs) UnpackLedger(data []byte) ([32]byte, error) {
	out, err := signedStructs.abi.Unpack("ledger", data)
	if err != nil {
		return *new([32]byte), err
	}
	out0 := *abi.ConvertType(out[0], new([32]byte)).(*[32]byte)
	return out0, nil
}

// PackMatchTerms is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x6f736abd.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function matchTerms(bytes32 domain, bytes32 channelId, bytes m) pure returns(bytes32)
func (signedStructs *SignedStructs) PackMatchTerms(domain [32]byte, channelId [32]byte, m []byte) []byte {
	enc, err := signedStructs.abi.Pack("matchTerms", domain, channelId, m)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackMatchTerms is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x6f736abd.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function matchTerms(bytes32 domain, bytes32 channelId, bytes m) pure returns(bytes32)
func (signedStructs *SignedStructs) TryPackMatchTerms(domain [32]byte, channelId [32]byte, m []byte) ([]byte, error) {
	return signedStructs.abi.Pack("matchTerms", domain, channelId, m)
}

// UnpackMatchTerms is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x6f736abd.
//
// Solidity: function matchTerms(bytes32 domain, bytes32 channelId, bytes m) pure returns(bytes32)
func (signedStructs *SignedStructs) UnpackMatchTerms(data []byte) ([32]byte, error) {
	out, err := signedStructs.abi.Unpack("matchTerms", data)
	if err != nil {
		return *new([32]byte), err
	}
	out0 := *abi.ConvertType(out[0], new([32]byte)).(*[32]byte)
	return out0, nil
}

// PackPosition is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x7a524691.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function position(bytes32 domain, bytes32 matchId, uint64 turn, bytes32 state) pure returns(bytes32)
func (signedStructs *SignedStructs) PackPosition(domain [32]byte, matchId [32]byte, turn uint64, state [32]byte) []byte {
	enc, err := signedStructs.abi.Pack("position", domain, matchId, turn, state)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackPosition is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x7a524691.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function position(bytes32 domain, bytes32 matchId, uint64 turn, bytes32 state) pure returns(bytes32)
func (signedStructs *SignedStructs) TryPackPosition(domain [32]byte, matchId [32]byte, turn uint64, state [32]byte) ([]byte, error) {
	return signedStructs.abi.Pack("position", domain, matchId, turn, state)
}

// UnpackPosition is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x7a524691.
//
// Solidity: function position(bytes32 domain, bytes32 matchId, uint64 turn, bytes32 state) pure returns(bytes32)
func (signedStructs *SignedStructs) UnpackPosition(data []byte) ([32]byte, error) {
	out, err := signedStructs.abi.Unpack("position", data)
	if err != nil {
		return *new([32]byte), err
	}
	out0 := *abi.ConvertType(out[0], new([32]byte)).(*[32]byte)
	return out0, nil
}

// PackRecover is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x99e81a81.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function recover(bytes32 digest, bytes packed, uint256 offset) view returns(address)
func (signedStructs *SignedStructs) PackRecover(digest [32]byte, packed []byte, offset *big.Int) []byte {
	enc, err := signedStructs.abi.Pack("recover", digest, packed, offset)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackRecover is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x99e81a81.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function recover(bytes32 digest, bytes packed, uint256 offset) view returns(address)
func (signedStructs *SignedStructs) TryPackRecover(digest [32]byte, packed []byte, offset *big.Int) ([]byte, error) {
	return signedStructs.abi.Pack("recover", digest, packed, offset)
}

// UnpackRecover is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x99e81a81.
//
// Solidity: function recover(bytes32 digest, bytes packed, uint256 offset) view returns(address)
func (signedStructs *SignedStructs) UnpackRecover(data []byte) (common.Address, error) {
	out, err := signedStructs.abi.Unpack("recover", data)
	if err != nil {
		return *new(common.Address), err
	}
	out0 := *abi.ConvertType(out[0], new(common.Address)).(*common.Address)
	return out0, nil
}

// PackTerms is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xd1c43355.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function terms(bytes32 domain, bytes t) pure returns(bytes32)
func (signedStructs *SignedStructs) PackTerms(domain [32]byte, t []byte) []byte {
	enc, err := signedStructs.abi.Pack("terms", domain, t)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackTerms is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xd1c43355.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function terms(bytes32 domain, bytes t) pure returns(bytes32)
func (signedStructs *SignedStructs) TryPackTerms(domain [32]byte, t []byte) ([]byte, error) {
	return signedStructs.abi.Pack("terms", domain, t)
}

// UnpackTerms is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0xd1c43355.
//
// Solidity: function terms(bytes32 domain, bytes t) pure returns(bytes32)
func (signedStructs *SignedStructs) UnpackTerms(data []byte) ([32]byte, error) {
	out, err := signedStructs.abi.Unpack("terms", data)
	if err != nil {
		return *new([32]byte), err
	}
	out0 := *abi.ConvertType(out[0], new([32]byte)).(*[32]byte)
	return out0, nil
}

// UnpackError attempts to decode the provided error data using user-defined
// error definitions.
func (signedStructs *SignedStructs) UnpackError(raw []byte) (any, error) {
	if bytes.Equal(raw[:4], signedStructs.abi.Errors["BadLedger"].ID.Bytes()[:4]) {
		return signedStructs.UnpackBadLedgerError(raw[4:])
	}
	if bytes.Equal(raw[:4], signedStructs.abi.Errors["BadTerms"].ID.Bytes()[:4]) {
		return signedStructs.UnpackBadTermsError(raw[4:])
	}
	return nil, errors.New("Unknown error")
}

// SignedStructsBadLedger represents a BadLedger error raised by the SignedStructs contract.
type SignedStructsBadLedger struct {
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error BadLedger()
func SignedStructsBadLedgerErrorID() common.Hash {
	return common.HexToHash("0x5ddd8caec92f59a530cb1e88ae6d37e9543fa43595f5cd6497359f165e414f62")
}

// UnpackBadLedgerError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error BadLedger()
func (signedStructs *SignedStructs) UnpackBadLedgerError(raw []byte) (*SignedStructsBadLedger, error) {
	out := new(SignedStructsBadLedger)
	if err := signedStructs.abi.UnpackIntoInterface(out, "BadLedger", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// SignedStructsBadTerms represents a BadTerms error raised by the SignedStructs contract.
type SignedStructsBadTerms struct {
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error BadTerms()
func SignedStructsBadTermsErrorID() common.Hash {
	return common.HexToHash("0x8dc599212cab654299a2bf31d0baab479b0ef032e5276a7206a05bbb2910ec06")
}

// UnpackBadTermsError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error BadTerms()
func (signedStructs *SignedStructs) UnpackBadTermsError(raw []byte) (*SignedStructsBadTerms, error) {
	out := new(SignedStructsBadTerms)
	if err := signedStructs.abi.UnpackIntoInterface(out, "BadTerms", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// TestTokenMetaData contains all meta data concerning the TestToken contract.
var TestTokenMetaData = bind.MetaData{
	ABI: "[{\"inputs\":[],\"name\":\"BONUS\",\"outputs\":[{\"internalType\":\"uint8\",\"name\":\"\",\"type\":\"uint8\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[],\"name\":\"FALSE\",\"outputs\":[{\"internalType\":\"uint8\",\"name\":\"\",\"type\":\"uint8\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[],\"name\":\"FEE\",\"outputs\":[{\"internalType\":\"uint8\",\"name\":\"\",\"type\":\"uint8\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[],\"name\":\"FINE\",\"outputs\":[{\"internalType\":\"uint8\",\"name\":\"\",\"type\":\"uint8\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[],\"name\":\"LIE\",\"outputs\":[{\"internalType\":\"uint8\",\"name\":\"\",\"type\":\"uint8\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[],\"name\":\"LOOP\",\"outputs\":[{\"internalType\":\"uint8\",\"name\":\"\",\"type\":\"uint8\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[],\"name\":\"NO_BOOL\",\"outputs\":[{\"internalType\":\"uint8\",\"name\":\"\",\"type\":\"uint8\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[],\"name\":\"REENTER\",\"outputs\":[{\"internalType\":\"uint8\",\"name\":\"\",\"type\":\"uint8\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[],\"name\":\"STUCK\",\"outputs\":[{\"internalType\":\"uint8\",\"name\":\"\",\"type\":\"uint8\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"owner\",\"type\":\"address\"},{\"internalType\":\"address\",\"name\":\"spender\",\"type\":\"address\"}],\"name\":\"allowance\",\"outputs\":[{\"internalType\":\"uint256\",\"name\":\"\",\"type\":\"uint256\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[],\"name\":\"answer\",\"outputs\":[{\"internalType\":\"bytes\",\"name\":\"\",\"type\":\"bytes\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"spender\",\"type\":\"address\"},{\"internalType\":\"uint256\",\"name\":\"amount\",\"type\":\"uint256\"}],\"name\":\"approve\",\"outputs\":[{\"internalType\":\"bool\",\"name\":\"\",\"type\":\"bool\"}],\"stateMutability\":\"nonpayable\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"account\",\"type\":\"address\"}],\"name\":\"balanceOf\",\"outputs\":[{\"internalType\":\"uint256\",\"name\":\"\",\"type\":\"uint256\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"uint8\",\"name\":\"how\",\"type\":\"uint8\"}],\"name\":\"behave\",\"outputs\":[],\"stateMutability\":\"nonpayable\",\"type\":\"function\"},{\"inputs\":[],\"name\":\"behaviour\",\"outputs\":[{\"internalType\":\"uint8\",\"name\":\"\",\"type\":\"uint8\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"from\",\"type\":\"address\"},{\"internalType\":\"uint256\",\"name\":\"amount\",\"type\":\"uint256\"}],\"name\":\"burn\",\"outputs\":[],\"stateMutability\":\"nonpayable\",\"type\":\"function\"},{\"inputs\":[],\"name\":\"call\",\"outputs\":[{\"internalType\":\"bytes\",\"name\":\"\",\"type\":\"bytes\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"to\",\"type\":\"address\"},{\"internalType\":\"uint256\",\"name\":\"amount\",\"type\":\"uint256\"}],\"name\":\"mint\",\"outputs\":[],\"stateMutability\":\"nonpayable\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"back\",\"type\":\"address\"},{\"internalType\":\"bytes\",\"name\":\"with\",\"type\":\"bytes\"}],\"name\":\"reenter\",\"outputs\":[],\"stateMutability\":\"nonpayable\",\"type\":\"function\"},{\"inputs\":[],\"name\":\"reentered\",\"outputs\":[{\"internalType\":\"bool\",\"name\":\"\",\"type\":\"bool\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[],\"name\":\"target\",\"outputs\":[{\"internalType\":\"address\",\"name\":\"\",\"type\":\"address\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"to\",\"type\":\"address\"},{\"internalType\":\"uint256\",\"name\":\"amount\",\"type\":\"uint256\"}],\"name\":\"transfer\",\"outputs\":[{\"internalType\":\"bool\",\"name\":\"\",\"type\":\"bool\"}],\"stateMutability\":\"nonpayable\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"from\",\"type\":\"address\"},{\"internalType\":\"address\",\"name\":\"to\",\"type\":\"address\"},{\"internalType\":\"uint256\",\"name\":\"amount\",\"type\":\"uint256\"}],\"name\":\"transferFrom\",\"outputs\":[{\"internalType\":\"bool\",\"name\":\"\",\"type\":\"bool\"}],\"stateMutability\":\"nonpayable\",\"type\":\"function\"}]",
	ID:  "3102592cb256cf33d6dfee98eaa8436052",
	Bin: "0x60808060405234601557610c1d908161001a8239f35b5f80fdfe60806040526004361015610011575f80fd5b5f3560e01c8063095ea7b3146107495780631ed221581461071b57806323b872dd146106bd57806328b5e32b1461062b5780633f09775e1461060957806340c10f19146105d057806345be1e53146105b55780634b8624c41461059a5780634fa59a101461057f5780634ff7986e1461056457806370a082311461052d57806376340c9d146105125780637daf4a98146104f257806385bb7d6914610418578063903dd84f146102705780639dc29fac14610233578063a9059cbb14610201578063b91db40c146101e7578063c57981b5146101cc578063c73fb677146101b1578063d4b8399214610185578063dd62ed3e146101355763f5e63b6e14610116575f80fd5b34610131575f36600319011261013157602060405160078152f35b5f80fd5b346101315760403660031901126101315761014e610790565b6101566107a6565b6001600160a01b039182165f908152600160209081526040808320949093168252928352819020549051908152f35b34610131575f3660031901126101315760025460405160089190911c6001600160a01b03168152602090f35b34610131575f36600319011261013157602060405160058152f35b34610131575f36600319011261013157602060405160018152f35b34610131575f3660031901126101315760206040515f8152f35b3461013157604036600319011261013157602061022961021f610790565b6024359033610882565b6040519015158152f35b34610131576040366003190112610131576001600160a01b03610254610790565b165f525f60205260405f2061026c6024358254610854565b9055005b3461013157604036600319011261013157610289610790565b6024359067ffffffffffffffff821161013157366023830112156101315781600401359167ffffffffffffffff8311610131573660248483010111610131576102d36003546107bc565b601f81116103bd575b505f90601f841160011461034a57928061030e926005955f9261033c575b50508160011b915f199060031b1c19161790565b6003555b600280546001600160a81b03191660089290921b610100600160a81b031691909117919091179055005b6024925001013585806102fa565b5f516020610bfd5f395f51905f5291601f1985165f5b8181106103a257509160019391866005979410610386575b505050811b01600355610312565b01602401355f19600384901b60f8161c19169055848080610378565b91936020600181926024888801013581550195019201610360565b838111156102dc5760035f52601f840160051c5f516020610bfd5f395f51905f5260208610610410575b81601f9101920160051c03905f5b8281106104035750506102dc565b5f828201556001016103f5565b5f91506103e7565b34610131575f366003190112610131576040515f600554610438816107bc565b80845290600181169081156104ce5750600114610470575b61046c83610460818503826107f4565b6040519182918261082a565b0390f35b60055f9081527f036b6384b5eca791c62761152d0c79bb0604c104a5fb6f4eb0703f3154bb3db0939250905b8082106104b457509091508101602001610460610450565b91926001816020925483858801015201910190929161049c565b60ff191660208086019190915291151560051b840190910191506104609050610450565b34610131575f36600319011261013157602060ff60025416604051908152f35b34610131575f36600319011261013157602060405160028152f35b34610131576020366003190112610131576001600160a01b0361054e610790565b165f525f602052602060405f2054604051908152f35b34610131575f36600319011261013157602060405160038152f35b34610131575f36600319011261013157602060405160048152f35b34610131575f36600319011261013157602060405160068152f35b34610131575f36600319011261013157602060405160088152f35b34610131576040366003190112610131576001600160a01b036105f1610790565b165f525f60205260405f2061026c6024358254610875565b34610131575f36600319011261013157602060ff600454166040519015158152f35b34610131575f366003190112610131576040515f60035461064b816107bc565b80845290600181169081156104ce57506001146106725761046c83610460818503826107f4565b60035f9081525f516020610bfd5f395f51905f52939250905b8082106106a357509091508101602001610460610450565b91926001816020925483858801015201910190929161068b565b346101315760603660031901126101315760206102296106db610790565b6106e36107a6565b6001600160a01b0382165f908152600185526040808220338352865290208054604435939190610714908590610854565b9055610882565b346101315760203660031901126101315760043560ff81168091036101315760ff1960025416176002555f80f35b3461013157604036600319011261013157610762610790565b335f52600160205260405f209060018060a01b03165f5260205260405f206024359055602060405160018152f35b600435906001600160a01b038216820361013157565b602435906001600160a01b038216820361013157565b90600182811c921680156107ea575b60208310146107d657565b634e487b7160e01b5f52602260045260245ffd5b91607f16916107cb565b90601f8019910116810190811067ffffffffffffffff82111761081657604052565b634e487b7160e01b5f52604160045260245ffd5b602060409281835280519182918282860152018484015e5f828201840152601f01601f1916010190565b9190820391821161086157565b634e487b7160e01b5f52601160045260245ffd5b9190820180921161086157565b92919060ff600254169160078314610bcf5760088314610b925760038314610b8a5760048314610b81576005831461093c575b6002939460018060a01b03165f525f60205260405f206108d6828254610854565b90556001830361091b5780600a6108ee920490610854565b905b60018060a01b03165f525f60205261090d60405f20918254610875565b90551461091957600190565b005b600683036109375780600a610931920490610875565b906108f0565b610931565b60018060a01b0360025460081c166040515f60035461095a816107bc565b9060018116908115610b6c5750600114610b30575b5091815f809493819403925af1943d15610b28573d9567ffffffffffffffff871161081657604051966109ac601f8201601f1916602001896107f4565b87523d5f602089013e5b865167ffffffffffffffff8111610816576109d26005546107bc565b601f8111610ab9575b506020601f8211600114610a34579080610a0d926002999a5f92610a295750508160011b915f199060031b1c19161790565b6005555b60ff80196004541691151516176004559493506108b5565b015190505f806102fa565b601f1982169860055f527f036b6384b5eca791c62761152d0c79bb0604c104a5fb6f4eb0703f3154bb3db0995f5b818110610aa15750916002999a91846001959410610a89575b505050811b01600555610a11565b01515f1960f88460031b161c191690555f8080610a7b565b838301518c556001909b019a60209384019301610a62565b818111156109db5760055f819052601f8301901c7f036b6384b5eca791c62761152d0c79bb0604c104a5fb6f4eb0703f3154bb3db060208410610b20575b81601f9101920160051c03905f5b828110610b135750506109db565b5f82820155600101610b05565b5f9150610af7565b6060956109b6565b905060035f525f516020610bfd5f395f51905f525f905b828210610b5857505081018161096f565b600181602092548487015201910190610b47565b60ff191684525080151502820190508161096f565b50600193505050565b505f93505050565b5b5f8080526020527fad3228b676f7d3cd4284a5443f17f1962b36e491b30a40b2405849e597ba5fb580545f198114610861576001019055610b93565b60405162461bcd60e51b8152602060048201526005602482015264737475636b60d81b6044820152606490fdfec2575a0e9e593c00f959f8c92f12db2869c3395a3b0502d05e2516446f71f85b",
}

// TestToken is an auto generated Go binding around an Ethereum contract.
type TestToken struct {
	abi abi.ABI
}

// GetABI returns the ABI associated with this contract binding.
func (c *TestToken) GetABI() abi.ABI {
	return c.abi
}

// NewTestToken creates a new instance of TestToken.
func NewTestToken() *TestToken {
	parsed, err := TestTokenMetaData.ParseABI()
	if err != nil {
		panic(errors.New("invalid ABI: " + err.Error()))
	}
	return &TestToken{abi: *parsed}
}

// Instance creates a wrapper for a deployed contract instance at the given address.
// Use this to create the instance object passed to abigen v2 library functions Call, Transact, etc.
func (c *TestToken) Instance(backend bind.ContractBackend, addr common.Address) *bind.BoundContract {
	return bind.NewBoundContract(addr, c.abi, backend, backend, backend)
}

// PackBONUS is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x4b8624c4.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function BONUS() view returns(uint8)
func (testToken *TestToken) PackBONUS() []byte {
	enc, err := testToken.abi.Pack("BONUS")
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackBONUS is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x4b8624c4.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function BONUS() view returns(uint8)
func (testToken *TestToken) TryPackBONUS() ([]byte, error) {
	return testToken.abi.Pack("BONUS")
}

// UnpackBONUS is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x4b8624c4.
//
// Solidity: function BONUS() view returns(uint8)
func (testToken *TestToken) UnpackBONUS(data []byte) (uint8, error) {
	out, err := testToken.abi.Unpack("BONUS", data)
	if err != nil {
		return *new(uint8), err
	}
	out0 := *abi.ConvertType(out[0], new(uint8)).(*uint8)
	return out0, nil
}

// PackFALSE is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x4ff7986e.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function FALSE() view returns(uint8)
func (testToken *TestToken) PackFALSE() []byte {
	enc, err := testToken.abi.Pack("FALSE")
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackFALSE is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x4ff7986e.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function FALSE() view returns(uint8)
func (testToken *TestToken) TryPackFALSE() ([]byte, error) {
	return testToken.abi.Pack("FALSE")
}

// UnpackFALSE is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x4ff7986e.
//
// Solidity: function FALSE() view returns(uint8)
func (testToken *TestToken) UnpackFALSE(data []byte) (uint8, error) {
	out, err := testToken.abi.Unpack("FALSE", data)
	if err != nil {
		return *new(uint8), err
	}
	out0 := *abi.ConvertType(out[0], new(uint8)).(*uint8)
	return out0, nil
}

// PackFEE is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xc57981b5.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function FEE() view returns(uint8)
func (testToken *TestToken) PackFEE() []byte {
	enc, err := testToken.abi.Pack("FEE")
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackFEE is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xc57981b5.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function FEE() view returns(uint8)
func (testToken *TestToken) TryPackFEE() ([]byte, error) {
	return testToken.abi.Pack("FEE")
}

// UnpackFEE is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0xc57981b5.
//
// Solidity: function FEE() view returns(uint8)
func (testToken *TestToken) UnpackFEE(data []byte) (uint8, error) {
	out, err := testToken.abi.Unpack("FEE", data)
	if err != nil {
		return *new(uint8), err
	}
	out0 := *abi.ConvertType(out[0], new(uint8)).(*uint8)
	return out0, nil
}

// PackFINE is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xb91db40c.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function FINE() view returns(uint8)
func (testToken *TestToken) PackFINE() []byte {
	enc, err := testToken.abi.Pack("FINE")
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackFINE is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xb91db40c.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function FINE() view returns(uint8)
func (testToken *TestToken) TryPackFINE() ([]byte, error) {
	return testToken.abi.Pack("FINE")
}

// UnpackFINE is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0xb91db40c.
//
// Solidity: function FINE() view returns(uint8)
func (testToken *TestToken) UnpackFINE(data []byte) (uint8, error) {
	out, err := testToken.abi.Unpack("FINE", data)
	if err != nil {
		return *new(uint8), err
	}
	out0 := *abi.ConvertType(out[0], new(uint8)).(*uint8)
	return out0, nil
}

// PackLIE is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x4fa59a10.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function LIE() view returns(uint8)
func (testToken *TestToken) PackLIE() []byte {
	enc, err := testToken.abi.Pack("LIE")
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackLIE is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x4fa59a10.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function LIE() view returns(uint8)
func (testToken *TestToken) TryPackLIE() ([]byte, error) {
	return testToken.abi.Pack("LIE")
}

// UnpackLIE is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x4fa59a10.
//
// Solidity: function LIE() view returns(uint8)
func (testToken *TestToken) UnpackLIE(data []byte) (uint8, error) {
	out, err := testToken.abi.Unpack("LIE", data)
	if err != nil {
		return *new(uint8), err
	}
	out0 := *abi.ConvertType(out[0], new(uint8)).(*uint8)
	return out0, nil
}

// PackLOOP is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x45be1e53.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function LOOP() view returns(uint8)
func (testToken *TestToken) PackLOOP() []byte {
	enc, err := testToken.abi.Pack("LOOP")
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackLOOP is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x45be1e53.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function LOOP() view returns(uint8)
func (testToken *TestToken) TryPackLOOP() ([]byte, error) {
	return testToken.abi.Pack("LOOP")
}

// UnpackLOOP is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x45be1e53.
//
// Solidity: function LOOP() view returns(uint8)
func (testToken *TestToken) UnpackLOOP(data []byte) (uint8, error) {
	out, err := testToken.abi.Unpack("LOOP", data)
	if err != nil {
		return *new(uint8), err
	}
	out0 := *abi.ConvertType(out[0], new(uint8)).(*uint8)
	return out0, nil
}

// PackNOBOOL is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x76340c9d.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function NO_BOOL() view returns(uint8)
func (testToken *TestToken) PackNOBOOL() []byte {
	enc, err := testToken.abi.Pack("NO_BOOL")
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackNOBOOL is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x76340c9d.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function NO_BOOL() view returns(uint8)
func (testToken *TestToken) TryPackNOBOOL() ([]byte, error) {
	return testToken.abi.Pack("NO_BOOL")
}

// UnpackNOBOOL is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x76340c9d.
//
// Solidity: function NO_BOOL() view returns(uint8)
func (testToken *TestToken) UnpackNOBOOL(data []byte) (uint8, error) {
	out, err := testToken.abi.Unpack("NO_BOOL", data)
	if err != nil {
		return *new(uint8), err
	}
	out0 := *abi.ConvertType(out[0], new(uint8)).(*uint8)
	return out0, nil
}

// PackREENTER is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xc73fb677.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function REENTER() view returns(uint8)
func (testToken *TestToken) PackREENTER() []byte {
	enc, err := testToken.abi.Pack("REENTER")
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackREENTER is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xc73fb677.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function REENTER() view returns(uint8)
func (testToken *TestToken) TryPackREENTER() ([]byte, error) {
	return testToken.abi.Pack("REENTER")
}

// UnpackREENTER is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0xc73fb677.
//
// Solidity: function REENTER() view returns(uint8)
func (testToken *TestToken) UnpackREENTER(data []byte) (uint8, error) {
	out, err := testToken.abi.Unpack("REENTER", data)
	if err != nil {
		return *new(uint8), err
	}
	out0 := *abi.ConvertType(out[0], new(uint8)).(*uint8)
	return out0, nil
}

// PackSTUCK is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xf5e63b6e.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function STUCK() view returns(uint8)
func (testToken *TestToken) PackSTUCK() []byte {
	enc, err := testToken.abi.Pack("STUCK")
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackSTUCK is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xf5e63b6e.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function STUCK() view returns(uint8)
func (testToken *TestToken) TryPackSTUCK() ([]byte, error) {
	return testToken.abi.Pack("STUCK")
}

// UnpackSTUCK is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0xf5e63b6e.
//
// Solidity: function STUCK() view returns(uint8)
func (testToken *TestToken) UnpackSTUCK(data []byte) (uint8, error) {
	out, err := testToken.abi.Unpack("STUCK", data)
	if err != nil {
		return *new(uint8), err
	}
	out0 := *abi.ConvertType(out[0], new(uint8)).(*uint8)
	return out0, nil
}

// PackAllowance is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xdd62ed3e.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function allowance(address owner, address spender) view returns(uint256)
func (testToken *TestToken) PackAllowance(owner common.Address, spender common.Address) []byte {
	enc, err := testToken.abi.Pack("allowance", owner, spender)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackAllowance is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xdd62ed3e.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function allowance(address owner, address spender) view returns(uint256)
func (testToken *TestToken) TryPackAllowance(owner common.Address, spender common.Address) ([]byte, error) {
	return testToken.abi.Pack("allowance", owner, spender)
}

// UnpackAllowance is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0xdd62ed3e.
//
// Solidity: function allowance(address owner, address spender) view returns(uint256)
func (testToken *TestToken) UnpackAllowance(data []byte) (*big.Int, error) {
	out, err := testToken.abi.Unpack("allowance", data)
	if err != nil {
		return new(big.Int), err
	}
	out0 := abi.ConvertType(out[0], new(big.Int)).(*big.Int)
	return out0, nil
}

// PackAnswer is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x85bb7d69.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function answer() view returns(bytes)
func (testToken *TestToken) PackAnswer() []byte {
	enc, err := testToken.abi.Pack("answer")
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackAnswer is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x85bb7d69.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function answer() view returns(bytes)
func (testToken *TestToken) TryPackAnswer() ([]byte, error) {
	return testToken.abi.Pack("answer")
}

// UnpackAnswer is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x85bb7d69.
//
// Solidity: function answer() view returns(bytes)
func (testToken *TestToken) UnpackAnswer(data []byte) ([]byte, error) {
	out, err := testToken.abi.Unpack("answer", data)
	if err != nil {
		return *new([]byte), err
	}
	out0 := *abi.ConvertType(out[0], new([]byte)).(*[]byte)
	return out0, nil
}

// PackApprove is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x095ea7b3.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function approve(address spender, uint256 amount) returns(bool)
func (testToken *TestToken) PackApprove(spender common.Address, amount *big.Int) []byte {
	enc, err := testToken.abi.Pack("approve", spender, amount)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackApprove is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x095ea7b3.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function approve(address spender, uint256 amount) returns(bool)
func (testToken *TestToken) TryPackApprove(spender common.Address, amount *big.Int) ([]byte, error) {
	return testToken.abi.Pack("approve", spender, amount)
}

// UnpackApprove is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x095ea7b3.
//
// Solidity: function approve(address spender, uint256 amount) returns(bool)
func (testToken *TestToken) UnpackApprove(data []byte) (bool, error) {
	out, err := testToken.abi.Unpack("approve", data)
	if err != nil {
		return *new(bool), err
	}
	out0 := *abi.ConvertType(out[0], new(bool)).(*bool)
	return out0, nil
}

// PackBalanceOf is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x70a08231.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function balanceOf(address account) view returns(uint256)
func (testToken *TestToken) PackBalanceOf(account common.Address) []byte {
	enc, err := testToken.abi.Pack("balanceOf", account)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackBalanceOf is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x70a08231.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function balanceOf(address account) view returns(uint256)
func (testToken *TestToken) TryPackBalanceOf(account common.Address) ([]byte, error) {
	return testToken.abi.Pack("balanceOf", account)
}

// UnpackBalanceOf is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x70a08231.
//
// Solidity: function balanceOf(address account) view returns(uint256)
func (testToken *TestToken) UnpackBalanceOf(data []byte) (*big.Int, error) {
	out, err := testToken.abi.Unpack("balanceOf", data)
	if err != nil {
		return new(big.Int), err
	}
	out0 := abi.ConvertType(out[0], new(big.Int)).(*big.Int)
	return out0, nil
}

// PackBehave is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x1ed22158.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function behave(uint8 how) returns()
func (testToken *TestToken) PackBehave(how uint8) []byte {
	enc, err := testToken.abi.Pack("behave", how)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackBehave is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x1ed22158.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function behave(uint8 how) returns()
func (testToken *TestToken) TryPackBehave(how uint8) ([]byte, error) {
	return testToken.abi.Pack("behave", how)
}

// PackBehaviour is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x7daf4a98.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function behaviour() view returns(uint8)
func (testToken *TestToken) PackBehaviour() []byte {
	enc, err := testToken.abi.Pack("behaviour")
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackBehaviour is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x7daf4a98.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function behaviour() view returns(uint8)
func (testToken *TestToken) TryPackBehaviour() ([]byte, error) {
	return testToken.abi.Pack("behaviour")
}

// UnpackBehaviour is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x7daf4a98.
//
// Solidity: function behaviour() view returns(uint8)
func (testToken *TestToken) UnpackBehaviour(data []byte) (uint8, error) {
	out, err := testToken.abi.Unpack("behaviour", data)
	if err != nil {
		return *new(uint8), err
	}
	out0 := *abi.ConvertType(out[0], new(uint8)).(*uint8)
	return out0, nil
}

// PackBurn is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x9dc29fac.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function burn(address from, uint256 amount) returns()
func (testToken *TestToken) PackBurn(from common.Address, amount *big.Int) []byte {
	enc, err := testToken.abi.Pack("burn", from, amount)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackBurn is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x9dc29fac.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function burn(address from, uint256 amount) returns()
func (testToken *TestToken) TryPackBurn(from common.Address, amount *big.Int) ([]byte, error) {
	return testToken.abi.Pack("burn", from, amount)
}

// PackCall is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x28b5e32b.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function call() view returns(bytes)
func (testToken *TestToken) PackCall() []byte {
	enc, err := testToken.abi.Pack("call")
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackCall is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x28b5e32b.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function call() view returns(bytes)
func (testToken *TestToken) TryPackCall() ([]byte, error) {
	return testToken.abi.Pack("call")
}

// UnpackCall is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x28b5e32b.
//
// Solidity: function call() view returns(bytes)
func (testToken *TestToken) UnpackCall(data []byte) ([]byte, error) {
	out, err := testToken.abi.Unpack("call", data)
	if err != nil {
		return *new([]byte), err
	}
	out0 := *abi.ConvertType(out[0], new([]byte)).(*[]byte)
	return out0, nil
}

// PackMint is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x40c10f19.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function mint(address to, uint256 amount) returns()
func (testToken *TestToken) PackMint(to common.Address, amount *big.Int) []byte {
	enc, err := testToken.abi.Pack("mint", to, amount)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackMint is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x40c10f19.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function mint(address to, uint256 amount) returns()
func (testToken *TestToken) TryPackMint(to common.Address, amount *big.Int) ([]byte, error) {
	return testToken.abi.Pack("mint", to, amount)
}

// PackReenter is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x903dd84f.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function reenter(address back, bytes with) returns()
func (testToken *TestToken) PackReenter(back common.Address, with []byte) []byte {
	enc, err := testToken.abi.Pack("reenter", back, with)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackReenter is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x903dd84f.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function reenter(address back, bytes with) returns()
func (testToken *TestToken) TryPackReenter(back common.Address, with []byte) ([]byte, error) {
	return testToken.abi.Pack("reenter", back, with)
}

// PackReentered is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x3f09775e.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function reentered() view returns(bool)
func (testToken *TestToken) PackReentered() []byte {
	enc, err := testToken.abi.Pack("reentered")
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackReentered is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x3f09775e.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function reentered() view returns(bool)
func (testToken *TestToken) TryPackReentered() ([]byte, error) {
	return testToken.abi.Pack("reentered")
}

// UnpackReentered is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x3f09775e.
//
// Solidity: function reentered() view returns(bool)
func (testToken *TestToken) UnpackReentered(data []byte) (bool, error) {
	out, err := testToken.abi.Unpack("reentered", data)
	if err != nil {
		return *new(bool), err
	}
	out0 := *abi.ConvertType(out[0], new(bool)).(*bool)
	return out0, nil
}

// PackTarget is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xd4b83992.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function target() view returns(address)
func (testToken *TestToken) PackTarget() []byte {
	enc, err := testToken.abi.Pack("target")
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackTarget is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xd4b83992.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function target() view returns(address)
func (testToken *TestToken) TryPackTarget() ([]byte, error) {
	return testToken.abi.Pack("target")
}

// UnpackTarget is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0xd4b83992.
//
// Solidity: function target() view returns(address)
func (testToken *TestToken) UnpackTarget(data []byte) (common.Address, error) {
	out, err := testToken.abi.Unpack("target", data)
	if err != nil {
		return *new(common.Address), err
	}
	out0 := *abi.ConvertType(out[0], new(common.Address)).(*common.Address)
	return out0, nil
}

// PackTransfer is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xa9059cbb.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function transfer(address to, uint256 amount) returns(bool)
func (testToken *TestToken) PackTransfer(to common.Address, amount *big.Int) []byte {
	enc, err := testToken.abi.Pack("transfer", to, amount)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackTransfer is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xa9059cbb.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function transfer(address to, uint256 amount) returns(bool)
func (testToken *TestToken) TryPackTransfer(to common.Address, amount *big.Int) ([]byte, error) {
	return testToken.abi.Pack("transfer", to, amount)
}

// UnpackTransfer is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0xa9059cbb.
//
// Solidity: function transfer(address to, uint256 amount) returns(bool)
func (testToken *TestToken) UnpackTransfer(data []byte) (bool, error) {
	out, err := testToken.abi.Unpack("transfer", data)
	if err != nil {
		return *new(bool), err
	}
	out0 := *abi.ConvertType(out[0], new(bool)).(*bool)
	return out0, nil
}

// PackTransferFrom is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x23b872dd.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function transferFrom(address from, address to, uint256 amount) returns(bool)
func (testToken *TestToken) PackTransferFrom(from common.Address, to common.Address, amount *big.Int) []byte {
	enc, err := testToken.abi.Pack("transferFrom", from, to, amount)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackTransferFrom is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x23b872dd.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function transferFrom(address from, address to, uint256 amount) returns(bool)
func (testToken *TestToken) TryPackTransferFrom(from common.Address, to common.Address, amount *big.Int) ([]byte, error) {
	return testToken.abi.Pack("transferFrom", from, to, amount)
}

// UnpackTransferFrom is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x23b872dd.
//
// Solidity: function transferFrom(address from, address to, uint256 amount) returns(bool)
func (testToken *TestToken) UnpackTransferFrom(data []byte) (bool, error) {
	out, err := testToken.abi.Unpack("transferFrom", data)
	if err != nil {
		return *new(bool), err
	}
	out0 := *abi.ConvertType(out[0], new(bool)).(*bool)
	return out0, nil
}

// TestWalletMetaData contains all meta data concerning the TestWallet contract.
var TestWalletMetaData = bind.MetaData{
	ABI: "[{\"inputs\":[{\"internalType\":\"address\",\"name\":\"owner_\",\"type\":\"address\"}],\"stateMutability\":\"payable\",\"type\":\"constructor\"},{\"inputs\":[],\"name\":\"Refused\",\"type\":\"error\"},{\"inputs\":[],\"name\":\"BOMB\",\"outputs\":[{\"internalType\":\"uint8\",\"name\":\"\",\"type\":\"uint8\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[],\"name\":\"DENY\",\"outputs\":[{\"internalType\":\"uint8\",\"name\":\"\",\"type\":\"uint8\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[],\"name\":\"FINE\",\"outputs\":[{\"internalType\":\"uint8\",\"name\":\"\",\"type\":\"uint8\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[],\"name\":\"LOOP\",\"outputs\":[{\"internalType\":\"uint8\",\"name\":\"\",\"type\":\"uint8\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[],\"name\":\"REENTER\",\"outputs\":[{\"internalType\":\"uint8\",\"name\":\"\",\"type\":\"uint8\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[],\"name\":\"REVERT\",\"outputs\":[{\"internalType\":\"uint8\",\"name\":\"\",\"type\":\"uint8\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[],\"name\":\"SHORT\",\"outputs\":[{\"internalType\":\"uint8\",\"name\":\"\",\"type\":\"uint8\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[],\"name\":\"answer\",\"outputs\":[{\"internalType\":\"bytes\",\"name\":\"\",\"type\":\"bytes\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"uint8\",\"name\":\"how\",\"type\":\"uint8\"}],\"name\":\"behave\",\"outputs\":[],\"stateMutability\":\"nonpayable\",\"type\":\"function\"},{\"inputs\":[],\"name\":\"behaviour\",\"outputs\":[{\"internalType\":\"uint8\",\"name\":\"\",\"type\":\"uint8\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[],\"name\":\"call\",\"outputs\":[{\"internalType\":\"bytes\",\"name\":\"\",\"type\":\"bytes\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"to\",\"type\":\"address\"},{\"internalType\":\"uint256\",\"name\":\"value\",\"type\":\"uint256\"},{\"internalType\":\"bytes\",\"name\":\"data\",\"type\":\"bytes\"}],\"name\":\"execute\",\"outputs\":[{\"internalType\":\"bytes\",\"name\":\"\",\"type\":\"bytes\"}],\"stateMutability\":\"payable\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"bytes32\",\"name\":\"digest\",\"type\":\"bytes32\"},{\"internalType\":\"bytes\",\"name\":\"signature\",\"type\":\"bytes\"}],\"name\":\"isValidSignature\",\"outputs\":[{\"internalType\":\"bytes4\",\"name\":\"\",\"type\":\"bytes4\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[],\"name\":\"owner\",\"outputs\":[{\"internalType\":\"address\",\"name\":\"\",\"type\":\"address\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"back\",\"type\":\"address\"},{\"internalType\":\"bytes\",\"name\":\"with\",\"type\":\"bytes\"}],\"name\":\"reenter\",\"outputs\":[],\"stateMutability\":\"nonpayable\",\"type\":\"function\"},{\"inputs\":[],\"name\":\"reentered\",\"outputs\":[{\"internalType\":\"bool\",\"name\":\"\",\"type\":\"bool\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[],\"name\":\"target\",\"outputs\":[{\"internalType\":\"address\",\"name\":\"\",\"type\":\"address\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"stateMutability\":\"payable\",\"type\":\"receive\"}]",
	ID:  "a4b7f53460210e72e7be56e41b7ecab7aa",
	Bin: "0x60a0601f610b4d38819003918201601f19168301916001600160401b03831184841017606d57808492602094604052833981010312606957516001600160a01b0381168103606957608052604051610acb9081610082823960805181818161059f01526109a40152f35b5f80fd5b634e487b7160e01b5f52604160045260245ffdfe60806040526004361015610245575b3615610018575f80fd5b5f5460ff8116600481036102395750604051905f6001546100388161088f565b906001811690811561022457506001146101e8575b505f9283929181900391839060081c6001600160a01b03165af161006f610a1c565b90815167ffffffffffffffff81116101d45761008c60035461088f565b601f8111610166575b50602092601f82116001146100e7576100c6929382915f926100dc575b50508160011b915f199060031b1c19161790565b6003555b60ff8019600254169115151617600255005b015190505f806100b2565b601f1982169360035f527fc2575a0e9e593c00f959f8c92f12db2869c3395a3b0502d05e2516446f71f85b915f5b86811061014e5750836001959610610136575b505050811b016003556100ca565b01515f1960f88460031b161c191690555f8080610128565b91926020600181928685015181550194019201610115565b818111156100955760035f52601f820160051c7fc2575a0e9e593c00f959f8c92f12db2869c3395a3b0502d05e2516446f71f85b602084106101cc575b81601f9101920160051c03905f5b8281106101bf575050610095565b5f828201556001016101b1565b5f91506101a3565b634e487b7160e01b5f52604160045260245ffd5b905060015f525f516020610aab5f395f51905f525f905b82821061021057505082018261004d565b6001816020925484880152019101906101ff565b60ff191685525080151502830190508261004d565b6102439150610a5b565b005b5f3560e01c80631626ba7e1461080f5780631ed22158146107e357806328b5e32b146107515780633f09775e1461072f57806345be1e5314610714578063463ea0c1146106f95780635dd11b37146106de578063769018a1146106c35780637daf4a98146106a457806385bb7d69146105ce5780638da5cb5b1461058a578063903dd84f146103fb578063a871da91146103e0578063b61d27f614610368578063b91db40c1461034e578063c73fb677146103335763d4b839920361000e573461032f575f36600319011261032f575f5460405160089190911c6001600160a01b03168152602090f35b5f80fd5b3461032f575f36600319011261032f57602060405160048152f35b3461032f575f36600319011261032f5760206040515f8152f35b606036600319011261032f5761037c610913565b60443567ffffffffffffffff811161032f575f9161039f83923690600401610861565b9081604051928392833781018481520391602435905af16103be610a1c565b90156103d8576103d490604051918291826108e9565b0390f35b602081519101fd5b3461032f575f36600319011261032f57602060405160058152f35b3461032f57604036600319011261032f57610414610913565b60243567ffffffffffffffff811161032f57610434903690600401610861565b919067ffffffffffffffff83116101d45761045060015461088f565b601f811161052f575b505f90601f84116001146104c257928061048a926004955f926104b75750508160011b915f199060031b1c19161790565b6001555b5f80546001600160a81b03191660089290921b610100600160a81b031691909117919091179055005b0135905085806100b2565b5f516020610aab5f395f51905f5291601f1985165f5b818110610517575091600193918660049794106104fe575b505050811b0160015561048e565b01355f19600384901b60f8161c191690558480806104f0565b919360206001819287870135815501950192016104d8565b838111156104595760015f52601f840160051c5f516020610aab5f395f51905f5260208610610582575b81601f9101920160051c03905f5b828110610575575050610459565b5f82820155600101610567565b5f9150610559565b3461032f575f36600319011261032f576040517f00000000000000000000000000000000000000000000000000000000000000006001600160a01b03168152602090f35b3461032f575f36600319011261032f576040515f6003546105ee8161088f565b80845290600181169081156106805750600114610622575b6103d483610616818503826108c7565b604051918291826108e9565b60035f9081527fc2575a0e9e593c00f959f8c92f12db2869c3395a3b0502d05e2516446f71f85b939250905b80821061066657509091508101602001610616610606565b91926001816020925483858801015201910190929161064e565b60ff191660208086019190915291151560051b840190910191506106169050610606565b3461032f575f36600319011261032f57602060ff5f5416604051908152f35b3461032f575f36600319011261032f57602060405160038152f35b3461032f575f36600319011261032f57602060405160018152f35b3461032f575f36600319011261032f57602060405160068152f35b3461032f575f36600319011261032f57602060405160028152f35b3461032f575f36600319011261032f57602060ff600254166040519015158152f35b3461032f575f36600319011261032f576040515f6001546107718161088f565b80845290600181169081156106805750600114610798576103d483610616818503826108c7565b60015f9081525f516020610aab5f395f51905f52939250905b8082106107c957509091508101602001610616610606565b9192600181602092548385880101520191019092916107b1565b3461032f57602036600319011261032f5760043560ff811680910361032f5760ff195f5416175f555f80f35b3461032f57604036600319011261032f5760243567ffffffffffffffff811161032f5761084e6108456020923690600401610861565b90600435610929565b6040516001600160e01b03199091168152f35b9181601f8401121561032f5782359167ffffffffffffffff831161032f576020838186019501011161032f57565b90600182811c921680156108bd575b60208310146108a957565b634e487b7160e01b5f52602260045260245ffd5b91607f169161089e565b90601f8019910116810190811067ffffffffffffffff8211176101d457604052565b602060409281835280519182918282860152018484015e5f828201840152601f01601f1916010190565b600435906001600160a01b038216820361032f57565b90600660ff5f541661093a81610a5b565b148015610a11575b610a01578260201161032f578035918360401161032f57602082013593604010156109ed576020935f9360406080948151948552013560f81c868401526040830152606082015282805260015afa156109e2575f516001600160a01b039081167f0000000000000000000000000000000000000000000000000000000000000000909116036109d657630b135d3f60e11b90565b6001600160e01b031990565b6040513d5f823e3d90fd5b634e487b7160e01b5f52603260045260245ffd5b506001600160e01b031992915050565b506061831415610942565b3d15610a56573d9067ffffffffffffffff82116101d45760405191610a4b601f8201601f1916602001846108c7565b82523d5f602084013e565b606090565b60ff1660018114610a9b5760028114610a955760038114610a8e57600514610a7f57565b630b135d3f60e11b5f5260045ff35b621e84805ff35b5b610a96565b638ac5ff0b60e01b5f5260045ffdfeb10e2d527612073b26eecdfd717e6a320cf44b4afac2b0732d9fcbe2b7fa0cf6",
}

// TestWallet is an auto generated Go binding around an Ethereum contract.
type TestWallet struct {
	abi abi.ABI
}

// GetABI returns the ABI associated with this contract binding.
func (c *TestWallet) GetABI() abi.ABI {
	return c.abi
}

// NewTestWallet creates a new instance of TestWallet.
func NewTestWallet() *TestWallet {
	parsed, err := TestWalletMetaData.ParseABI()
	if err != nil {
		panic(errors.New("invalid ABI: " + err.Error()))
	}
	return &TestWallet{abi: *parsed}
}

// Instance creates a wrapper for a deployed contract instance at the given address.
// Use this to create the instance object passed to abigen v2 library functions Call, Transact, etc.
func (c *TestWallet) Instance(backend bind.ContractBackend, addr common.Address) *bind.BoundContract {
	return bind.NewBoundContract(addr, c.abi, backend, backend, backend)
}

// PackConstructor is the Go binding used to pack the parameters required for
// contract deployment.
//
// Solidity: constructor(address owner_) payable returns()
func (testWallet *TestWallet) PackConstructor(owner_ common.Address) []byte {
	enc, err := testWallet.abi.Pack("", owner_)
	if err != nil {
		panic(err)
	}
	return enc
}

// PackBOMB is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x769018a1.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function BOMB() view returns(uint8)
func (testWallet *TestWallet) PackBOMB() []byte {
	enc, err := testWallet.abi.Pack("BOMB")
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackBOMB is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x769018a1.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function BOMB() view returns(uint8)
func (testWallet *TestWallet) TryPackBOMB() ([]byte, error) {
	return testWallet.abi.Pack("BOMB")
}

// UnpackBOMB is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x769018a1.
//
// Solidity: function BOMB() view returns(uint8)
func (testWallet *TestWallet) UnpackBOMB(data []byte) (uint8, error) {
	out, err := testWallet.abi.Unpack("BOMB", data)
	if err != nil {
		return *new(uint8), err
	}
	out0 := *abi.ConvertType(out[0], new(uint8)).(*uint8)
	return out0, nil
}

// PackDENY is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x463ea0c1.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function DENY() view returns(uint8)
func (testWallet *TestWallet) PackDENY() []byte {
	enc, err := testWallet.abi.Pack("DENY")
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackDENY is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x463ea0c1.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function DENY() view returns(uint8)
func (testWallet *TestWallet) TryPackDENY() ([]byte, error) {
	return testWallet.abi.Pack("DENY")
}

// UnpackDENY is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x463ea0c1.
//
// Solidity: function DENY() view returns(uint8)
func (testWallet *TestWallet) UnpackDENY(data []byte) (uint8, error) {
	out, err := testWallet.abi.Unpack("DENY", data)
	if err != nil {
		return *new(uint8), err
	}
	out0 := *abi.ConvertType(out[0], new(uint8)).(*uint8)
	return out0, nil
}

// PackFINE is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xb91db40c.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function FINE() view returns(uint8)
func (testWallet *TestWallet) PackFINE() []byte {
	enc, err := testWallet.abi.Pack("FINE")
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackFINE is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xb91db40c.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function FINE() view returns(uint8)
func (testWallet *TestWallet) TryPackFINE() ([]byte, error) {
	return testWallet.abi.Pack("FINE")
}

// UnpackFINE is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0xb91db40c.
//
// Solidity: function FINE() view returns(uint8)
func (testWallet *TestWallet) UnpackFINE(data []byte) (uint8, error) {
	out, err := testWallet.abi.Unpack("FINE", data)
	if err != nil {
		return *new(uint8), err
	}
	out0 := *abi.ConvertType(out[0], new(uint8)).(*uint8)
	return out0, nil
}

// PackLOOP is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x45be1e53.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function LOOP() view returns(uint8)
func (testWallet *TestWallet) PackLOOP() []byte {
	enc, err := testWallet.abi.Pack("LOOP")
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackLOOP is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x45be1e53.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function LOOP() view returns(uint8)
func (testWallet *TestWallet) TryPackLOOP() ([]byte, error) {
	return testWallet.abi.Pack("LOOP")
}

// UnpackLOOP is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x45be1e53.
//
// Solidity: function LOOP() view returns(uint8)
func (testWallet *TestWallet) UnpackLOOP(data []byte) (uint8, error) {
	out, err := testWallet.abi.Unpack("LOOP", data)
	if err != nil {
		return *new(uint8), err
	}
	out0 := *abi.ConvertType(out[0], new(uint8)).(*uint8)
	return out0, nil
}

// PackREENTER is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xc73fb677.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function REENTER() view returns(uint8)
func (testWallet *TestWallet) PackREENTER() []byte {
	enc, err := testWallet.abi.Pack("REENTER")
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackREENTER is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xc73fb677.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function REENTER() view returns(uint8)
func (testWallet *TestWallet) TryPackREENTER() ([]byte, error) {
	return testWallet.abi.Pack("REENTER")
}

// UnpackREENTER is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0xc73fb677.
//
// Solidity: function REENTER() view returns(uint8)
func (testWallet *TestWallet) UnpackREENTER(data []byte) (uint8, error) {
	out, err := testWallet.abi.Unpack("REENTER", data)
	if err != nil {
		return *new(uint8), err
	}
	out0 := *abi.ConvertType(out[0], new(uint8)).(*uint8)
	return out0, nil
}

// PackREVERT is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x5dd11b37.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function REVERT() view returns(uint8)
func (testWallet *TestWallet) PackREVERT() []byte {
	enc, err := testWallet.abi.Pack("REVERT")
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackREVERT is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x5dd11b37.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function REVERT() view returns(uint8)
func (testWallet *TestWallet) TryPackREVERT() ([]byte, error) {
	return testWallet.abi.Pack("REVERT")
}

// UnpackREVERT is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x5dd11b37.
//
// Solidity: function REVERT() view returns(uint8)
func (testWallet *TestWallet) UnpackREVERT(data []byte) (uint8, error) {
	out, err := testWallet.abi.Unpack("REVERT", data)
	if err != nil {
		return *new(uint8), err
	}
	out0 := *abi.ConvertType(out[0], new(uint8)).(*uint8)
	return out0, nil
}

// PackSHORT is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xa871da91.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function SHORT() view returns(uint8)
func (testWallet *TestWallet) PackSHORT() []byte {
	enc, err := testWallet.abi.Pack("SHORT")
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackSHORT is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xa871da91.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function SHORT() view returns(uint8)
func (testWallet *TestWallet) TryPackSHORT() ([]byte, error) {
	return testWallet.abi.Pack("SHORT")
}

// UnpackSHORT is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0xa871da91.
//
// Solidity: function SHORT() view returns(uint8)
func (testWallet *TestWallet) UnpackSHORT(data []byte) (uint8, error) {
	out, err := testWallet.abi.Unpack("SHORT", data)
	if err != nil {
		return *new(uint8), err
	}
	out0 := *abi.ConvertType(out[0], new(uint8)).(*uint8)
	return out0, nil
}

// PackAnswer is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x85bb7d69.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function answer() view returns(bytes)
func (testWallet *TestWallet) PackAnswer() []byte {
	enc, err := testWallet.abi.Pack("answer")
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackAnswer is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x85bb7d69.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function answer() view returns(bytes)
func (testWallet *TestWallet) TryPackAnswer() ([]byte, error) {
	return testWallet.abi.Pack("answer")
}

// UnpackAnswer is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x85bb7d69.
//
// Solidity: function answer() view returns(bytes)
func (testWallet *TestWallet) UnpackAnswer(data []byte) ([]byte, error) {
	out, err := testWallet.abi.Unpack("answer", data)
	if err != nil {
		return *new([]byte), err
	}
	out0 := *abi.ConvertType(out[0], new([]byte)).(*[]byte)
	return out0, nil
}

// PackBehave is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x1ed22158.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function behave(uint8 how) returns()
func (testWallet *TestWallet) PackBehave(how uint8) []byte {
	enc, err := testWallet.abi.Pack("behave", how)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackBehave is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x1ed22158.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function behave(uint8 how) returns()
func (testWallet *TestWallet) TryPackBehave(how uint8) ([]byte, error) {
	return testWallet.abi.Pack("behave", how)
}

// PackBehaviour is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x7daf4a98.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function behaviour() view returns(uint8)
func (testWallet *TestWallet) PackBehaviour() []byte {
	enc, err := testWallet.abi.Pack("behaviour")
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackBehaviour is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x7daf4a98.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function behaviour() view returns(uint8)
func (testWallet *TestWallet) TryPackBehaviour() ([]byte, error) {
	return testWallet.abi.Pack("behaviour")
}

// UnpackBehaviour is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x7daf4a98.
//
// Solidity: function behaviour() view returns(uint8)
func (testWallet *TestWallet) UnpackBehaviour(data []byte) (uint8, error) {
	out, err := testWallet.abi.Unpack("behaviour", data)
	if err != nil {
		return *new(uint8), err
	}
	out0 := *abi.ConvertType(out[0], new(uint8)).(*uint8)
	return out0, nil
}

// PackCall is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x28b5e32b.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function call() view returns(bytes)
func (testWallet *TestWallet) PackCall() []byte {
	enc, err := testWallet.abi.Pack("call")
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackCall is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x28b5e32b.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function call() view returns(bytes)
func (testWallet *TestWallet) TryPackCall() ([]byte, error) {
	return testWallet.abi.Pack("call")
}

// UnpackCall is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x28b5e32b.
//
// Solidity: function call() view returns(bytes)
func (testWallet *TestWallet) UnpackCall(data []byte) ([]byte, error) {
	out, err := testWallet.abi.Unpack("call", data)
	if err != nil {
		return *new([]byte), err
	}
	out0 := *abi.ConvertType(out[0], new([]byte)).(*[]byte)
	return out0, nil
}

// PackExecute is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xb61d27f6.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function execute(address to, uint256 value, bytes data) payable returns(bytes)
func (testWallet *TestWallet) PackExecute(to common.Address, value *big.Int, data []byte) []byte {
	enc, err := testWallet.abi.Pack("execute", to, value, data)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackExecute is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xb61d27f6.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function execute(address to, uint256 value, bytes data) payable returns(bytes)
func (testWallet *TestWallet) TryPackExecute(to common.Address, value *big.Int, data []byte) ([]byte, error) {
	return testWallet.abi.Pack("execute", to, value, data)
}

// UnpackExecute is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0xb61d27f6.
//
// Solidity: function execute(address to, uint256 value, bytes data) payable returns(bytes)
func (testWallet *TestWallet) UnpackExecute(data []byte) ([]byte, error) {
	out, err := testWallet.abi.Unpack("execute", data)
	if err != nil {
		return *new([]byte), err
	}
	out0 := *abi.ConvertType(out[0], new([]byte)).(*[]byte)
	return out0, nil
}

// PackIsValidSignature is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x1626ba7e.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function isValidSignature(bytes32 digest, bytes signature) view returns(bytes4)
func (testWallet *TestWallet) PackIsValidSignature(digest [32]byte, signature []byte) []byte {
	enc, err := testWallet.abi.Pack("isValidSignature", digest, signature)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackIsValidSignature is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x1626ba7e.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function isValidSignature(bytes32 digest, bytes signature) view returns(bytes4)
func (testWallet *TestWallet) TryPackIsValidSignature(digest [32]byte, signature []byte) ([]byte, error) {
	return testWallet.abi.Pack("isValidSignature", digest, signature)
}

// UnpackIsValidSignature is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x1626ba7e.
//
// Solidity: function isValidSignature(bytes32 digest, bytes signature) view returns(bytes4)
func (testWallet *TestWallet) UnpackIsValidSignature(data []byte) ([4]byte, error) {
	out, err := testWallet.abi.Unpack("isValidSignature", data)
	if err != nil {
		return *new([4]byte), err
	}
	out0 := *abi.ConvertType(out[0], new([4]byte)).(*[4]byte)
	return out0, nil
}

// PackOwner is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x8da5cb5b.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function owner() view returns(address)
func (testWallet *TestWallet) PackOwner() []byte {
	enc, err := testWallet.abi.Pack("owner")
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackOwner is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x8da5cb5b.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function owner() view returns(address)
func (testWallet *TestWallet) TryPackOwner() ([]byte, error) {
	return testWallet.abi.Pack("owner")
}

// UnpackOwner is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x8da5cb5b.
//
// Solidity: function owner() view returns(address)
func (testWallet *TestWallet) UnpackOwner(data []byte) (common.Address, error) {
	out, err := testWallet.abi.Unpack("owner", data)
	if err != nil {
		return *new(common.Address), err
	}
	out0 := *abi.ConvertType(out[0], new(common.Address)).(*common.Address)
	return out0, nil
}

// PackReenter is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x903dd84f.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function reenter(address back, bytes with) returns()
func (testWallet *TestWallet) PackReenter(back common.Address, with []byte) []byte {
	enc, err := testWallet.abi.Pack("reenter", back, with)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackReenter is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x903dd84f.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function reenter(address back, bytes with) returns()
func (testWallet *TestWallet) TryPackReenter(back common.Address, with []byte) ([]byte, error) {
	return testWallet.abi.Pack("reenter", back, with)
}

// PackReentered is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x3f09775e.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function reentered() view returns(bool)
func (testWallet *TestWallet) PackReentered() []byte {
	enc, err := testWallet.abi.Pack("reentered")
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackReentered is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x3f09775e.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function reentered() view returns(bool)
func (testWallet *TestWallet) TryPackReentered() ([]byte, error) {
	return testWallet.abi.Pack("reentered")
}

// UnpackReentered is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x3f09775e.
//
// Solidity: function reentered() view returns(bool)
func (testWallet *TestWallet) UnpackReentered(data []byte) (bool, error) {
	out, err := testWallet.abi.Unpack("reentered", data)
	if err != nil {
		return *new(bool), err
	}
	out0 := *abi.ConvertType(out[0], new(bool)).(*bool)
	return out0, nil
}

// PackTarget is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xd4b83992.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function target() view returns(address)
func (testWallet *TestWallet) PackTarget() []byte {
	enc, err := testWallet.abi.Pack("target")
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackTarget is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xd4b83992.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function target() view returns(address)
func (testWallet *TestWallet) TryPackTarget() ([]byte, error) {
	return testWallet.abi.Pack("target")
}

// UnpackTarget is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0xd4b83992.
//
// Solidity: function target() view returns(address)
func (testWallet *TestWallet) UnpackTarget(data []byte) (common.Address, error) {
	out, err := testWallet.abi.Unpack("target", data)
	if err != nil {
		return *new(common.Address), err
	}
	out0 := *abi.ConvertType(out[0], new(common.Address)).(*common.Address)
	return out0, nil
}

// UnpackError attempts to decode the provided error data using user-defined
// error definitions.
func (testWallet *TestWallet) UnpackError(raw []byte) (any, error) {
	if bytes.Equal(raw[:4], testWallet.abi.Errors["Refused"].ID.Bytes()[:4]) {
		return testWallet.UnpackRefusedError(raw[4:])
	}
	return nil, errors.New("Unknown error")
}

// TestWalletRefused represents a Refused error raised by the TestWallet contract.
type TestWalletRefused struct {
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error Refused()
func TestWalletRefusedErrorID() common.Hash {
	return common.HexToHash("0x8ac5ff0bf8ef9807b77ae1c204f55cfc54a1ef5de6b0c1149bcb69153525ab21")
}

// UnpackRefusedError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error Refused()
func (testWallet *TestWallet) UnpackRefusedError(raw []byte) (*TestWalletRefused, error) {
	out := new(TestWalletRefused)
	if err := testWallet.abi.UnpackIntoInterface(out, "Refused", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// ToyRulesMetaData contains all meta data concerning the ToyRules contract.
var ToyRulesMetaData = bind.MetaData{
	ABI: "[{\"inputs\":[],\"name\":\"Illegal\",\"type\":\"error\"}]",
	ID:  "286091b93e42f960ae97cc624ca11299b8",
	Bin: "0x60808060405234601557610d39908161001a8239f35b5f80fdfe6080806040526004361015610012575f80fd5b5f3560e01c90816334e08cd7146105e15750806338b24a2214610585578063677a8fa214610395578063a7e5065f146103035763bf9af3b514610053575f80fd5b346101ef5760403660031901126101ef576004356001600160401b0381116101ef5761008390369060040161062c565b906024356001600160401b0381116101ef57366023820112156101ef578060040135916001600160401b0383116101ef576024820191602436918560051b0101116101ef5760258414806102ef575b156102e057836004101561027a57600481013560f81c936020946101056040516100fc8882610712565b5f815282610c7c565b5050600681036102da57600185018086116102c657945b61013e61012887610c24565b966101366040519889610712565b808852610c24565b8688019590601f19013687375f905f905b83821061028e575050836001101561027a57600185013560f81c60ff8103610248575b5050508060056009921461022c575b146101f3575b6004116101ef576002013560f01c806101e2575f905b60405193606085019060608652518091526080850193905f5b8181106101ce57505050839484015260408301520390f35b8251865294870194918701916001016101b6565b626c696560e81b9061019d565b5f80fd5b600160ff1b61020185610c4b565b510161020c85610c4b565b52600160ff1b61021b85610c58565b510161022685610c58565b52610187565b600161023787610c4b565b510161024287610c4b565b52610181565b5f5b8381106102575750610172565b60019082810361027457835b61026d828c610c68565b520161024a565b5f610263565b634e487b7160e01b5f52603260045260245ffd5b909161029b838584610c3b565b356102a6848b610c68565b526102b2838584610c3b565b3581018091116102c657916001019061014f565b634e487b7160e01b5f52601160045260245ffd5b8461011c565b63c9c4bbdf60e01b5f5260045ffd5b50831561027a5760ff813560f81c146100d2565b346101ef5760603660031901126101ef576004356001600160401b0381116101ef5760e060031982360301126101ef576024356001600160401b0381116101ef5761035290369060040161062c565b91604435926001600160401b0384116101ef5761037661038194369060040161062c565b939092600401610944565b9061039160405192839283610659565b0390f35b346101ef5760203660031901126101ef576004356001600160401b0381116101ef578060040160e060031983360301126101ef57602482019060046103da8383610747565b9050148061055f575b156102e0576103f28282610747565b9390931561027a576104048383610747565b6003929192101561027a5761041c60448201846106a3565b909161042b60648201866106a3565b60409291925193602085019588358752608060408701528160a087015260018060fb1b0382116101ef5760e090869495939260051b809160c087013784018260c08201601f1960c088850301016060880152520191905f905b80821061052d5750505060846104a9930135608083015203601f198101835282610712565b519020906040519460ff60f81b903516602086015260ff60f81b60218601525f6022860152600360ff60f81b9101351660248501526025840152602583526104f2604584610712565b6104fc8282610747565b6001939193101561027a5761051091610747565b9290921561027a576001610381933560f81c92013560f81c610d00565b919493509184356001600160a01b03811691908290036101ef5760208160019382935201950192018593949291610484565b5061056d60448401826106a3565b905061057c60648501836106a3565b919050146103e3565b346101ef5760403660031901126101ef576004356001600160401b0381116101ef5760e060031982360301126101ef57602435906001600160401b0382116101ef576105d861038192369060040161062c565b9160040161079b565b346101ef5760203660031901126101ef576004356001600160401b0381116101ef5761061190369060040161062c565b602581939293036102e0571561027a576020913560f81c8152f35b9181601f840112156101ef578235916001600160401b0383116101ef57602083818601950101116101ef57565b9060ff606060208093969596604086528051918291826040890152018387015e5f828287010152601f80199101168401019416910152565b60ff60019116019060ff82116102c657565b903590601e19813603018212156101ef57018035906001600160401b0382116101ef57602001918160051b360383136101ef57565b81156106e2570690565b634e487b7160e01b5f52601260045260245ffd5b359060208110610704575090565b5f199060200360031b1b1690565b90601f801991011681019081106001600160401b0382111761073357604052565b634e487b7160e01b5f52604160045260245ffd5b903590601e19813603018212156101ef57018035906001600160401b0382116101ef576020019181360383136101ef57565b916004906025949260ff60f81b9060f81b168452600184013760058201520190565b9190811561027a57803560f81c916107cd6107b584610691565b60ff6107c460408801886106a3565b929050166106d8565b9060ff8216938160051191826101ef576107f16108289160041901600587016106f6565b6040516020810191825266195e1c1a5c995960ca1b60408201526027815261081a604782610712565b519020966020810190610747565b6002101561027a576002013560f81c9283156108e85750600a83146108c157600b831461088957506101ef5761088060019261087261088596604051958693018760208501610779565b03601f198101845283610712565b610d00565b9091565b959492935090506101ef576001916108af6108bd92604051948593018760208501610779565b03601f198101835282610712565b9190565b50905093929091936101ef576001916108af6108bd92604051948593018760208501610779565b95945050505060026003916040519460ff60f81b602087015260ff60f81b9060f81b16602186015201602284013760258201526025815261092a604582610712565b9060ff90565b356001600160401b03811681036101ef5790565b9493949290926025831480610c0f575b80610c04575b156102e057851561027a57813560f81c91866001101561027a57600181013560f81c968460051193846101ef576109986004198701600589016106f6565b60405160208101918252838560408301376109c66040828681015f838201520301601f198101835282610712565b5190209560018214808015610bfa575b8015610bf0575b610b1757505060048114610adf5760058103610a7f5750505060c081016001600160401b03610a0b82610930565b1615159081610a63575b50156102e057610a2a905b60408101906106a3565b905085108015610a59575b156102e0576101ef576001916108af6108bd92604051948593018760208501610779565b5060fe8514610a35565b610a6d9150610930565b6001600160401b03439116105f610a15565b60068103610acf5750600281119182610aa3575b5050156102e057610a2a90610a20565b90915060a08301359161ffff83168093036101ef576002101561027a576002013560f81c145f80610a93565b9150506102e057610a2a90610a20565b505050505092610885929360046001604051945f6020870152016021850137602583015260258252610b12604583610712565b610c7c565b92509798945094959291505f14610bba575081945b60028403610bb157600361ffff6001851b16945b03610b99575050905b6040519360ff60f81b602086015260ff60f81b9060f81b16602185015261ffff60f01b9060f01b16602284015260ff60f81b9060f81b16602483015260258201526025815261092a604582610712565b9091506004101561027a576004013560f81c90610b49565b60035f94610b40565b60028403610be857610be060ff91826107c4610bd587610691565b9260408101906106a3565b165b94610b2c565b5060ff610be2565b50600383146109dd565b50600283146109d6565b50600286101561095a565b50821561027a5760ff843560f81c1415610954565b6001600160401b0381116107335760051b60200190565b919081101561027a5760051b0190565b80511561027a5760200190565b80516001101561027a5760400190565b805182101561027a5760209160051b010190565b919060ff5f9316600181146102e05760028114610cfa5760038114610cf35760048114610cea5760078114610cbe575b600814610cb7579190565b9150601090565b9050600861104060405190610cd38183610712565b6110018252601f1901366020830137919050610cac565b5f195f5260205ff35b620927c05ff35b5b610cfb565b91929160ff16600181146102e05760028114610cfa5760038114610cf35760048114610cea5760078114610cbe57600814610cb757919056",
}

// ToyRules is an auto generated Go binding around an Ethereum contract.
type ToyRules struct {
	abi abi.ABI
}

// GetABI returns the ABI associated with this contract binding.
func (c *ToyRules) GetABI() abi.ABI {
	return c.abi
}

// NewToyRules creates a new instance of ToyRules.
func NewToyRules() *ToyRules {
	parsed, err := ToyRulesMetaData.ParseABI()
	if err != nil {
		panic(errors.New("invalid ABI: " + err.Error()))
	}
	return &ToyRules{abi: *parsed}
}

// Instance creates a wrapper for a deployed contract instance at the given address.
// Use this to create the instance object passed to abigen v2 library functions Call, Transact, etc.
func (c *ToyRules) Instance(backend bind.ContractBackend, addr common.Address) *bind.BoundContract {
	return bind.NewBoundContract(addr, c.abi, backend, backend, backend)
}

// UnpackError attempts to decode the provided error data using user-defined
// error definitions.
func (toyRules *ToyRules) UnpackError(raw []byte) (any, error) {
	if bytes.Equal(raw[:4], toyRules.abi.Errors["Illegal"].ID.Bytes()[:4]) {
		return toyRules.UnpackIllegalError(raw[4:])
	}
	return nil, errors.New("Unknown error")
}

// ToyRulesIllegal represents a Illegal error raised by the ToyRules contract.
type ToyRulesIllegal struct {
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error Illegal()
func ToyRulesIllegalErrorID() common.Hash {
	return common.HexToHash("0xc9c4bbdf077db0d5fc79a6f4f693deb61b0b558c4c4b52a81125203d78dab439")
}

// UnpackIllegalError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error Illegal()
func (toyRules *ToyRules) UnpackIllegalError(raw []byte) (*ToyRulesIllegal, error) {
	out := new(ToyRulesIllegal)
	if err := toyRules.abi.UnpackIntoInterface(out, "Illegal", raw); err != nil {
		return nil, err
	}
	return out, nil
}
