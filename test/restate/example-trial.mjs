import assert from "node:assert/strict"
import { execFile, spawn } from "node:child_process"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { freePorts, register } from "../../engines/restate/server.mjs"
import { patiently } from "./patiently.mjs"

const programOf = (name) =>
  fileURLToPath(new URL(`../../examples/engines/${name}`, import.meta.url))

/** Runs the example programs with their own service. */
export async function exampleTrial(world) {
  const [port] = await freePorts(1)
  const service = spawn(process.execPath, [programOf("restate-serve.mjs")], {
    env: { ...process.env, PORT: String(port), RESTATE_LOGGING: "ERROR" },
    stdio: "ignore",
  })
  try {
    await patiently(() => register(world.admin(), `http://127.0.0.1:${port}`))
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [programOf("restate-order.mjs")],
      { env: { ...process.env, RESTATE_INGRESS: world.nodes[0].ingress }, timeout: 30_000 },
    )
    assert.equal(
      stdout,
      "Is it good? A poem about a statechart: boxes, arrows, and nobody lost.\ncompleted: It is.\n",
    )
  } finally {
    service.kill("SIGKILL")
  }
}
