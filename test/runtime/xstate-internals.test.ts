import { createMachine } from "xstate"
import { expect, test } from "vitest"
import xstate from "xstate/package.json" with { type: "json" }
import {
  type ExecutedAction,
  isEndlessLoop,
  transitionScope,
} from "../../src/runtime/driver/xstate-internals.js"

// If this test fails after an update of XState, check that the tests below pass and read the two
// linked files in xstate-internals.ts in the new version. Then change the version here.
test("the installed version of XState is the version whose internals were checked", () => {
  expect(xstate.version).toBe("5.33.3")
})

test("XState executes the actions of a transition in order, between its guards", () => {
  const order: string[] = []
  const machine = createMachine(
    {
      initial: "first",
      states: {
        first: { entry: "enterFirst", on: { go: { target: "second", actions: "go" } } },
        second: { entry: "enterSecond", always: { guard: "isReady", target: "third" } },
        third: { entry: "enterThird" },
      },
    },
    {
      guards: {
        isReady: () => {
          order.push("isReady")
          return true
        },
      },
    },
  )
  const scope = transitionScope(({ type, info }: ExecutedAction) => {
    order.push(`${type} on ${info.event.type}`)
  })
  const first = machine.getInitialSnapshot(scope as never, undefined)
  const last = machine.transition(first, { type: "go" }, scope as never)
  expect(last.value).toBe("third")
  expect(order).toEqual([
    "enterFirst on xstate.init",
    "go on go",
    "enterSecond on go",
    "isReady",
    "enterThird on go",
  ])
})

test("an endless loop of microsteps is recognized by its error", () => {
  const machine = createMachine({
    initial: "first",
    states: { first: { always: "second" }, second: { always: "first" } },
    options: { maxIterations: 10 },
  })
  const scope = transitionScope(() => {})
  const { status, error } = machine.getInitialSnapshot(scope as never, undefined)
  expect(status).toBe("error")
  expect(isEndlessLoop(error), String(error)).toBe(true)
  expect(isEndlessLoop(new Error("another error"))).toBe(false)
})
