import { describe, expect, test } from "vitest"
import {
  RunLifecycle,
  type RunState,
  type RunTransition,
  runTransitions,
} from "../../src/runtime/run/run-lifecycle.js"

/** The transitions that each state allows, with the next state and the status that the run then reports. */
const allowed: readonly (readonly [RunState, RunTransition, RunState, string])[] = [
  ["created", "start", "running", "running"],
  ["created", "close", "closing", "failed"],
  ["running", "wait", "waiting", "waiting"],
  ["running", "continue", "running", "running"],
  ["running", "finishInvocation", "idle", "running"],
  ["running", "suspend", "suspended", "running"],
  ["running", "close", "closing", "failed"],
  ["waiting", "wait", "waiting", "waiting"],
  ["waiting", "continue", "running", "running"],
  ["waiting", "finishInvocation", "idle", "running"],
  ["waiting", "suspend", "suspended", "waiting"],
  ["waiting", "close", "closing", "failed"],
  ["idle", "completeInvocation", "idle", "completed"],
  ["idle", "startInvocation", "running", "running"],
  ["idle", "suspend", "suspended", "running"],
  ["idle", "close", "closing", "failed"],
  ["closing", "release", "closed", "failed"],
  ["suspended", "finishInvocation", "suspended", "running"],
  ["suspended", "startInvocation", "suspended", "running"],
  ["suspended", "close", "closing", "failed"],
]

/** How a new run reaches each state. */
const pathTo: Readonly<Record<RunState, readonly RunTransition[]>> = {
  created: [],
  running: ["start"],
  waiting: ["start", "wait"],
  idle: ["start", "finishInvocation"],
  closing: ["start", "close"],
  closed: ["start", "close", "release"],
  suspended: ["start", "suspend"],
}

const states = Object.keys(pathTo) as readonly RunState[]
const transitions: readonly RunTransition[] = [
  "start",
  "wait",
  "continue",
  "finishInvocation",
  "completeInvocation",
  "startInvocation",
  "suspend",
  "close",
  "release",
]
const error = { code: "internal", agent: null, message: "broken" } as const

const change = (lifecycle: RunLifecycle, transition: RunTransition): boolean =>
  transition === "close" ? lifecycle.close("failed", error) : lifecycle.apply(transition)

function lifecycleIn(state: RunState): RunLifecycle {
  const lifecycle = new RunLifecycle()
  for (const transition of pathTo[state]) change(lifecycle, transition)
  return lifecycle
}

describe("the lifecycle of a run", () => {
  test.each(states)("a run can reach the state %s", (state) => {
    expect(lifecycleIn(state).state).toBe(state)
  })

  test("the table of transitions contains exactly the allowed transitions", () => {
    const listed = Object.entries(runTransitions).flatMap(([state, next]) =>
      Object.entries(next).map(([transition, target]) => `${state} ${transition} ${target}`),
    )
    expect(listed.sort()).toEqual(
      allowed.map(([state, transition, target]) => `${state} ${transition} ${target}`).sort(),
    )
  })

  test.each(allowed)(
    "the state %s allows the transition %s, which leads to the state %s with status %s",
    (state, transition, next, status) => {
      const lifecycle = lifecycleIn(state)
      expect(change(lifecycle, transition)).toBe(true)
      expect(lifecycle).toMatchObject({ state: next, status })
    },
  )

  const isAllowed = (state: RunState, transition: RunTransition): boolean =>
    allowed.some(([from, by]) => from === state && by === transition)
  const forbidden = states.flatMap((state) =>
    transitions
      .filter((transition) => !isAllowed(state, transition))
      .map((transition) => [state, transition] as const),
  )

  test.each(forbidden)(
    "the state %s does not allow the transition %s, which changes nothing",
    (state, transition) => {
      const lifecycle = lifecycleIn(state)
      const before = { state, status: lifecycle.status, error: lifecycle.error }
      expect(change(lifecycle, transition)).toBe(false)
      expect(lifecycle).toMatchObject(before)
    },
  )

  test("a run is unfinished until it closes, and active until it closes or is suspended", () => {
    const unfinished = states.filter((state) => lifecycleIn(state).isUnfinished)
    const active = states.filter((state) => lifecycleIn(state).isActive)
    expect(unfinished).toEqual(["created", "running", "waiting", "idle", "suspended"])
    expect(active).toEqual(["created", "running", "waiting", "idle"])
  })

  test("a suspended run keeps the status of a completed invocation", () => {
    const lifecycle = lifecycleIn("idle")
    lifecycle.apply("completeInvocation")
    lifecycle.apply("suspend")
    expect(lifecycle.status).toBe("completed")
  })

  test("a closing run fails if its session cannot be stored", () => {
    const lifecycle = lifecycleIn("running")
    lifecycle.close("completed", null)
    lifecycle.fail(error)
    expect(lifecycle).toMatchObject({ state: "closing", status: "failed", error })
  })
})
