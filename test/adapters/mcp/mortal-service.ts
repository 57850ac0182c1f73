import { spawn } from "node:child_process"
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { createServer } from "node:net"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { onTestFinished } from "vitest"
import { mcpToolset } from "../../../src/adapters/tool/mcp/index.js"
import type { McpToolset, McpToolsetOptions } from "../../../src/adapters/tool/mcp/index.js"
import type { McpConnection } from "../../../src/machines/contract/mcp-connection.js"
import { bundleProgram } from "../../support/bundle-program.mjs"

export type Way = "stdio" | "http" | "sessions"

/** An MCP server in a separate process that a test can kill. */
export interface Mortal {
  readonly toolset: McpToolset
  /** Waits until the log of the server matches, and returns the first group of the match. */
  says(awaited: RegExp): Promise<string>
  /** Kills the server with SIGKILL and waits until its process has ended. */
  kill(): Promise<void>
  /** Starts the server again. Over stdio, the toolset does this itself. */
  restart(): void
  readonly log: () => string
}

let program = fileURLToPath(new URL("mortal-server.mjs", import.meta.url))

/** Bundles the server, so that it starts faster. Returns a function that removes the bundle. */
export async function bundleMortalServer(): Promise<() => void> {
  const { start, remove } = await bundleProgram(program)
  program = start
  return remove
}

/** Starts a server and a toolset for it. Both are closed at the end of the test. */
export async function mortalService(
  way: Way,
  options: McpToolsetOptions = {},
  mood = "",
): Promise<Mortal> {
  const folder = mkdtempSync(join(tmpdir(), "mortal-"))
  const logFile = join(folder, "log")
  const port = way === "stdio" ? 0 : await freePort()
  const args = [program, logFile, way, String(port), mood]
  const log = (): string => (existsSync(logFile) ? readFileSync(logFile, "utf8") : "")
  const restart = (): void => {
    if (way !== "stdio") spawn(process.execPath, args, { stdio: "ignore" })
  }
  const newest = (): number | null => {
    const pid = [...log().matchAll(/^started (\d+)$/gm)].at(-1)?.[1]
    return pid === undefined ? null : Number(pid)
  }
  const kill = async (): Promise<void> => {
    const pid = newest()
    if (pid === null || !isAlive(pid)) return
    process.kill(pid, "SIGKILL")
    await until(() => !isAlive(pid))
  }
  const says = async (awaited: RegExp): Promise<string> => {
    await until(() => awaited.test(log()))
    return awaited.exec(log())?.[1] ?? ""
  }
  const connection: McpConnection =
    way === "stdio" ? { command: process.execPath, args } : { url: `http://127.0.0.1:${port}/mcp` }
  const toolset = mcpToolset(connection, options)
  onTestFinished(async () => {
    await toolset.close()
    await kill()
    rmSync(folder, { recursive: true })
  })
  restart()
  if (way !== "stdio") await says(/ready/)
  return { toolset, says, kill, restart, log }
}

export const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** Waits for a condition of another process by polling. */
async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 10))
}

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo
      server.close(() => resolve(port))
    })
  })
