import { decoded } from "./text";

// What the page asks with comes after '#', which a browser sends to nobody. It is taken out of the
// address bar and kept for this tab only. What begins with a slash there is a place in the page.
const kept = "ante token";

/** take keeps the token of the address bar; it says whether there was one. */
export function take(): boolean {
  const after = location.hash.slice(1);
  if (!after || after.startsWith("/")) return false;
  sessionStorage.setItem(kept, decoded(after));
  history.replaceState(null, "", location.pathname);
  return true;
}

export const token = () => sessionStorage.getItem(kept) ?? "";

// before anything looks where in the page the person is
take();
