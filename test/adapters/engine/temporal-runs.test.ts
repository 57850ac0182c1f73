import type { Client } from "@temporalio/client"
import { ApplicationFailure } from "@temporalio/workflow"
import { expect, test } from "vitest"
import { temporalRuns } from "../../../src/adapters/engine/temporal/temporal-runs.js"

class WorkflowUpdateFailedError extends Error {
  override readonly name = "WorkflowUpdateFailedError"
}

/** A Temporal client whose updates fail with the same error type as those of a real server. */
const failing = (cause: Error): Client =>
  ({
    workflow: {
      getHandle: () => ({
        executeUpdate: () =>
          Promise.reject(new WorkflowUpdateFailedError("Workflow Update failed", { cause })),
      }),
    },
  }) as unknown as Client

const give = (cause: Error): Promise<void> =>
  temporalRuns(failing(cause), { taskQueue: "agents" }).give("r", { type: "end" })

test("the sender of a refused answer receives the error of the run on Temporal", async () => {
  const refusal = ApplicationFailure.nonRetryable(
    'the request "a#0" is not pending',
    "request_unknown",
  )
  await expect(give(refusal)).rejects.toMatchObject({
    code: "request_unknown",
    message: 'the request "a#0" is not pending',
  })
})

test("any other failure of a Temporal update is thrown unchanged", async () => {
  await expect(give(ApplicationFailure.nonRetryable("lost", "worker_lost"))).rejects.toMatchObject({
    name: "WorkflowUpdateFailedError",
  })
})
