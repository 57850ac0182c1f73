import type { Counterexample } from "../../analysis/index.js"
import type { AgentChart } from "../../machines/contract/agent-chart.js"
import type { ModelService } from "../../machines/contract/services.js"
import type { RunEvent } from "../../machines/contract/run-event.js"
import { flowPlaces } from "../../policies/monitor/flow/flow-places.js"
import type { PolicyMonitor } from "../../policies/monitor/monitor.js"
import { createPolicyMonitor } from "../../policies/monitor/monitor.js"
import type { JsonObject } from "../../machines/data/json-object.js"
import { permissionsOf } from "../../policies/permissions-of.js"
import type { Policy, PolicySet } from "../../policies/policy.js"
import type { Price, PriceList } from "../../policies/price-list.js"
import { priceFor } from "../../policies/price-list.js"
import { UsageProblem } from "../errors/usage-problem.js"
import type { HostServices } from "../test-plan/play-choices.js"
import { promptOf } from "../test-plan/play-choices.js"
import { playScript } from "../test-plan/play-script.js"
import { usualStep } from "./act-answers.js"
import { directFlow } from "./direct-flow.js"
import type { DirectedRun } from "./direct-run.js"
import { directRun } from "./direct-run.js"
import type { Play } from "./script-of-log.js"
import { scriptOfLog } from "./script-of-log.js"
import type { StubStep } from "./stub-module.js"

/** The event of a run that violates a policy. */
export type SeenViolation = Pick<RunEvent, "seq" | "type">

/**
 * The result of playing a counterexample: the files and the violating event, or the conditions that
 * could not be met.
 */
export type PlayOutcome =
  | { readonly play: Play; readonly seen: SeenViolation }
  | { readonly play: null; readonly conditions: readonly string[] }

/** The chart, the policy and the prices for which a counterexample is played. */
export interface PlayContext {
  readonly chart: AgentChart
  readonly policy: Policy
  readonly set: PolicySet
  readonly prices: PriceList | null
}

/**
 * Maximum duration of a run that plays a counterexample with scripted services, in milliseconds.
 */
const mostMs = 30_000

/**
 * Plays a counterexample twice: in a run that follows its path in this process, and then with the
 * resulting files, as the command `run` does.
 */
export async function playCounterexample(
  { script, path }: Counterexample,
  context: PlayContext,
): Promise<PlayOutcome> {
  const conditions = new Set(script?.unmet ?? path.map(({ does }) => does))
  for await (const run of directedRuns({ script, path }, context)) {
    for (const obstacle of run.obstacles) conditions.add(obstacle)
    if (!run.isShown || run.obstacles.length > 0) continue
    const play = playOf(run, context)
    const seen = await playWithServices(play, context)
    if (seen !== null) return { play, seen }
  }
  return { play: null, conditions: [...conditions] }
}

/** Whether a run in this process that follows the counterexample violates the policy. */
export async function isShown(
  counterexample: Pick<Counterexample, "script" | "path">,
  context: PlayContext,
): Promise<boolean> {
  for await (const run of directedRuns(counterexample, context)) if (run.isShown) return true
  return false
}

/** Maximum number of runs to try for the counterexample of a `noFlow` policy. */
const mostAttempts = 6

/** A run in this process, with its input, and whether it violates the policy. */
interface ShownRun extends DirectedRun, Pick<Play, "state" | "prompt"> {
  readonly isShown: boolean
}

/**
 * Runs the chart in this process along the path of a counterexample. A `noFlow` policy has no
 * script, so several runs with different answers follow a marker text instead.
 */
async function* directedRuns(
  { script, path }: Pick<Counterexample, "script" | "path">,
  context: PlayContext,
): AsyncGenerator<ShownRun> {
  const { set, chart } = context
  if (script !== null) {
    const run = await directPath(script, context)
    const about = { state: script.state, prompt: promptOf(chart) }
    yield { ...run, ...about, isShown: isViolation(run.events, context) }
    return
  }
  const places = flowPlaces(context.policy)
  if (places === null) return
  for (let attempt = 0; attempt < mostAttempts; attempt++) {
    const run = await directFlow({ ...surroundings(context), places, set, path, attempt })
    yield { ...run, isShown: run.isReached && isViolation(run.events, context) }
  }
}

/** Returns the options that are the same for all runs of a chart. */
const surroundings = ({ chart, set }: PlayContext) => ({
  chart,
  prompt: promptOf(chart),
  models: signallingModels(chart, set),
  listsOf: (service: string) => toolsetLists(chart, set)[service] ?? [],
  decisionOf: (service: string, tool: string) => {
    const decides = permissionsOf(set, service)?.decides ?? {}
    return (Object.hasOwn(decides, tool) ? decides[tool] : decides["*"])?.[0] ?? "ALLOW"
  },
})

/** Runs the chart in this process along the scripted path of a counterexample. */
const directPath = (
  script: NonNullable<Counterexample["script"]>,
  context: PlayContext,
): Promise<DirectedRun> => {
  const { chart, policy, set, prices } = context
  return directRun({
    ...surroundings(context),
    script,
    usageOf: (agent) =>
      policy.rule.pattern === "budget" && policy.rule.cost !== null
        ? mostUsage(priceFor(chart.agents[agent], prices ?? pricesOf(set)))
        : null,
  })
}

// The prices of a policy file have the format of a price list.
const pricesOf = ({ prices }: PolicySet): PriceList => (prices ?? {}) as PriceList

/**
 * Returns the largest token usage of one model call, according to the price list. Returns null if
 * the model has no price per token.
 */
const mostUsage = (price: Price | null): JsonObject | null =>
  price === null || "perCall" in price
    ? null
    : { inputTokens: price.maxInputTokens ?? 0, outputTokens: price.maxOutputTokens ?? 0 }

/** Creates the monitor that checks the policy on the events of a run. */
const monitorOf = ({ chart, policy, set, prices }: PlayContext): PolicyMonitor =>
  createPolicyMonitor(chart, { ...set, policies: [policy] }, ...(prices === null ? [] : [prices]))

function isViolation(events: readonly RunEvent[], context: PlayContext): boolean {
  const monitor = monitorOf(context)
  return events.some((event) => monitor.follow(event).length > 0)
}

const playOf = (run: ShownRun, { chart, set }: PlayContext): Play =>
  scriptOfLog(
    run,
    { state: run.state, prompt: run.prompt },
    {
      toolsetLists: toolsetLists(chart, set),
      functions: usualFunctions(chart, set),
      models: signallingModels(chart, set),
    },
    run.late,
  )

async function playWithServices(play: Play, context: PlayContext): Promise<SeenViolation | null> {
  const stubs = play.services === null ? {} : await importStubs(play.services)
  const monitor = monitorOf(context)
  let seen: SeenViolation | null = null
  try {
    await playScript(
      context.chart,
      { ...play.scenario, answers: play.answers, state: play.state, prompt: play.prompt },
      {
        services: stubs.services ?? {},
        models: stubs.models ?? {},
        maxMs: mostMs,
        isEnough: (event) => {
          if (monitor.follow(event).length === 0) return false
          seen = { seq: event.seq, type: event.type }
          return true
        },
      },
    )
  } catch (cause) {
    // The run did not ask what the answers expect.
    if (!(cause instanceof UsageProblem)) throw cause
  }
  return seen
}

let modules = 0

/**
 * Imports the source of a stub module. Each call creates a new module, because a module stores its
 * position in the script.
 */
async function importStubs(source: string): Promise<StubExports> {
  const url = `data:text/javascript,${encodeURIComponent(`${source}// ${modules++}\n`)}`
  return (await import(url)) as StubExports
}

interface StubExports {
  readonly services?: HostServices
  readonly models?: Readonly<Record<string, ModelService>>
}

/**
 * Returns the names of the models whose services declare signals. Responses of these models would
 * otherwise end the run. Empty if the policy file assumes no signals (`modelSignals`).
 */
const signallingModels = ({ agents }: AgentChart, { assume }: PolicySet): readonly string[] =>
  assume.modelSignals.length === 0
    ? []
    : Object.values(agents).flatMap((agent) =>
        agent.type === "LlmAgent" && agent.byName?.endsRun === true && agent.model !== null
          ? [agent.model]
          : [],
      )

/** Returns the tool names of each toolset, without prefixes, by service. */
function toolsetLists(
  { tools }: AgentChart,
  { toolsets }: PolicySet,
): Readonly<Record<string, readonly string[]>> {
  return Object.fromEntries(
    Object.entries(tools).flatMap(([id, tool]) =>
      tool.type === "Toolset"
        ? [[tool.service, tool.toolFilter ?? toolsets[id] ?? []] as const]
        : [],
    ),
  )
}

/** Returns the default behavior of the host functions of a chart, by name. */
function usualFunctions(
  { services = {} }: AgentChart,
  set: PolicySet,
): Readonly<Record<string, StubStep>> {
  return Object.fromEntries(
    Object.entries(services).flatMap(([name, { kind }]): (readonly [string, StubStep])[] => {
      switch (kind) {
        case "toolset":
          return []
        case "callback":
        case "plugin":
          return [[name, {}]]
        case "policy": {
          const decides = permissionsOf(set, name)?.decides ?? {}
          return [[name, { return: { outcome: decides["*"]?.[0] ?? "ALLOW" } }]]
        }
        case "tool":
          return [[name, usualStep({ hook: null, tool: name, kind: "function" })]]
        default:
          return [[name, usualStep({ hook: null, tool: null, kind: "function" })]]
      }
    }),
  )
}
