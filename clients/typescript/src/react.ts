import { useMemo, useSyncExternalStore } from "react";
import type { GetBalanceResponse, GetMatchResponse, InviteInfo } from "./gen/ante/v1/api_pb.js";
import type { Live, Now, Store } from "./stores.js";

/** Hooks for React. A component that uses one is drawn anew when the daemon's answer changes. */
export const useStore = <T>(store: Store<T>): Now<T> => useSyncExternalStore(store.subscribe, store.get, store.get);

export const useMatch = (live: Live, matchId: string): Now<GetMatchResponse> => useStore(useMemo(() => live.match(matchId), [live, matchId]));

export const useLobby = (live: Live, game = ""): Now<InviteInfo[]> => useStore(useMemo(() => live.lobby(game), [live, game]));

export const useBalance = (live: Live, asset = ""): Now<GetBalanceResponse> => useStore(useMemo(() => live.balance(asset), [live, asset]));
