package main

import (
	"regexp"
	"strconv"
	"strings"
)

// solidityOf makes mutants of a Solidity source. It knows no grammar, only what guards, operators
// and assignments look like in it, Yul's included; what does not compile is passed over.
func solidityOf(path, src string) (list []mutant) {
	code := blank(src)
	add := func(kind string, from, to int, with string) {
		list = append(list, mutant{path, kind, from, to, with})
	}
	for _, at := range guard.FindAllStringIndex(code, -1) {
		open := at[1] - 1
		end := closing(code, open)
		if end < 0 || !reverts.MatchString(code[end+1:]) {
			continue
		}
		cond := src[open+1 : end]
		add("guard dropped", open+1, end, "false && ("+cond+")")
		add("guard negated", open+1, end, "!("+cond+")")
	}
	for _, at := range lock.FindAllStringIndex(code, -1) {
		add("lock dropped", at[0], at[1], " ")
	}
	for _, rule := range operators {
		for _, at := range rule.find.FindAllStringSubmatchIndex(code, -1) {
			add(rule.kind, at[2], at[3], rule.with[src[at[2]:at[3]]])
		}
	}
	for _, at := range subtraction.FindAllStringSubmatchIndex(code, -1) {
		if end := closing(code, at[1]-1); end > 0 {
			if a, b, ok := halves(src[at[1]:end]); ok {
				add("operands swapped", at[1], end, b+", "+a)
			}
		}
	}
	for _, at := range number.FindAllStringSubmatchIndex(code, -1) {
		v, err := strconv.ParseUint(src[at[2]:at[3]], 0, 64)
		if err != nil {
			continue
		}
		add("one more", at[2], at[3], strconv.FormatUint(v+1, 10))
		if v > 0 {
			add("one less", at[2], at[3], strconv.FormatUint(v-1, 10))
		}
	}
	for _, at := range statement.FindAllStringSubmatchIndex(code, -1) {
		add("statement dropped", at[2], at[3], "")
	}
	return list
}

var (
	guard       = regexp.MustCompile(`\bif \(`)
	reverts     = regexp.MustCompile(`^\s*(\{\s*)?(revert\b|return false\b)`)
	lock        = regexp.MustCompile(`\s(nonReentrant|nonReentrantView)\b`)
	subtraction = regexp.MustCompile(`\b(?:sub|shl|shr|byte)\(`)
	number      = regexp.MustCompile(`[^\w.](0x[0-9a-f]{1,4}|[0-9]{1,6})\b[^.]`)
	// An assignment to what exists, a call that writes, or an event, alone on its line.
	statement = regexp.MustCompile(`(?m)^[ ]+((?:[a-z]\w*(?:\.\w+|\[[^\]\n]+\])*|\([\w., ]+\)) (?:=|:=|\+=|-=|\|=) [^\n]*[^\n{(,]|(?:mstore8?|calldatacopy|mcopy)\([^\n]*\)|(?:emit )?[A-Za-z_][\w.]*\([^\n{}]*\);)$`)
)

// operators exchanges one for another.
var operators = []struct {
	kind string
	find *regexp.Regexp
	with map[string]string
}{
	{"comparison shifted", regexp.MustCompile(`[^<>=!](<=|>=|<|>)[ ]`), map[string]string{"<": "<=", "<=": "<", ">": ">=", ">=": ">"}},
	{"comparison flipped", regexp.MustCompile(`[^<>=!](==|!=|<=|>=|<|>)[ ]`),
		map[string]string{"==": "!=", "!=": "==", "<": ">=", "<=": ">", ">": "<=", ">=": "<"}},
	{"comparison flipped", regexp.MustCompile(`\b(lt|gt|eq)\(`), map[string]string{"lt": "gt", "gt": "lt", "eq": "xor"}},
	{"logic exchanged", regexp.MustCompile(`(&&|\|\|)`), map[string]string{"&&": "||", "||": "&&"}},
	{"logic exchanged", regexp.MustCompile(`\b(and|or)\(`), map[string]string{"and": "or", "or": "and"}},
	{"logic exchanged", regexp.MustCompile(`[(& ](!)[\w(]`), map[string]string{"!": ""}},
	{"arithmetic exchanged", regexp.MustCompile(` ([+\-*/%|&]) `),
		map[string]string{"+": "-", "-": "+", "*": "/", "/": "*", "%": "/", "|": "&", "&": "|"}},
	{"arithmetic exchanged", regexp.MustCompile(`\b(add|sub|mul|div|shl|shr)\(`),
		map[string]string{"add": "sub", "sub": "add", "mul": "div", "div": "mul", "shl": "shr", "shr": "shl"}},
}

// blank replaces comments, strings and lines that only declare with spaces, byte for byte.
func blank(src string) string {
	return silent.ReplaceAllStringFunc(src, func(s string) string {
		return strings.Map(func(r rune) rune {
			if r == '\n' {
				return r
			}
			return ' '
		}, strings.ToValidUTF8(asciiOnly(s), " "))
	})
}

var silent = regexp.MustCompile(`(?m)//[^\n]*|(?s:/\*.*?\*/)|"[^"\n]*"|^(?:pragma|import|error|event|interface|using)\b[^;{]*`)

// asciiOnly replaces every byte of other characters, so that nothing moves.
func asciiOnly(s string) string {
	b := []byte(s)
	for i := range b {
		if b[i] >= 0x80 {
			b[i] = ' '
		}
	}
	return string(b)
}

// closing returns where the parenthesis that opens at `open` closes, or -1.
func closing(code string, open int) int {
	depth := 0
	for i := open; i < len(code); i++ {
		switch code[i] {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// halves divides two arguments.
func halves(arguments string) (a, b string, ok bool) {
	depth, comma := 0, -1
	for i, c := range arguments {
		switch c {
		case '(':
			depth++
		case ')':
			depth--
		case ',':
			if depth == 0 && comma >= 0 {
				return "", "", false
			}
			if depth == 0 {
				comma = i
			}
		}
	}
	if comma < 0 {
		return "", "", false
	}
	return strings.TrimSpace(arguments[:comma]), strings.TrimSpace(arguments[comma+1:]), true
}
