import assert from "node:assert/strict"
import type { AgentChart } from "../../src/machines/contract/agent-chart.js"
import type { Played, Told } from "./play.js"

/** Counts in how many random runs each feature occurs. */
export class Coverage {
  readonly #counts = new Map<string, number>()
  runs = 0

  note(chart: AgentChart, { result, events, taken }: Played): void {
    this.runs++
    const seen = new Set<string>([`outcome ${result.status}`])
    for (const event of events) for (const thing of thingsIn(event, chart)) seen.add(thing)
    for (const what of taken)
      if (what.endsWith(": taken")) seen.add(`move ${what.split(" ")[0]?.replace(":", "")}`)
    if (result.error !== null) seen.add(`error ${result.error.code}`)
    if (result.status === "limit") seen.add(`limit ${limitIn(result.error?.message ?? "")}`)
    for (const policy of policiesIn(chart, events)) seen.add(policy)
    for (const thing of seen) this.count(thing)
  }

  count(thing: string): void {
    this.#counts.set(thing, (this.#counts.get(thing) ?? 0) + 1)
  }

  /** Returns each feature with the number of runs in which it occurred. */
  toString(): string {
    return [...this.#counts]
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([thing, count]) => `${thing} ${count}`)
      .join(", ")
  }

  /** Fails if one of these features occurred in fewer than `atLeast` runs. */
  expectEach(things: readonly string[], atLeast: number): void {
    const rare = things.filter((thing) => (this.#counts.get(thing) ?? 0) < atLeast)
    assert.deepEqual(
      rare.map((thing) => `${thing} ${this.#counts.get(thing) ?? 0}`),
      [],
      `of ${this.runs} runs too few came by these`,
    )
  }
}

const limits = [
  "budget",
  "maxModelCallsPerTurn",
  "maxModelCalls",
  "maxOrchestrationCycles",
  "maxHandoffs",
  "maxDuration",
] as const

const limitIn = (message: string): string =>
  limits.find((name) => message.includes(name)) ?? "of a graph"

/** The failure policy of each block in which a branch has failed. */
function policiesIn(chart: AgentChart, events: readonly Told[]): readonly string[] {
  const policies = policiesOf(chart)
  const failed = new Set(
    events.flatMap((event) =>
      event.type === "agent.finished" && event.outcome === "failed" && event.branch !== null
        ? [blockOf(event.branch)]
        : [],
    ),
  )
  return [...failed].map((block) => `policy failurePolicy ${policies.get(block) ?? "of a tree"}`)
}

/** Returns the block of a branch, for example `inner` for `outer.0.inner.1`. */
const blockOf = (branch: string): string => branch.split(".").at(-2) ?? ""

function policiesOf(chart: AgentChart): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  const visit = (value: unknown, agent: string): void => {
    if (typeof value !== "object" || value === null) return
    const named =
      "meta" in value
        ? ((value.meta as { readonly agent?: string } | undefined)?.agent ?? agent)
        : agent
    if ("failurePolicy" in value)
      found.set("agent" in value ? String(value.agent) : named, String(value.failurePolicy))
    for (const inner of Object.values(value)) visit(inner, named)
  }
  visit(chart.machines, "")
  return found
}

function thingsIn(event: Told, chart: AgentChart): readonly string[] {
  switch (event.type) {
    case "agent.started":
      return [`agent ${event.kind}`]
    case "agent.finished":
      return event.kind === "ParallelAgent"
        ? []
        : event.outcome === "handedOff"
          ? ["signal transfer"]
          : []
    case "agent.skipped":
      return ["policy when"]
    case "model.responded": {
      const { exitFlow, escalate, waitForUserInput, hitlRequest, toolCalls } = event.answer
      return [
        ...(exitFlow ? ["signal exitFlow"] : []),
        ...(escalate ? ["signal escalate"] : []),
        ...(waitForUserInput ? ["signal waitForUserInput"] : []),
        ...(hitlRequest !== null ? ["signal hitlRequest"] : []),
        ...(toolCalls.length > 0 ? ["signal toolCalls"] : []),
      ]
    }
    case "human.asked":
    case "user.awaited":
      return [
        `pause ${event.request.kind}`,
        ...(event.request.expiresAt === undefined ? [] : ["pause that expires"]),
        ...(event.request.prompt?.startsWith('May "') === true
          ? ["policy requireConfirmation"]
          : []),
      ]
    case "request.expired":
      return [`policy onExpiry ${event.onExpiry}`]
    case "retry.scheduled":
      return ["policy retry"]
    case "tool.called": {
      const tool = chart.tools[event.tool]
      return [`tool ${tool?.type ?? "listed"}`]
    }
    case "loop.ended":
      return [`loop ended by ${event.reason}`]
    case "deadline.passed":
      return [event.path.includes("/") ? "limit maxDuration of an agent" : "limit maxDuration"]
    case "condition.failed":
      return ["policy onConditionError"]
    case "parallel.expanded":
      return [event.count === 0 ? "an empty list" : "branches over a list"]
    case "node.finished":
      return [event.state === undefined ? "node that is triggered" : "node of a task graph"]
    case "machine.entered":
      return ["state of a machine"]
    case "parallel.settled":
      return ["early completion"]
    case "parallel.joined":
      return event.dropped.length > 0 ? ["join with dropped branches"] : ["join"]
    case "host.step":
      return [`host step ${event.step}`]
    case "host.emitted":
    case "edge.followed":
    case "handoff":
    case "invocation.finished":
    case "checkpoint":
    case "warning":
      return [event.type]
    default:
      return []
  }
}
