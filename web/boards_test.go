package web_test

// board is a game as a person plays it on the page.
type board struct {
	game   string
	params string // what is not as usual
	// what the person does when the board asks; it is a function body, and returns what it did
	hand  string
	ends  string // what the board tells at last: any of these, by |
	shows string // and besides
}

var boards = []board{
	{"mastermind", `{"rounds": 2, "guesses": 3}`, `
		const keys = [...document.querySelectorAll(".colour")];
		if (document.querySelector(".frame .status").innerText.includes("secret")) [2, 0, 5, 5].forEach((c) => keys[c].click());
		else for (let i = 0; i < 4; i++) keys[(i * 7 + 1) % 6].click();
		return later(".send");`, "You won|You lost|A draw", ""},
	{"battleships", `{}`, `
		const place = find("Place this fleet");
		if (place) return place.click(), "placed";
		const free = [...document.querySelectorAll(".live button[aria-disabled=false]")];
		free[Math.floor(free.length * 0.37)]?.click();
		return "shot";`, "You won|You lost", ""},
	{"sums-and-cows", `{"n": 6, "d": 3, "guesses": 3}`, `
		["C", "A", "E"].forEach((l) => [...document.querySelectorAll(".key")].find((k) => k.innerText === l).click());
		return later(".tool.send");`, "You won|You lost", ""},
	{"split-or-steal", `{"house": 3}`, `
		find("Steal").click();
		return later(".frame > button");`, "You gain|You lose|your bet back", ""},
	{"box9", `{"rounds": 2}`, `
		["1", "4", "7"].forEach((n) => [...document.querySelectorAll(".box")].find((b) => b.innerText.includes(n)).click());
		await later("#board .choice button:not(.plain)");
		return later("#yes");`, "It is over", ""},
	{"connect-four", `{}`, `
		const free = [...document.querySelectorAll("#board .grid button[aria-disabled=false]")];
		free[Math.floor(free.length / 2)]?.click();
		return "dropped";`, "You won|You lost|A draw", ""},
	{"words", `{}`, `
		const field = document.querySelector("#board form input");
		field.value = "0x" + "ab".repeat(32);
		field.dispatchEvent(new Event("input", {bubbles: true}));
		return later("#board form button");`, "You won|You lost", "0xabab"},
}

// helpers are what the hands use: a button by its text, and one to be pressed once it can be.
const helpers = `
	const find = (text) => [...document.querySelectorAll("#board button:enabled")].find((b) => b.innerText.includes(text));
	const later = (at) => new Promise((done) => setTimeout(() => { document.querySelector(at).click(); done("sent"); }));`
