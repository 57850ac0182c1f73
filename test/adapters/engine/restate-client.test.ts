import { expect, test } from "vitest"
import { restateClient } from "../../../src/adapters/engine/restate/restate-client.js"

test("a Restate client throws service_unreachable without a server, and the reason of an aborted signal", async () => {
  const runs = restateClient({ url: "http://127.0.0.1:1" })
  await expect(runs.status("r")).rejects.toMatchObject({
    code: "service_unreachable",
    message: expect.stringContaining("http://127.0.0.1:1"),
  })
  await expect(
    runs.result("r", { signal: AbortSignal.abort(new Error("enough")) }),
  ).rejects.toThrow("enough")
})
