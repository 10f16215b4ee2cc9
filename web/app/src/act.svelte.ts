import { asAnteError } from "@ante/client";
import { live } from "./daemon.svelte";

export interface Notice {
  text: string;
  bad: boolean;
}

export interface Question {
  title: string;
  /** Paragraphs. */
  text: string[];
  /** What the button says that does it. */
  yes: string;
  /** It can't be undone. */
  grave?: boolean;
}

const shown = 9000; // milliseconds

/** What the page does for a person: one thing at a time, with what came of it. */
class Acts {
  busy = $state(false);
  notices = $state<Notice[]>([]);
  question = $state<Question>();
  #answer: (yes: boolean) => void = () => {};

  /** run does something and tells of an error; it says whether it was done. */
  async run(what: () => Promise<unknown>, done = ""): Promise<boolean> {
    if (this.busy) return false;
    this.busy = true;
    try {
      await what();
      if (done) this.tell(done);
      return true;
    } catch (thrown) {
      const error = thrown instanceof Error && !("code" in thrown) ? { message: thrown.message, advice: "" } : asAnteError(thrown);
      this.tell(error.advice ? `${error.message} – ${error.advice}` : error.message, true);
      return false;
    } finally {
      this.busy = false;
      live.look();
    }
  }

  tell(text: string, bad = false) {
    const notice = { text, bad };
    this.notices = [...this.notices.filter((n) => n.text !== text), notice];
    setTimeout(() => (this.notices = this.notices.filter((n) => n.text !== text)), shown);
  }

  /** ask waits for a person's yes or no. */
  ask(question: Question): Promise<boolean> {
    this.question = question;
    return new Promise((answer) => (this.#answer = answer));
  }

  answered(yes: boolean) {
    this.question = undefined;
    this.#answer(yes);
  }
}

export const acts = new Acts();
