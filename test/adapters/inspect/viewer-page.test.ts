import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { expect, onTestFinished, test } from "vitest"
import { startInspectRelay } from "../../../src/adapters/inspect/relay/index.js"
import { statelyInspector } from "../../../src/adapters/inspect/stately/index.js"
import { createRunner } from "../../../src/runtime/index.js"
import { openPage } from "../../support/browser.js"
import { scriptedServices } from "../../support/scripted-services.js"
import { chartOf, llm } from "../../support/workflow.js"

/** A page that connects like Stately's viewer and lists the types of the events that it receives. */
const viewer = `<!doctype html><link rel="icon" href="data:,"><ol></ol><script>
addEventListener("message", ({ data }) => document.querySelector("ol").insertAdjacentHTML("beforeend", "<li>" + data.type + " " + data.sessionId))
parent.postMessage({ type: "@statelyai.connected" }, "*")
</script>`

test("the page of a relay passes all events to the viewer in its frame, including earlier events", async (context) => {
  const pages = createServer((_, response) =>
    response.setHeader("content-type", "text/html").end(viewer),
  )
  await new Promise<void>((resolve) => pages.listen(0, "127.0.0.1", resolve))
  onTestFinished(() => void pages.close())
  const relay = await startInspectRelay({
    viewer: `http://127.0.0.1:${(pages.address() as AddressInfo).port}/`,
  })
  onTestFinished(() => relay.close())
  const inspector = statelyInspector({ send: relay.stately.send })
  const start = (runId: string) =>
    createRunner({
      ...scriptedServices({ one: [{ content: "x" }] }),
      inspect: inspector.inspect,
    }).start(chartOf([llm("one")], { maxOrchestrationCycles: 1 }), { runId })
  await start("before").result
  await inspector.close()

  const { page, problems } = await openPage(context, relay.page)
  const told = page.frameLocator("iframe").locator("li")
  await told.getByText("@xstate.actor before:0").waitFor()
  await start("after").result
  await told.getByText("@xstate.actor after:0").waitFor()
  expect(await page.locator("p").count()).toBe(0)
  expect(problems).toEqual([])
})
