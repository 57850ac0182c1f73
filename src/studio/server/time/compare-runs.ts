import type { AgentChart } from "../../../machines/contract/agent-chart.js"
import type { Envelope, ModelAnswer } from "../../../machines/contract/services.js"
import { systemKeys } from "../../../machines/data/system-keys.js"
import { requestOf } from "../../../runtime/history/compare-requests.js"
import { compareStates } from "../../../runtime/history/compare-states.js"
import type { PastCall, PastCalls } from "../../../runtime/history/past-calls.js"
import { pastCalls } from "../../../runtime/history/past-calls.js"
import type { StoredRun } from "../../../runtime/journal/journal.js"
import { startedAtOf } from "../../../runtime/journal/journal.js"
import { instructionsOf } from "../../../serving/override-instructions.js"
import { runDuration } from "../runs/run-duration.js"
import type { ComparedRunFacts, ComparedStep, RunComparison, RunStep } from "../../compare-api.js"

/**
 * Limits of a comparison. They are the maximum number of steps, and the maximum number of
 * characters in each text of a step.
 */
const most = { steps: 1_000, characters: 4_000 }

/** Compares the results, final states, calls and instructions of two runs. */
export function compareRuns(a: StoredRun, b: StoredRun): RunComparison {
  const [pastA, pastB] = [pastCalls(a), pastCalls(b)]
  const steps = comparedSteps(stepsOf(pastA), stepsOf(pastB))
  return {
    a: factsOf(a, pastA),
    b: factsOf(b, pastB),
    forkedAt: sharedRecords(a, b) ?? sharedRecords(b, a),
    agents: startedIn(pastA, pastB),
    instructions: changedInstructions(a.header.chart, b.header.chart),
    state: compareStates(pastA.result.state, pastB.result.state).filter(
      ({ key }) => !systemKeys.has(key),
    ),
    steps: steps.slice(0, most.steps),
    leftOut: Math.max(0, steps.length - most.steps),
  }
}

function factsOf({ header }: StoredRun, { result, events }: PastCalls): ComparedRunFacts {
  const { status, text, error, usage } = result
  const hasTokens = usage.inputTokens + usage.outputTokens > 0 || usage.modelCalls === 0
  return {
    runId: header.runId,
    chart: header.chart.id,
    status,
    startedAt: startedAtOf(header),
    durationMs: runDuration(startedAtOf(header), events),
    text,
    error,
    modelCalls: usage.modelCalls,
    toolCalls: usage.toolCalls,
    inputTokens: hasTokens ? usage.inputTokens : null,
    outputTokens: hasTokens ? usage.outputTokens : null,
    cost: usage.cost ?? null,
  }
}

/**
 * Returns the number of journal records that a fork has copied from the run `origin`. Returns null
 * if the second run is not a fork of `origin`.
 */
const sharedRecords = (origin: StoredRun, { header: { forkedFrom } }: StoredRun): number | null =>
  forkedFrom?.runId === origin.header.runId ? forkedFrom.at : null

function startedIn(before: PastCalls, after: PastCalls): RunComparison["agents"] {
  const started = ({ events }: PastCalls): ReadonlySet<string> =>
    new Set(events.flatMap((event) => (event.type === "agent.started" ? [event.agent] : [])))
  const [a, b] = [started(before), started(after)]
  return {
    added: [...b].filter((agent) => !a.has(agent)).sort(),
    removed: [...a].filter((agent) => !b.has(agent)).sort(),
  }
}

function changedInstructions(a: AgentChart, b: AgentChart): RunComparison["instructions"] {
  const [before, after] = [instructionsOf(a), instructionsOf(b)]
  return [...new Set([...before.keys(), ...after.keys()])].sort().flatMap((agent) => {
    const [one, other] = [before.get(agent) ?? null, after.get(agent) ?? null]
    return one === other ? [] : [{ agent, a: one, b: other }]
  })
}

/** A step of a run, with a key that finds the matching step in another run of the same chart. */
interface KeyedStep extends RunStep {
  readonly key: string
}

/**
 * Returns the steps of a run, which are its calls and the answers of people. The steps are in the
 * order of the journal records that contain their results.
 */
function stepsOf({ calls, messages }: PastCalls): readonly KeyedStep[] {
  // The attempts of a call are one step. The last attempt has the result.
  const lastAttempts = new Map<string, PastCall>()
  for (const call of calls)
    if (call.known.kind !== "pause") lastAttempts.set(`${call.known.kind} ${call.known.key}`, call)
  const counts = new Map<string, number>()
  const answers = messages.map(({ record: [, path, event], position }): KeyedStep => {
    const { type, at: _at, id: _id, ...content } = event
    const key = `person ${path} ${type}`
    const count = counts.get(key) ?? 0
    counts.set(key, count + 1)
    return {
      key: `${key} ${count}`,
      kind: "person",
      path,
      label: type,
      input: "",
      output: shownText(content),
      isFailed: false,
      record: position + 1,
    }
  })
  const keyed = [...lastAttempts].map(([key, call]) => ({ key, ...stepOfCall(call) }))
  const end = Number.POSITIVE_INFINITY
  return [...keyed, ...answers].sort(
    (one, other) => (one.record ?? end) - (other.record ?? end) || 0,
  )
}

function stepOfCall({ known, result, position }: PastCall): RunStep {
  const { kind, path, of } = known
  const request = requestOf(known) ?? {}
  return {
    kind: kind === "pause" ? "host" : kind,
    path,
    label: of ?? "",
    input: kind === "model" ? "" : shownText(request["arguments"] ?? request["input"] ?? ""),
    output: result === null ? "" : resultText(kind, result),
    isFailed: result?.ok === false,
    record: position === null ? null : position + 1,
  }
}

function resultText(kind: string, result: Envelope): string {
  if (!result.ok) return shownText(result.error.message)
  if (kind !== "model") return shownText(result.value)
  // The result of a model call is a model response.
  const { content, toolCalls } = result.value as ModelAnswer
  const calls = toolCalls.map(({ name, args }) => `${name}(${JSON.stringify(args)})`)
  return shownText([...(content === null || content === "" ? [] : [content]), ...calls].join("\n"))
}

function shownText(value: unknown): string {
  const text = typeof value === "string" ? value : JSON.stringify(value)
  return text.length <= most.characters ? text : `${text.slice(0, most.characters)}…`
}

/**
 * Matches each step of run A with the step of run B that has the same key. Steps that only run B
 * has are inserted after the common step that precedes them.
 */
function comparedSteps(a: readonly KeyedStep[], b: readonly KeyedStep[]): readonly ComparedStep[] {
  const inA = new Set(a.map(({ key }) => key))
  const inB = new Map(b.map((step) => [step.key, step]))
  /**
   * The steps that only run B has, by the key of the common step before them. The key is empty for
   * steps before the first common step.
   */
  const onlyB = new Map<string, KeyedStep[]>()
  let before = ""
  for (const step of b) {
    if (inA.has(step.key)) before = step.key
    else listIn(onlyB, before).push(step)
  }
  const added = (key: string): readonly ComparedStep[] =>
    (onlyB.get(key) ?? []).map((step) => ({ a: null, b: shownStep(step), isSame: false }))
  return [
    ...added(""),
    ...a.flatMap((step): readonly ComparedStep[] => {
      const other = inB.get(step.key) ?? null
      const isSame =
        other !== null &&
        step.input === other.input &&
        step.output === other.output &&
        step.isFailed === other.isFailed
      return [
        { a: shownStep(step), b: other === null ? null : shownStep(other), isSame },
        ...added(step.key),
      ]
    }),
  ]
}

const shownStep = ({ key: _key, ...step }: KeyedStep): RunStep => step

function listIn(lists: Map<string, KeyedStep[]>, key: string): KeyedStep[] {
  const list = lists.get(key) ?? []
  lists.set(key, list)
  return list
}
