import { execFile } from "node:child_process"
import { promisify } from "node:util"
import { expect, test } from "vitest"

test("all code is formatted: run `npm run format` to fix this", async () => {
  const { stdout } = await promisify(execFile)("npx", ["oxfmt", "--list-different", "."], {
    cwd: new URL("../..", import.meta.url),
  }).catch(({ stdout }: { stdout: string }) => ({ stdout }))
  expect(stdout.trim()).toBe("")
})
