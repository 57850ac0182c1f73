import { describe, expect, test } from "vitest"
import type { AgentChart } from "../../src/machines/contract/agent-chart.js"
import type {
  CallIdentity,
  CallOptions,
  ModelRequest,
  ModelService,
  ToolRequest,
  ToolService,
} from "../../src/machines/contract/services.js"
import type { RunEvent, RunResult } from "../../src/machines/contract/run-event.js"
import { memoryJournal } from "../../src/runtime/host/memory-journal.js"
import type { StoredRun } from "../../src/runtime/journal/journal.js"
import type { Run } from "../../src/runtime/run/run.js"
import { createRunner } from "../../src/runtime/runner/runner.js"
import { scriptedServices } from "../support/scripted-services.js"
import {
  agentTool,
  chartOf,
  httpTool,
  human,
  llm,
  loop,
  parallel,
  sequence,
} from "../support/workflow.js"

/** A workflow with retries, tools, an agent tool, branches, a loop, a handoff and a human agent. */
const chart = (): AgentChart =>
  chartOf(
    [
      sequence("main", ["plan", "fan", "rounds", "desk", "boss"]),
      llm("plan", {
        tools: ["search", "ask_expert"],
        activityConfig: { retryPolicy: { maximumAttempts: 3, initialInterval: 1 } },
      }),
      llm("expert"),
      parallel("fan", ["left", "right", "steps"]),
      llm("left"),
      llm("right", { tools: ["search"] }),
      sequence("steps", ["one", "two"]),
      llm("one"),
      llm("two"),
      loop("rounds", ["writer", "critic"], 4, {
        loopExitCondition: "session_state['critic_text'] == 'ok'",
      }),
      llm("writer"),
      llm("critic"),
      llm("desk", { subAgents: [llm("billing"), llm("tech")] }),
      human("boss"),
    ],
    {
      globalTools: [httpTool("search", { outputKey: "found" }), agentTool("ask_expert", "expert")],
    },
  )

const call = (id: string, name: string, args: object = {}): object => ({
  id,
  function_name: name,
  function_args: args,
})

const models = {
  plan: [
    { status: 503 },
    {
      content: null,
      toolCalls: [call("1", "search"), call("2", "ask_expert", { request: "why?" })],
    },
    { content: "planned" },
  ],
  expert: [{ content: "because" }],
  left: [{ content: "L", waitForUserInput: true }, { content: "L2" }],
  right: [
    { content: "?", toolCalls: [call("s", "search")], hitlRequest: { prompt: "search?" } },
    { content: "R" },
  ],
  one: [{ content: "1" }],
  two: [{ content: "2" }],
  writer: [{ content: "draft" }, { content: "better" }],
  critic: [{ content: "no" }, { content: "ok" }],
  desk: [{ content: null, toolCalls: [call("t", "transfer_to_agent", { agent_name: "tech" })] }],
  tech: [{ content: "fixed" }],
}
const tools = { search: [{ hits: 1 }, { hits: 2 }] }

/** Delays the calls of branches at random. Other calls keep the order of the script. */
const jitter = async ({ branch }: CallIdentity): Promise<void> => {
  if (branch !== null) await new Promise((resolve) => setTimeout(resolve, Math.random() * 3))
}

interface Played {
  readonly events: readonly RunEvent[]
  readonly result: RunResult
  readonly stored: StoredRun
}

async function play(through: (services: Http) => Http = (services) => services): Promise<Played> {
  const journal = memoryJournal()
  const { http } = scriptedServices(models, tools, jitter)
  const run = createRunner({ http: through(http), journal }).start(chart(), { runId: "r" })
  const events: RunEvent[] = []
  run.events$.subscribe((event) => events.push(event))
  await answerPeople(run)
  const result = await run.result
  return { events, result, stored: JSON.parse(JSON.stringify(journal.toJSON()["r"])) as StoredRun }
}

const withoutTimes = (event: RunEvent): unknown =>
  JSON.parse(
    JSON.stringify(event, (key, value: unknown) =>
      key === "seq" || key === "at" || key === "until" ? undefined : value,
    ),
  )

describe("determinism", () => {
  test("two runs with the same script have the same events in every branch, except for times", async () => {
    const [one, other] = await Promise.all([play(), play()])
    expect(one.result.status).toBe("completed")
    expect(other.result.state).toEqual(one.result.state)
    const byBranch = ({ events }: Played): Map<string, unknown[]> => {
      const branches = new Map<string, unknown[]>()
      for (const event of events)
        branches.set(event.branch ?? "", [
          ...(branches.get(event.branch ?? "") ?? []),
          withoutTimes(event),
        ])
      return branches
    }
    const [first, second] = [byBranch(one), byBranch(other)]
    expect([...second.keys()].sort()).toEqual([...first.keys()].sort())
    for (const [branch, events] of first)
      expect(second.get(branch), `branch ${branch}`).toEqual(events)
    expect(first.size).toBe(4)
  })

  test("events are numbered without gaps, start with run.started and end with run.finished", async () => {
    const { events } = await play()
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index))
    expect(events[0]?.type).toBe("run.started")
    expect(events.at(-1)?.type).toBe("run.finished")
  })

  test("a run that is resumed from its complete journal emits the same events and makes no calls", async () => {
    const { events, result, stored } = await play()
    const services = scriptedServices({})
    const run = await createRunner({ ...services, journal: memoryJournal({ r: stored }) }).resume(
      "r",
    )
    const again: RunEvent[] = []
    run.events$.subscribe((event) => again.push(event))
    expect(await run.result).toEqual(result)
    expect(again).toEqual(events)
    expect(services.modelCalls).toEqual([])
    expect(services.toolCalls).toEqual([])
  })

  test("a run that is resumed at any record has the same result and repeats only calls in flight", async () => {
    const answers = new Map<string, unknown>()
    const { result, stored } = await play((services) => remembering(services, answers))
    for (let length = 0; length < stored.records.length; length++) {
      const past: StoredRun = { header: stored.header, records: stored.records.slice(0, length) }
      const asked: (ModelRequest | ToolRequest)[] = []
      let answer = (): void => {}
      const pastIsRead = new Promise<void>((resolve) => (answer = resolve))
      const run = await createRunner({
        http: answering(answers, asked, pastIsRead),
        journal: memoryJournal({ r: past }),
      }).resume("r")
      const finished = new Set<string>()
      run.events$
        .subscribe((event) => {
          if (event.type === "model.responded") finished.add(event.call)
          if (event.type === "tool.finished") finished.add(`${event.path} ${event.callId}`)
        })
        .unsubscribe()
      answer()
      await answerPeople(run)
      const ended = await run.result
      expect(ended, `resumed after ${length} records`).toEqual(result)
      for (const request of asked) {
        expect(finished).not.toContain(request.idempotencyKey)
        if ("callId" in request)
          expect(finished).not.toContain(
            `${request.path.slice(0, request.path.lastIndexOf("/tool:"))} ${request.callId}`,
          )
      }
    }
  })
})

interface Http {
  readonly model: ModelService
  readonly tool: ToolService
}

const attemptOf = ({ idempotencyKey, attempt }: ModelRequest | ToolRequest): string =>
  `${idempotencyKey} ${attempt}`

/** Services that record their responses by idempotency key and attempt. */
function remembering({ model, tool }: Http, answers: Map<string, unknown>): Http {
  const note =
    <Request extends ModelRequest | ToolRequest>(
      call: (request: Request, options: CallOptions) => Promise<unknown>,
    ) =>
    (request: Request, options: CallOptions): Promise<unknown> => {
      const answer = call(request, options)
      answers.set(attemptOf(request), answer)
      answer.catch(() => {})
      return answer
    }
  return {
    model: { call: note((request, options) => model.call(request, options)) },
    tool: { call: note((request, options) => tool.call(request, options)) },
  }
}

/** Services that return recorded responses once `pastIsRead` resolves, and record their requests. */
function answering(
  answers: ReadonlyMap<string, unknown>,
  asked: (ModelRequest | ToolRequest)[],
  pastIsRead: Promise<void>,
): Http {
  const call = async (request: ModelRequest | ToolRequest): Promise<unknown> => {
    asked.push(request)
    await pastIsRead
    if (!answers.has(attemptOf(request)))
      throw new Error(`never asked before: ${attemptOf(request)}`)
    return answers.get(attemptOf(request))
  }
  return { model: { call }, tool: { call } }
}

async function answerPeople(run: Run): Promise<void> {
  while ((await run.whenSettled()).status === "waiting") {
    const pending = run.pending()
    const left = pending.find(({ agent }) => agent === "left")
    const right = pending.find(({ agent }) => agent === "right")
    if (left !== undefined) run.say("go on", { request: left.id })
    else if (right !== undefined) run.approve(right.id)
    else run.answer(pending[0]?.id ?? "", { yes: true })
  }
}
