import { execFile, spawn } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { beforeAll, onTestFinished } from "vitest"
import { projectFolder } from "../docs/markdown-blocks.js"

const vite = join(projectFolder, "node_modules/vite/bin/vite.js")

/**
 * Builds an example with Vite before the tests of a group. Returns a function that serves the built page as `vite preview`
 * does until the test ends, and resolves with its address.
 */
export function builtPage(name: string): (env?: NodeJS.ProcessEnv) => Promise<string> {
  const folder = join(projectFolder, "examples", name)
  let built = ""
  beforeAll(async () => {
    built = mkdtempSync(join(tmpdir(), `${name}-`))
    await promisify(execFile)(process.execPath, [vite, "build", folder, "--outDir", built])
    return () => rmSync(built, { recursive: true })
  })
  return async (env = {}) => {
    const child = spawn(
      process.execPath,
      [vite, "preview", folder, "--outDir", built, "--host", "127.0.0.1", "--port", "0"],
      { env: { ...process.env, NO_COLOR: "1", ...env } },
    )
    const ended = new Promise((resolve) => child.on("close", resolve))
    onTestFinished(async () => {
      child.kill("SIGTERM")
      await ended
    })
    let said = ""
    return new Promise((resolve, reject) => {
      const hear = (chunk: Buffer): void => {
        said += chunk.toString()
        const url = /(http:\/\/127\.0\.0\.1:\d+\/)/.exec(said)?.[1]
        if (url !== undefined) resolve(url)
      }
      child.stdout.on("data", hear)
      child.stderr.on("data", hear)
      void ended.then(() => reject(new Error(`vite preview ended:\n${said}`)))
    })
  }
}
