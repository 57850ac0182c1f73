import { Window } from "happy-dom"
import type { ReactNode } from "react"
import { createElement } from "react"
import { createRoot } from "react-dom/client"
import { describe, expect, onTestFinished, test, vi } from "vitest"
import type { RemoteRun } from "../../src/client/index.js"
import { createClient } from "../../src/client/index.js"
import type { UsedRemoteRun } from "../../src/react/index.js"
import { useRemoteRun } from "../../src/react/index.js"
import { isBuilt } from "../cli/command.js"
import type { TestServer } from "../server/test-server.js"
import { examplesServed } from "../server/test-server.js"

// Only the DOM is simulated: `fetch`, `URL` and the other globals stay those of Node.
const window = new Window()
vi.stubGlobal("window", window)
vi.stubGlobal("document", window.document)

/** Renders a component that uses the hook; `latest` returns what the hook returned last. */
async function render(run: RemoteRun | null, keptEvents = 5) {
  let used: UsedRemoteRun | null = null
  const Shown = (): ReactNode => {
    used = useRemoteRun(run, { keptEvents })
    return used.status
  }
  const root = createRoot(window.document.createElement("div") as never)
  root.render(createElement(Shown))
  await vi.waitFor(() => expect(used).not.toBeNull())
  onTestFinished(() => root.unmount())
  return {
    unmount: () => root.unmount(),
    latest: () => used as unknown as UsedRemoteRun,
    until: (expected: object) =>
      vi.waitFor(() => expect(used).toMatchObject(expected), { timeout: 200_000, interval: 20 }),
  }
}

describe.skipIf(!isBuilt)("useRemoteRun", () => {
  let server: TestServer
  examplesServed((started) => (server = started))

  const start = (): Promise<RemoteRun> =>
    createClient({ url: server.origin, token: server.token }).start({
      workflow: "human-approval",
    })

  test("the hook returns the pending requests, sends answers, and returns the final status", async () => {
    const shown = await render(await start())
    await shown.until({ status: "waiting", isConnected: true, pending: [{ kind: "approval" }] })
    expect(shown.latest().events).toHaveLength(5)
    const request = shown.latest().pending[0]?.id ?? ""
    await shown.latest().actions.reject(request, "not this week")
    await vi.waitFor(() => expect(shown.latest().pending[0]?.id).not.toBe(request))
    await shown.latest().actions.cancel()
    await shown.until({ status: "cancelled", pending: [], failure: null, error: null })
  })

  test("with keptEvents 0, the hook keeps no events and still returns the status", async () => {
    const shown = await render(await start(), 0)
    await shown.until({ status: "waiting", events: [] })
    await shown.latest().actions.cancel()
    await shown.until({ status: "cancelled", events: [] })
  })

  test("the hook returns the error that ended the updates", async () => {
    const client = createClient({ url: server.origin, token: server.token })
    const shown = await render(client.run("unknown"))
    await shown.until({ status: null, failure: { code: "run_unknown" } })
  })

  test("the run is not cancelled when the component unmounts", async () => {
    const run = await start()
    const shown = await render(run)
    await shown.until({ status: "waiting" })
    shown.unmount()
    expect(await run.status()).toMatchObject({ status: "waiting", isHere: true })
    await run.cancel()
  })

  test("actions are rejected while the hook has no run", async () => {
    const shown = await render(null)
    expect(shown.latest()).toMatchObject({ run: null, status: null, pending: [], events: [] })
    await expect(shown.latest().actions.say("hello")).rejects.toMatchObject({ code: "run_unknown" })
  })
})
