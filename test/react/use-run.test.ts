// @vitest-environment happy-dom
import type { Document } from "happy-dom"
import type { ReactNode } from "react"
import { StrictMode, act, createElement, useState } from "react"
import { createRoot } from "react-dom/client"
import { renderToString } from "react-dom/server"
import { describe, expect, onTestFinished, test, vi } from "vitest"
import { useRun } from "../../src/react/index.js"
import type { UsedRun } from "../../src/react/index.js"
import type { Run } from "../../src/runtime/index.js"
import { createRunner } from "../../src/runtime/index.js"
import { chartOf, human, llm, parallel, sequence } from "../support/workflow.js"
import { scriptedServices } from "../support/scripted-services.js"

const chart = chartOf([sequence("line", ["writer", "boss"]), llm("writer"), human("boss")])
const services = () => scriptedServices({ writer: [{ content: "a draft" }] })

// React's `act` requires this global.
vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true)

/** The document of the test environment. The project is compiled without the types of browsers. */
const { document } = globalThis as unknown as { readonly document: Document }

/** Renders a component, and returns the result of its hook for each render. */
async function show(
  given: Parameters<typeof useRun>[0],
  options: Parameters<typeof useRun>[1] = {},
  strict = false,
) {
  const renders: UsedRun[] = []
  const Shown = ({ of }: { readonly of: typeof given }): ReactNode => {
    const used = useRun(of, options)
    renders.push(used)
    return `${used.status}: ${used.text} ${used.pending.map(({ prompt }) => prompt).join()}`
  }
  const element = (of: typeof given) =>
    strict
      ? createElement(StrictMode, null, createElement(Shown, { of }))
      : createElement(Shown, { of })
  const container = document.createElement("div")
  const root = createRoot(container as never)
  await act(async () => root.render(element(given)))
  let mounted = true
  const leave = async (): Promise<void> => {
    if (mounted) await act(async () => root.unmount())
    mounted = false
  }
  onTestFinished(leave)
  return {
    renders,
    leave,
    now: () => renders.at(-1) as UsedRun,
    text: () => container.textContent,
    rerender: (of: typeof given) => act(async () => root.render(element(of))),
  }
}

const start = (): Run => createRunner(services()).start(chart)

describe.each([false, true])("useRun, StrictMode: %s", (strict) => {
  test("a component shows the status and the pending requests of its run, and answers them", async () => {
    const run = start()
    const { text, now } = await show(run, {}, strict)
    await act(async () => void (await run.whenSettled()))
    expect(text()).toBe("waiting: a draft boss?")
    expect(now().events.map(({ type }) => type)).toEqual(
      expect.arrayContaining(["run.started", "human.asked"]),
    )
    const { pending, actions } = now()
    await act(async () => actions.answer(pending[0]?.id ?? "", "fine"))
    await act(async () => void (await run.result))
    expect(now()).toMatchObject({
      status: "completed",
      pending: [],
      state: { boss_answer: "fine" },
      error: null,
    })
  })

  test("the hook returns each event of the run once and in order", async () => {
    const run = start()
    const { now } = await show(run, {}, strict)
    await act(async () => void (await run.whenSettled()))
    expect(now().events.map(({ seq }) => seq)).toEqual(now().events.map((_, index) => index))
  })

  test("a function starts one run of the component, which is cancelled when the component unmounts", async () => {
    const started: Run[] = []
    const { leave, now } = await show(
      () => {
        started.push(start())
        return started.at(-1) as Run
      },
      {},
      strict,
    )
    expect(started).toHaveLength(1)
    await act(async () => void (await started[0]?.whenSettled()))
    expect(now().status).toBe("waiting")
    await leave()
    expect((await started[0]?.result)?.status).toBe("cancelled")
  })

  test("a run that was passed to a component continues after the component is unmounted", async () => {
    const run = start()
    await run.whenSettled()
    const { leave, renders } = await show(run, {}, strict)
    await leave()
    const before = renders.length
    run.answer(run.pending()[0]?.id ?? "", "yes")
    expect((await run.result).status).toBe("completed")
    expect(renders.length).toBe(before)
  })
})

test("a component can render without a run, and can change its run later", async () => {
  const { now, rerender } = await show(null)
  expect(now()).toMatchObject({ run: null, status: null, text: null, events: [], pending: [] })
  expect(() => now().actions.say("hello")).toThrow(
    expect.objectContaining({ code: "run_unknown" }) as Error,
  )
  const [first, second] = [start(), start()]
  await rerender(first)
  await act(async () => void (await first.whenSettled()))
  expect(now()).toMatchObject({ run: first, status: "waiting" })
  await rerender(second)
  await act(async () => void (await second.whenSettled()))
  expect(now()).toMatchObject({ run: second, status: "waiting" })
  expect(new Set(now().events.map(({ runId }) => runId))).toEqual(new Set([second.runId]))
})

test("a component that mounts late receives the earlier events and the status", async () => {
  const run = start()
  await run.whenSettled()
  const { now } = await show(run)
  expect(now().events[0]?.type).toBe("run.started")
  expect(now().status).toBe("waiting")
})

test("the hook returns the same object as long as the run has not changed", async () => {
  const run = start()
  await run.whenSettled()
  const { renders, rerender, now } = await show(run)
  const before = now()
  await rerender(run)
  expect(now()).toBe(before)
  expect(now().actions).toBe(renders[0]?.actions)
})

test("many events at once cause few renders, and only the last events are kept", async () => {
  const wide = chartOf([
    parallel(
      "wide",
      Array.from({ length: 100 }, (_, at) => `a${at}`),
    ),
    ...Array.from({ length: 100 }, (_, at) => llm(`a${at}`)),
  ])
  const run = createRunner(
    scriptedServices(
      Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`a${at}`, [{ content: "x" }]])),
    ),
  ).start(wide)
  const { renders, now } = await show(run, { keptEvents: 10 })
  await act(async () => void (await run.result))
  const last = now().events.at(-1)
  expect(last?.type).toBe("run.finished")
  expect(now().events).toHaveLength(10)
  expect(renders.length).toBeLessThan((last?.seq ?? 0) / 5)
})

test("a component with the hook can be rendered on a server", async () => {
  const run = start()
  await run.whenSettled()
  const Page = (): ReactNode => {
    const [given] = useState(run)
    const { status, pending } = useRun(given)
    return `${status}: ${pending[0]?.prompt}`
  }
  expect(renderToString(createElement(Page))).toBe("waiting: boss?")
})
