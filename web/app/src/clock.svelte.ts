/** The time of this computer in seconds, as it goes by. */
class Clock {
  now = $state(Date.now() / 1000);

  constructor() {
    setInterval(() => (this.now = Date.now() / 1000), 1000);
  }
}

export const clock = new Clock();
