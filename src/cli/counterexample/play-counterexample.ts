import type { Counterexample, PathScript } from "../../analysis/index.js"
import type { AgentChart } from "../../machines/contract/agent-chart.js"
import type { ModelService } from "../../machines/contract/services.js"
import type { RunEvent } from "../../machines/contract/run-event.js"
import type { FlowEndpoints } from "../../policies/flow-endpoints.js"
import { flowEndpoints } from "../../policies/flow-endpoints.js"
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
import { runGuidedFlow } from "./guided-flow.js"
import { FlowMarks } from "./flow-marks.js"
import { markedInput, modelOf } from "./marked-data.js"
import type { GuidedRunOptions } from "./guided-run-options.js"
import type { GuidedRun } from "./guided-run.js"
import { runGuided } from "./guided-run.js"
import type { Play } from "./script-of-log.js"
import { scriptOfLog } from "./script-of-log.js"
import {
  machineServices,
  signallingModels,
  toolsetLists,
  usualFunctions,
} from "./stubbed-services.js"

/** Sequence number and type of the run event that violates a policy. */
export type SeenViolation = Pick<RunEvent, "seq" | "type">

/**
 * The result of reproducing a counterexample. Contains the files that repeat the run and the
 * violating event. If no run showed the violation, `conditions` describes parts of the
 * counterexample that could not be reproduced.
 */
export type PlayOutcome =
  | { readonly play: Play; readonly seen: SeenViolation }
  | { readonly play: null; readonly conditions: readonly string[] }

/** The chart, policy and prices for which a counterexample is reproduced. */
export interface PlayContext {
  readonly chart: AgentChart
  readonly policy: Policy
  readonly set: PolicySet
  readonly prices: PriceList | null
}

/**
 * Maximum duration in milliseconds of a run that reproduces a counterexample with scripted
 * services.
 */
const maxMs = 30_000

/**
 * Reproduces a counterexample (the steps of a run that violates a policy) in two runs. The first
 * run is simulated in this process and follows the steps. The second run reads the scenario and
 * answers that the first run produced, like the command `run`.
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

/** Returns whether a simulated run that follows the counterexample violates the policy. */
export async function isShown(
  counterexample: Pick<Counterexample, "script" | "path">,
  context: PlayContext,
): Promise<boolean> {
  for await (const run of directedRuns(counterexample, context)) if (run.isShown) return true
  return false
}

/** Maximum number of simulated runs to try for the counterexample of a `noFlow` policy. */
const maxAttempts = 6

/**
 * A simulated run with its prompt and initial state. `isShown` is true if the run shows the
 * violation of the policy.
 */
interface ShownRun extends GuidedRun, Pick<Play, "state" | "prompt"> {
  readonly isShown: boolean
}

/**
 * Runs the chart in this process so that it follows a counterexample, and yields each run. Tries
 * several variants of the answers to other calls. For a `noFlow` policy, a marker text in the runs
 * shows where restricted data flows.
 */
async function* directedRuns(
  { script, path }: Pick<Counterexample, "script" | "path">,
  context: PlayContext,
): AsyncGenerator<ShownRun> {
  const { set, chart } = context
  const { rule } = context.policy
  const endpoints = rule.pattern === "noFlow" ? flowEndpoints(rule) : null
  if (script !== null) {
    if (endpoints === null) {
      const about = { state: script.state, prompt: promptOf(chart) }
      for (const choices of waysToPlay(script, context)) {
        const run = await directPath(script, context, choices)
        yield { ...run, ...about, isShown: isViolation(run.events, context) }
      }
    } else yield* markedRuns(script, endpoints, context)
    return
  }
  if (endpoints === null) return
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const run = await runGuidedFlow({ ...surroundings(context), endpoints, set, path, attempt })
    yield { ...run, isShown: run.isReached && isViolation(run.events, context) }
  }
}

/**
 * Returns variants of the answers to calls outside the counterexample. If a person must answer, one
 * variant lets all other models wait for the user. Otherwise their agents could end too early,
 * because a person answers only when no call is in flight.
 */
function waysToPlay(
  { acts }: PathScript,
  { set }: PlayContext,
): readonly Pick<GuidedRunOptions, "afterwards" | "othersWait">[] {
  const hasAnswer = acts.some(({ act }) => act.by === "person")
  return [
    { afterwards: "answer" },
    { afterwards: "repeat" },
    { afterwards: "fail" },
    ...(hasAnswer && set.assume.modelSignals.includes("waitForUserInput")
      ? [{ othersWait: true }]
      : []),
  ]
}

/**
 * Yields two simulated runs that follow the counterexample of a `noFlow` policy. Both contain a
 * marker text that shows where restricted data flows. The second run keeps texts and tool results
 * on which conditions of the counterexample may depend.
 */
async function* markedRuns(
  script: PathScript,
  endpoints: FlowEndpoints,
  context: PlayContext,
): AsyncGenerator<ShownRun> {
  const { chart, set } = context
  for (const replaces of [true, false]) {
    const marks = new FlowMarks(chart, endpoints, set)
    const { state, prompt } = markedInput(endpoints, script.state, promptOf(chart))
    const run = await runGuided({
      ...surroundings(context),
      prompt,
      script: { ...script, state },
      usageOf: () => null,
      mark: (waiting, answer) => marks.mark(waiting, answer, replaces),
      answerOf: (request) => marks.answerOf(request),
    })
    marks.look(run.events)
    yield { ...run, state, prompt, isShown: marks.isReached && isViolation(run.events, context) }
  }
}

/** Returns the options that all simulated runs of a chart share. */
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

/**
 * Runs the chart in this process so that it follows a counterexample. `choices` selects the answers
 * to all other calls.
 */
const directPath = (
  script: NonNullable<Counterexample["script"]>,
  context: PlayContext,
  choices: Pick<GuidedRunOptions, "afterwards" | "othersWait">,
): Promise<GuidedRun> => {
  const { chart, policy, set, prices } = context
  return runGuided({
    ...surroundings(context),
    script,
    ...choices,
    usageOf: (agent, model) => {
      if (policy.rule.pattern !== "budget" || policy.rule.cost === null) return null
      const definition = chart.agents[agent]
      const isOwn = definition?.type !== "LlmAgent" || modelOf(definition) === model
      const fallback = isOwn || model === null ? undefined : model
      return maxUsage(priceFor(definition, prices ?? pricesOf(set), fallback))
    },
  })
}

// The prices of a policy file have the format of a price list.
const pricesOf = ({ prices }: PolicySet): PriceList => (prices ?? {}) as PriceList

/**
 * Returns the largest token usage that the price list allows for one model call. Returns null if
 * the model has no price per token.
 */
const maxUsage = (price: Price | null): JsonObject | null =>
  price === null || "perCall" in price
    ? null
    : { inputTokens: price.maxInputTokens ?? 0, outputTokens: price.maxOutputTokens ?? 0 }

/** Creates a monitor that checks the events of a run against the policy. */
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
      machines: machineServices(chart),
      attemptsOf: (agent) => {
        const definition = chart.agents[agent]
        return definition?.type === "LlmAgent" ? definition.activity.maximumAttempts : 1
      },
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
        maxMs,
        isEnough: (event) => {
          if (monitor.follow(event).length === 0) return false
          seen = { seq: event.seq, type: event.type }
          return true
        },
      },
    )
  } catch (cause) {
    // The run has no pending request for one of the answers.
    if (!(cause instanceof UsageProblem)) throw cause
  }
  return seen
}

let modules = 0

/**
 * Imports a stub module from its source code. Each call creates a new module instance, because a
 * stub module stores its position in the script.
 */
async function importStubs(source: string): Promise<StubExports> {
  const url = `data:text/javascript,${encodeURIComponent(`${source}// ${modules++}\n`)}`
  return (await import(url)) as StubExports
}

interface StubExports {
  readonly services?: HostServices
  readonly models?: Readonly<Record<string, ModelService>>
}
