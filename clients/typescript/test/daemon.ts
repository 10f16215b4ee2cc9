import { spawn, execFileSync, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { connect, type Ante } from "../dist/index.js";

const program = fileURLToPath(new URL("../../../bin/channeld", import.meta.url));

/** Daemon is a real one: it can be killed and started again. */
export interface Daemon {
  account: string;
  address: string;
  token: string;
  ante: Ante;
  run(...flags: string[]): Promise<void>;
  kill(): Promise<void>;
  command(...args: string[]): string;
}

/** world is a chain and two daemons with an account of ten ether each, in a folder of their own. */
export async function world() {
  const folder = mkdtempSync(join(tmpdir(), "ante-client-"));
  writeFileSync(join(folder, "password"), "correct horse\n", { mode: 0o600 });
  const running = new Set<ChildProcess>();
  const command = (...args: string[]) => execFileSync(program, args, { cwd: folder, encoding: "utf8" });
  const start = async (...args: string[]) => {
    const child = spawn(program, args, { cwd: folder, stdio: ["ignore", "pipe", "ignore"] });
    running.add(child);
    child.once("exit", () => running.delete(child));
    for await (const line of createInterface({ input: child.stdout! })) if (line.includes("stop it with Ctrl-C")) return child;
    throw new Error(`channeld ${args.join(" ")} ended`);
  };
  const stop = async (child: ChildProcess, signal: NodeJS.Signals) => {
    const ended = once(child, "exit");
    child.kill(signal);
    await ended;
  };
  await start("devnet", "--port", "0", "--block", "0");

  async function daemon(name: string, port: string, ...flags: string[]): Promise<Daemon> {
    const made = command("--json", "--dir", name, "init", "--light", "--network", "devnet/network.yaml", "--keys.password_file", "password",
      "--wait.confirmations", "1", "--wait.poll", "50ms", "--peers.mdns", "false", "--peers.listen", "/ip4/127.0.0.1/tcp/0", "--api.listen", port, ...flags);
    const { account } = JSON.parse(made) as { account: string };
    command("devnet", "fund", account, "10eth");
    let child: ChildProcess | undefined;
    const run = async (...more: string[]) => {
      child = await start("--dir", name, "run", ...more);
    };
    await run();
    const at = readFileSync(join(folder, name, "api-address"), "utf8").trim();
    const address = `http://${at}`;
    const token = readFileSync(join(folder, name, "api-token"), "utf8").trim();
    return {
      account, address, token, ante: connect({ address, token }),
      run: () => run("--api.listen", at), // where it was
      kill: () => stop(child!, "SIGKILL"),
      command: (...args) => command("--dir", name, ...args).trim(),
    };
  }
  return {
    daemon,
    async close() {
      await Promise.all([...running].map((child) => stop(child, "SIGKILL")));
      rmSync(folder, { recursive: true });
    },
  };
}
