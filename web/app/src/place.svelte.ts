import { take } from "./session";

const read = () => location.hash.slice(1).split("?")[0]!.split("/").filter(Boolean);

/** Where in the page the person is: ["match", id]; nothing at home. */
class Place {
  parts = $state(read());

  moved() {
    // another link was opened in this tab
    if (take()) location.reload();
    this.parts = read();
  }
}

export const place = new Place();

export const go = (...parts: string[]) => (location.hash = `/${parts.join("/")}`);
