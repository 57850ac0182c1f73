import { modelsOf } from "../../machines/model-call/agent-models.js"
import { CallFailedError } from "../../machines/contract/services.js"
import type { ModelService, ToolService } from "../../machines/contract/services.js"
import { taskGraphOf } from "../../machines/contract/graphs/task-graph-of.js"
import type { JsonObject } from "../../machines/data/json-object.js"
import type { AgentChart } from "../../machines/contract/agent-chart.js"
import type { RunStatus } from "../../machines/contract/run-event.js"
import { createRunner, memoryJournal } from "../../runtime/index.js"
import type { HostService, StoredRun } from "../../runtime/index.js"
import type { Workflows } from "../../machines/workflow-agent/called-charts.js"
import { chartsWithCalls } from "../../machines/workflow-agent/called-charts.js"
import { scriptedAgents } from "../../adapters/scripted/scripted-agents.js"
import type { AnswerEntry } from "../answers/answer-script.js"
import { answerRun } from "./answer-run.js"
import type { Choice, ChoiceBook } from "./choices.js"
import { plannedNodes } from "./planned-nodes.js"
import { exits } from "./choices.js"

/**
 * Decisions of a run that differ from the default. Maps the `site` (id) of each decision to the
 * index of the chosen answer.
 */
export type Deviations = ReadonlyMap<string, number>

/** A point in a run at which several answers are possible, and the chosen answer. */
export interface Decision {
  /** Id of this decision point, unique in its run. */
  readonly site: string
  /**
   * Location of this decision point in the chart. It is the same in all iterations, cycles and
   * repetitions.
   */
  readonly location: string
  readonly chosen: number
  readonly choices: readonly string[]
}

/**
 * Script that repeats a run. Contains the initial state, the responses in the format of a scenario
 * file, and the answers in the format of an `--answers` file.
 */
export interface ScenarioScript {
  readonly state: JsonObject
  readonly llm: Readonly<Record<string, readonly JsonObject[]>>
  readonly tools: Readonly<Record<string, readonly JsonObject[]>>
  /** Responses to the HTTP requests of graph nodes, by node id. */
  readonly http?: Readonly<Record<string, readonly JsonObject[]>>
  readonly answers: readonly AnswerEntry[]
}

/** A finished run, the decisions that were made in it, and the script that repeats it. */
export interface PlayedRun {
  readonly decisions: readonly Decision[]
  readonly script: ScenarioScript
  readonly status: RunStatus
  /** Journal records of the run, followed by those of its child runs. */
  readonly stored: readonly StoredRun[]
}

export type HostServices = Readonly<Record<string, HostService>>

/** Workflow for which test scenarios are searched. */
export interface PlannedWorkflow {
  readonly chart: AgentChart
  readonly services: HostServices
  /** Workflows that agents can call by name. */
  readonly workflows?: Workflows
}

/**
 * Maximum number of model calls at one agent path for which the first choice is the default. In
 * later calls, the default is a response that ends the workflow, so that loops end.
 */
const maxCallsAtPath = 4
const maxCallsAtLocation = 30

/**
 * Executes a run in which each decision has its default answer. `deviations` selects other answers
 * for some decisions. Models and tools are scripted, so only host functions can have external
 * effects.
 */
export async function playChoices(
  { chart, services, workflows = {} }: PlannedWorkflow,
  book: ChoiceBook,
  deviations: Deviations,
): Promise<PlayedRun> {
  const decisions: Decision[] = []
  const llm: Record<string, JsonObject[]> = {}
  const tools: Record<string, JsonObject[]> = {}
  const nodes: Record<string, readonly JsonObject[]> = {}
  const answers: AnswerEntry[] = []
  const counts = new Map<string, number>()
  const decide = <Entry>(
    site: string,
    choices: readonly Choice<Entry>[],
    defaultIndex = 0,
  ): Entry => {
    const deviation = deviations.get(site)
    const chosen = deviation !== undefined && deviation < choices.length ? deviation : defaultIndex
    decisions.push({
      site,
      location: locationOf(site),
      chosen,
      choices: choices.map(({ what }) => what),
    })
    // A site has at least one choice, and `chosen` is a valid index.
    return (choices[chosen] as Choice<Entry>).entry
  }
  const count = (key: string): number => {
    const times = (counts.get(key) ?? 0) + 1
    counts.set(key, times)
    return times
  }
  const start = decide("start", book.starts)
  let lastLocation = ""
  const model: ModelService = {
    async call({ agent, path, idempotencyKey }) {
      const choices = book.ofModel(agent, start)
      const isRepeating = [
        count(path) > maxCallsAtPath,
        count(`${locationOf(path)} in total`) > maxCallsAtLocation,
      ].includes(true)
      const entry = decide(
        siteOf(idempotencyKey),
        choices,
        isRepeating
          ? Math.max(
              0,
              choices.findIndex(({ what }) => what === exits),
            )
          : 0,
      )
      lastLocation = locationOf(path)
      ;(llm[agent] ??= []).push(entry)
      const status = entry["httpStatus"]
      if (typeof status === "number")
        throw new CallFailedError({
          code: "model_call_failed",
          message: `HTTP ${status}`,
          retryable: false,
          status,
        })
      return entry
    },
  }
  const tool: ToolService = {
    async call({ tool: id }) {
      const entry = { done: true }
      ;(tools[id] ??= []).push(entry)
      return entry
    },
  }
  // All requests of a node have the same response, because the items of a loop run in any order.
  const node = plannedNodes((id, path) => {
    const [known] = nodes[id] ?? []
    if (known !== undefined) return known
    const entry = decide(locationOf(path), book.ofNode(id))
    nodes[id] = [{ ...entry, repeat: true }]
    lastLocation = locationOf(path)
    return entry
  })
  const names = chartsWithCalls(chart, workflows).flatMap(({ agents }) =>
    Object.values(agents).flatMap(modelsOf),
  )
  const journal = memoryJournal()
  const runner = createRunner({
    http: { model, tool, node, agent: scriptedAgents(model) },
    models: Object.fromEntries(names.map((name) => [name, model])),
    services,
    workflows,
    skipWaits: true,
    responseCache: null,
    journal,
  })
  try {
    const run = runner.start(chart, {
      runId,
      ...inputOf(chart, { prompt: promptOf(chart), state: start.state }),
    })
    const { status } = await answerRun(run, (position) => {
      const answer =
        "request" in position
          ? decide(position.request.id, book.ofPerson(position.request))
          : decide(`idle after ${lastLocation}#${position.idle}`, book.whenIdle)
      if (answer !== null) answers.push(answer)
      return answer
    })
    return {
      decisions,
      script: {
        state: start.state,
        llm,
        tools,
        ...(Object.keys(nodes).length > 0 && { http: nodes }),
        answers,
      },
      status,
      stored: Object.values(journal.toJSON()),
    }
  } finally {
    await runner.close()
  }
}

const runId = "plan"

/**
 * Returns the input of a run. It is empty for a task graph, which has neither a prompt nor a state.
 */
export const inputOf = (
  chart: AgentChart,
  input: { readonly prompt: string; readonly state: JsonObject },
): Partial<typeof input> => (taskGraphOf(chart) === null ? input : {})

/** Returns the first user message of a chart, or `go` if the chart has none. */
export const promptOf = ({ input }: AgentChart): string => input.prompt ?? "go"

/** Removes the run id from an idempotency key. The rest identifies the same call in every run. */
const siteOf = (idempotencyKey: string): string => idempotencyKey.slice(runId.length + 1)

const locationOf = (site: string): string => site.replaceAll(/\[\d+\]/g, "[*]").replace(/#\d+$/, "")
