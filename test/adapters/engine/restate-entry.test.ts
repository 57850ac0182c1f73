import { spawnSync } from "node:child_process"
import { expect, test } from "vitest"
import { restateClient } from "../../../src/adapters/engine/restate/restate-client.js"
import { isBuilt } from "../../cli/command.js"
import { projectFolder } from "../../docs/markdown-blocks.js"

/** Node as it is where the packages of Restate are not installed. */
const withoutRestate = `
  import { register } from "node:module"
  const hook = "export const resolve = (name, context, next) => { if (name.startsWith('@restatedev/')) throw Object.assign(new Error('Cannot find package ' + name), { code: 'ERR_MODULE_NOT_FOUND' }); return next(name, context) }"
  register("data:text/javascript," + encodeURIComponent(hook))
`

test.skipIf(!isBuilt)("without Restate's package the entry says what to install, and the others do not need it", () => {
  const script = `
    await import("agent-statecharts")
    await import("agent-statecharts/runtime")
    await import("agent-statecharts/adapters/engine/restate").then(() => console.log("imported"), ({ code, message }) => console.log(code, message))
  `
  const preload = `data:text/javascript,${encodeURIComponent(withoutRestate)}`
  const { stdout, stderr } = spawnSync(process.execPath, ["--import", preload, "--input-type=module", "--eval", script], { cwd: projectFolder, encoding: "utf8" })
  expect({ stdout, stderr }).toEqual({ stdout: expect.stringMatching(/^engine_package_missing .*npm install @restatedev\/restate-sdk@1\.12\.0/), stderr: "" })
})

test("who asks a Restate that is not there is told so", async () => {
  const runs = restateClient({ url: "http://127.0.0.1:1" })
  await expect(runs.status("r")).rejects.toMatchObject({ code: "service_unreachable", message: expect.stringContaining("http://127.0.0.1:1") })
  await expect(runs.result("r", { signal: AbortSignal.abort(new Error("enough")) })).rejects.toThrow("enough")
})
