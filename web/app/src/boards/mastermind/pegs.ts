/** What the colours look like. */
export const colours = ["#c93a3a", "#2864c7", "#1f7f45", "#e9bd16", "#7d45c2", "#c25a10", "#0f7f88", "#5b6170"];

/** What a screen reader calls them. */
export const names = [
  "red triangle", "blue square", "green disc", "yellow star", "purple diamond", "orange cross", "teal ring", "grey bar",
];

/** Their shapes, in a square of 40. */
export const shapes = [
  "M20 9 30 28H10Z",
  "M12 12H28V28H12Z",
  "M20 11a9 9 0 1 1 0 18a9 9 0 1 1 0-18Z",
  "M20 8l3.5 8.2 8.9.8-6.8 5.8 2.1 8.7L20 26.9l-7.7 4.6 2.1-8.7-6.8-5.8 8.9-.8Z",
  "M20 8 30 20 20 32 10 20Z",
  "M16.5 9h7v7.5H31v7h-7.5V31h-7v-7.5H9v-7h7.5Z",
  "M20 9a11 11 0 1 1 0 22a11 11 0 1 1 0-22ZM20 15a5 5 0 1 0 0 10a5 5 0 1 0 0-10Z",
  "M9 16H31V24H9Z",
];

/** said names a row of pegs. */
export const said = (digits: string) => [...digits].map((d) => names[Number(d)]).join(", ");
