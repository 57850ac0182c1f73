import assert from "node:assert/strict"
import type { AgentChart } from "../../src/machines/contract/agent-chart.js"
import type { AgentDefinition } from "../../src/machines/contract/agent-definition.js"
import type { Activity } from "../../src/machines/contract/activity.js"
import type { RunEvent } from "../../src/machines/contract/run-event.js"
import type { PlayedRun } from "./play.js"
import { agentsIn } from "./extra-fields.js"
import type { Call } from "./world.js"
import { attemptOf } from "./world.js"

export const nothing = { calls: 0, hosts: 0, timers: 0 }

/** Checks what must be true of every run, for all workflows, services and people. */
export function checkRun(chart: AgentChart, run: PlayedRun, whole: Config): void {
  const config = workflowOf(whole)
  checkStream(run)
  checkRequests(run.events)
  checkAgents(run.events)
  checkRetries(chart, config, run.events)
  checkCalls(run.calls)
  checkLimits(chart, run)
  checkDuration(chart.settings.maxDurationMs, run.events, whole["webhookUrl"] !== undefined)
  checkLoops(config, run.events)
  checkHandoffs(config, run.events)
  checkJoins(run.events)
  checkExits(config, run.events)
  const end = run.events.at(-1)?.at ?? 0
  for (const { request, isDone, ended } of run.calls)
    assert.ok(
      !isDone || ended === null || ended <= end,
      `${request.idempotencyKey} goes on when the run has ended`,
    )
  assert.deepEqual(run.left, nothing, "what was left behind")
}

/** Returns the config itself, or for a graph the config of its adk nodes, which all run the same workflow. */
function workflowOf(config: Config): Config {
  if (!("nodes" in config)) return config
  const nodes = config["nodes"] as readonly Config[]
  return (nodes.find(({ type }) => type === "adk")?.["config"] ?? { agents: [] }) as Config
}

/** Checks that events are JSON, have consecutive numbers, are ordered by time, and have one start and one end. */
export function checkStream({ events, result }: PlayedRun): void {
  events.forEach((event, index) => assert.equal(event.seq, index, "the number of an event"))
  events.forEach(({ at }, index) =>
    assert.ok(index === 0 || at >= (events[index - 1]?.at ?? 0), "time goes back"),
  )
  assert.equal(events[0]?.type, "run.started")
  assert.equal(events.filter(({ type }) => type === "run.started").length, 1)
  const ends = events.filter((event) => event.type === "run.finished")
  assert.equal(ends.length, 1, "run.finished comes once")
  const last = events.at(-1)
  assert.ok(last?.type === "run.finished", "run.finished comes last")
  assert.deepEqual(last.result, result)
  assert.deepEqual(JSON.parse(JSON.stringify(events)), events, "events are JSON")
  assert.ok(
    result.error?.code !== "internal" && result.error?.code !== "chart_invalid",
    result.error?.message,
  )
  assert.equal(
    result.error === null,
    result.status !== "failed" && result.status !== "limit",
    "what a run says of its error",
  )
}

/** Checks that a request is made once and ends at most once. */
function checkRequests(events: readonly RunEvent[]): void {
  const open = new Map<string, "open" | "closed">()
  const expires = new Map<string, number>()
  const choices = new Map<string, readonly unknown[]>()
  for (const event of events) {
    if (event.type === "human.asked" || event.type === "user.awaited") {
      assert.ok(!open.has(event.request.id), `the request ${event.request.id} is made twice`)
      open.set(event.request.id, "open")
      if (event.request.choices !== undefined) choices.set(event.request.id, event.request.choices)
      if (event.request.expiresAt !== undefined)
        expires.set(event.request.id, event.request.expiresAt)
    } else if (
      event.type === "human.answered" ||
      event.type === "request.expired" ||
      (event.type === "user.said" && event.id !== "")
    ) {
      assert.equal(open.get(event.id), "open", `the request ${event.id} ends without being open`)
      open.set(event.id, "closed")
      const allowed = choices.get(event.id)
      if (allowed !== undefined && event.type === "human.answered")
        assert.ok(
          allowed.includes(event.answer["value"]),
          `the answer to ${event.id} is one of its choices`,
        )
      if (event.type === "request.expired")
        assert.equal(event.at, expires.get(event.id), `when ${event.id} expires`)
    }
  }
}

/** Checks that every agent that ends has started. */
function checkAgents(events: readonly RunEvent[]): void {
  const open = new Map<string, number>()
  for (const event of events) {
    if (event.type === "agent.started") open.set(event.path, (open.get(event.path) ?? 0) + 1)
    if (event.type !== "agent.finished") continue
    assert.ok((open.get(event.path) ?? 0) > 0, `${event.path} ends without having begun`)
    open.set(event.path, (open.get(event.path) ?? 0) - 1)
  }
}

/** Checks that the number of attempts and the delays between them follow the retry policy. */
function checkRetries(chart: AgentChart, config: Config, events: readonly RunEvent[]): void {
  for (const event of events) {
    if (event.type !== "retry.scheduled") continue
    // The calls of agents and tools have a number, and the children of loops have no path.
    if (event.of.includes("/") && !event.of.includes("#")) {
      checkNodeRetry(config, event)
      continue
    }
    const { agents, tools } = chart.charts?.[Object.keys(chart.charts)[0] ?? ""] ?? chart
    const agent = agents[event.agent] as Extract<AgentDefinition, { type: "LlmAgent" }> | undefined
    const policies =
      agent === undefined
        ? activitiesIn(chart.machines)
        : event.of.includes("/tool:") &&
            !event.of.endsWith(`${event.agent}#${event.of.split("#").at(-1)}`)
          ? Object.values(tools).flatMap((tool) => ("activity" in tool ? [tool.activity] : []))
          : [agent.activity]
    const pause = event.until - event.at
    const fits = policies.some(
      ({ maximumAttempts, initialIntervalMs, backoffCoefficient, maximumIntervalMs }) => {
        const grown = initialIntervalMs * backoffCoefficient ** (event.attempt - 2)
        const due = Math.max(
          Math.min(grown, maximumIntervalMs ?? grown),
          Math.min(event.error.retryAfterMs ?? 0, maximumIntervalMs ?? 3_600_000),
        )
        return event.attempt <= maximumAttempts && Math.abs(pause - due) < 1e-6
      },
    )
    assert.ok(fits, `attempt ${event.attempt} of ${event.of} after ${pause} ms`)
    assert.ok(event.error.retryable, "only some failures are worth another attempt")
  }
}

/** Returns the retry policies of all nodes of a task graph, and of the children of its loops. */
function activitiesIn(value: unknown): readonly Activity[] {
  if (typeof value !== "object" || value === null) return []
  if ("maximumAttempts" in value) return [value as Activity]
  return Object.values(value).flatMap(activitiesIn)
}

/** Checks that the number and the delays of the retries of a graph node follow its options. */
function checkNodeRetry(
  config: Config,
  { agent, attempt, at, until }: Extract<RunEvent, { readonly type: "retry.scheduled" }>,
): void {
  const {
    maxAttempts,
    initialDelay,
    jitter = 1,
  } = agentsOf(config).flatMap(({ nodeOptions }) => {
    const options = (nodeOptions as Readonly<Record<string, Config>> | undefined)?.[agent]
    return options === undefined ? [] : [options["retryConfig"] as Readonly<Record<string, number>>]
  })[0] ?? { maxAttempts: 1, initialDelay: 0 }
  const delay = (initialDelay ?? 0) * 1000 * 2 ** (attempt - 2)
  assert.ok(attempt <= (maxAttempts ?? 1), `attempt ${attempt} of the node ${agent}`)
  const pause = until - at
  assert.ok(
    pause >= delay * (1 - jitter) && pause <= Math.ceil(delay * (1 + jitter)) + 1e-6,
    `attempt ${attempt} of the node ${agent} after ${pause} ms`,
  )
}

/** Returns the content of a request, which is the same in every attempt. */
export const contentOf = (request: Call["request"]): unknown =>
  "task" in request
    ? [request.node, request.endpoint, request.task, request.scope]
    : "callId" in request
      ? [request.tool, request.callId, request.arguments]
      : [request.messages, request.tools]

/** Checks that no attempt is made twice, except for a tool call after a consent, and that all attempts have the same content. */
function checkCalls(calls: readonly Call[]): void {
  const made = new Set<string>()
  const told = new Map<string, Call["request"]>()
  for (const call of calls) {
    const { request } = call
    const granted = "grantedSecret" in request && request.grantedSecret !== null ? " granted" : ""
    assert.ok(
      !made.has(attemptOf(request) + granted),
      `the call ${attemptOf(request)} is made twice`,
    )
    made.add(attemptOf(request) + granted)
    const key = "task" in request ? attemptOf({ ...request, attempt: 0 }) : request.idempotencyKey
    const first = told.get(key)
    if (first === undefined) told.set(key, request)
    else
      assert.deepEqual(
        contentOf(request),
        contentOf(first),
        `attempts of ${request.idempotencyKey} differ`,
      )
  }
}

/** Checks that limits and budgets are not exceeded. */
function checkLimits(
  { settings, agents, charts }: AgentChart,
  { events, result, calls }: PlayedRun,
): void {
  const begun = events.filter(
    (event) => event.type === "model.called" && event.attempt === 1,
  ).length
  const made = calls.filter(({ kind, request }) => kind === "model" && request.attempt === 1).length
  assert.equal(result.usage.modelCalls, begun, "usage")
  // The workflows of adk nodes have their own limits.
  const most = charts === undefined ? settings.maxModelCalls : Number.POSITIVE_INFINITY
  assert.ok(made <= most, `${made} model calls of ${most}`)
  assert.ok(made <= begun)
  const grants = events.filter(
    (event) => event.type === "human.answered" && event.answer["approved"] === true,
  ).length
  for (const [id, agent] of Object.entries(agents)) {
    const allowed = agent.type === "LlmAgent" ? agent.budget?.maxModelCalls : undefined
    if (allowed === undefined) continue
    const own = calls.filter(
      ({ kind, request }) => kind === "model" && request.attempt === 1 && request.agent === id,
    ).length
    assert.ok(own <= allowed * (1 + grants), `${own} model calls of the ${allowed} of agent ${id}`)
  }
  const all = settings.budget?.maxModelCalls
  if (all !== undefined)
    assert.ok(made <= all * (1 + grants), `${made} model calls of the ${all} of the budget`)
}

type Config = Readonly<Record<string, unknown>>

const agentsOf = (config: Config): readonly Config[] => config["agents"] as readonly Config[]

/** Checks that the iterations of a loop do not exceed the maximum in its config. */
function checkLoops(config: Config, events: readonly RunEvent[]): void {
  const most = new Map(
    agentsIn(agentsOf(config)).map((agent) => [
      agent["id"],
      Number(agent["maxAgentLoopIterations"] ?? agent["maxIterations"] ?? Number.POSITIVE_INFINITY),
    ]),
  )
  for (const event of events) {
    const max = most.get(event.agent) ?? Number.POSITIVE_INFINITY
    if (event.type === "loop.iterated")
      assert.ok(
        event.iteration < max,
        `iteration ${event.iteration} of ${event.path}, which has ${max}`,
      )
    if (event.type === "loop.ended" && event.reason === "max_agent_loop_iterations")
      assert.equal(event.iterations, max, `iterations of ${event.path}`)
  }
}

/** Checks that no team exceeds its maximum number of handoffs in one cycle. */
function checkHandoffs(config: Config, events: readonly RunEvent[]): void {
  const heads = new Set(agentsOf(config).map(({ id }) => id))
  const made = new Map<string, number>()
  for (const event of events) {
    // A user message resets the count.
    if (event.type === "user.said" || event.type === "invocation.finished") made.clear()
    if (event.type !== "handoff") continue
    const steps = event.path.split("/")
    while (steps.length > 1 && !heads.has(steps.at(-1)?.replace(/[[~@].*$/, ""))) steps.pop()
    const team = steps.join("/")
    made.set(team, (made.get(team) ?? 0) + 1)
    assert.ok(
      (made.get(team) ?? 0) <= Number(config["maxHandoffs"]),
      `${made.get(team)} handoffs of ${team}`,
    )
  }
}

/**
 * Checks that branches are joined in the declared order, that every item has a branch, and that an early completion joins exactly
 * its successful branches.
 */
function checkJoins(events: readonly RunEvent[]): void {
  const items = new Map<string, number>()
  const successes = new Map<string, number>()
  for (const event of events) {
    if (event.type === "parallel.expanded") items.set(event.path, event.count)
    if (event.type === "parallel.settled") successes.set(event.path, event.successes)
    if (event.type !== "parallel.joined") continue
    const count = items.get(event.path)
    const all = event.merged.length + event.dropped.length
    if (count !== undefined) assert.equal(all, count, `branches of ${event.path}`)
    const enough = successes.get(event.path)
    if (enough !== undefined) assert.equal(event.merged.length, enough, `joined in ${event.path}`)
    successes.delete(event.path)
    const order = event.merged.map((branch) => Number(branch.split(".").at(-1)))
    assert.deepEqual(
      order,
      order.toSorted((one, other) => one - other),
      `branches of ${event.path}`,
    )
  }
}

/** Checks that with the exit scope `agent`, no container ends because one of its agents sends `exitFlow`. */
function checkExits({ subAgentExitFlow }: Config, events: readonly RunEvent[]): void {
  if (subAgentExitFlow !== "agent") return
  for (const event of events)
    assert.ok(
      event.type !== "agent.finished" || event.outcome !== "exited" || event.kind === "LlmAgent",
      `${event.path} is left with exitFlow`,
    )
}

/**
 * Checks that a run or an invocation ends at its maximum duration. A graph with a webhook stays
 * active until it has posted its result.
 */
function checkDuration(
  most: number | undefined,
  events: readonly RunEvent[],
  hasWebhook: boolean,
): void {
  const mayFollow = hasWebhook ? ["run.finished", "state.changed", "warning"] : ["run.finished"]
  if (most === undefined) return
  let since: number | null = events[0]?.at ?? 0
  for (const event of events) {
    if (since !== null && !mayFollow.includes(event.type))
      assert.ok(
        event.at <= since + most,
        `${event.type} ${event.at - since} ms after the beginning; at most ${most} ms`,
      )
    if (event.type === "invocation.finished") since = null
    if (event.type === "user.said" && event.id === "") since = event.at
  }
}
