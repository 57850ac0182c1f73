import type { CallOptions } from "../../src/machines/contract/services.js"
import type { RunResult } from "../../src/machines/contract/run-event.js"
import type { RunControls } from "../../src/runtime/run/run-controls.js"
import type { ScriptedWorkflow } from "./arbitrary-workflow.js"
import { scriptedServices } from "./scripted-services.js"
import type { SimulatedClock } from "./simulated-clock.js"

const numberOf = (text: string): number =>
  [...text].reduce((hash, unit) => (hash * 31 + unit.charCodeAt(0)) % 1_000_003, 7)

/** Returns services whose calls have different durations, so that they end in the same order in both interpreters. */
export function timedServices(
  workflow: Pick<ScriptedWorkflow, "models" | "tools">,
  clock: SimulatedClock,
): ReturnType<typeof scriptedServices> {
  const scripted = scriptedServices(workflow.models, workflow.tools)
  const later = <Request extends { readonly idempotencyKey: string; readonly attempt: number }>(
    call: (request: Request, options: CallOptions) => Promise<unknown>,
  ) => ({
    call: (request: Request, options: CallOptions) =>
      new Promise<unknown>((resolve, reject) => {
        const answer = call(request, options)
        answer.catch(() => {})
        clock.wakeAt(
          clock.now() + 1 + numberOf(`${request.idempotencyKey} ${request.attempt}`) / 1_000,
          () => answer.then(resolve, reject),
        )
      }),
  })
  const { model, tool } = scripted.http
  return { ...scripted, http: { model: later(model.call), tool: later(tool.call) } }
}

/** Answers all pending requests, always in the same way, until the run has finished. */
export async function bringToEnd(
  controls: RunControls,
  clock: SimulatedClock,
): Promise<{ readonly result: RunResult; readonly waited: readonly string[] }> {
  const waited: string[] = []
  for (let round = 0; round < 200; round++) {
    await clock.runUntilIdle()
    const { status } = controls.snapshot()
    if (status === "running") throw new Error("nothing moves, and yet the run is not at rest")
    if (status !== "waiting") return { result: controls.snapshot(), waited }
    const request = [...controls.pending()].sort((one, other) => one.id.localeCompare(other.id))[0]
    if (request === undefined) throw new Error("the run waits for nobody")
    waited.push(`${request.kind} ${request.id}`)
    const even = numberOf(request.id) % 2 === 0
    if (request.kind === "approval" && even) controls.approve(request.id)
    else if (request.kind === "approval") controls.reject(request.id, "no")
    else if (request.kind === "input") controls.say("tell me", { request: request.id })
    else if (request.kind === "tool") controls.deliver(request.id, { delivered: 1 })
    else controls.answer(request.id, even ? "yes" : (request.choices?.[1] ?? { amount: 1 }))
  }
  controls.end()
  await clock.runUntilIdle()
  return { result: controls.snapshot(), waited }
}
