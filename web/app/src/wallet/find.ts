import type { Eip1193 } from "@ante/client/wallet";

/** Found is a wallet of the browser. */
export interface Found {
  name: string;
  wallet: Eip1193;
}

interface Announced extends Event {
  detail: { info: { name: string }; provider: Eip1193 };
}

/** find returns the wallets that announce themselves (EIP-6963), else what stands as window.ethereum. */
export function find(): Found[] {
  const list: Found[] = [];
  const add = (event: Event) => {
    const { info, provider } = (event as Announced).detail;
    list.push({ name: info.name, wallet: provider });
  };
  addEventListener("eip6963:announceProvider", add);
  dispatchEvent(new Event("eip6963:requestProvider"));
  removeEventListener("eip6963:announceProvider", add);
  const old = (globalThis as { ethereum?: Eip1193 }).ethereum;
  return list.length || !old ? list : [{ name: "Browser wallet", wallet: old }];
}
