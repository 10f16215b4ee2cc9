const far = 6; // pixels: less is a tap

/**
 * drag follows a pointer that went down, mouse or finger, until it is up. It calls `moved` from the
 * first real movement on, then `dropped` with where that was; of a tap it calls neither.
 */
export function drag(down: PointerEvent, moved: (x: number, y: number) => void, dropped: (x: number, y: number) => void, lost: () => void) {
  if (down.button !== 0) return;
  const heard = new AbortController();
  let dragging = false;
  const on = (kind: string, hear: (e: PointerEvent) => void) =>
    window.addEventListener(kind, (e) => (e as PointerEvent).pointerId === down.pointerId && hear(e as PointerEvent), { signal: heard.signal });
  on("pointermove", (e) => {
    dragging ||= Math.hypot(e.clientX - down.clientX, e.clientY - down.clientY) > far;
    if (dragging) moved(e.clientX, e.clientY);
  });
  on("pointerup", (e) => {
    heard.abort();
    if (dragging) dropped(e.clientX, e.clientY);
  });
  on("pointercancel", () => {
    heard.abort();
    lost();
  });
}
