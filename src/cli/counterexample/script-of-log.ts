import type { JsonObject } from "../../machines/data/json-object.js"
import type { AnswerEntry } from "../answers/answer-script.js"
import type { AnsweredCall, AnsweredCallKind, PlayLog } from "./play-log.js"
import type { StubCalls, StubStep, Stubs } from "./stub-module.js"
import { stubModule } from "./stub-module.js"

/** Files and inputs with which the command `run` reproduces a counterexample. */
export interface Play {
  readonly scenario: {
    readonly llm: Readonly<Record<string, readonly JsonObject[]>>
    readonly tools: Readonly<Record<string, readonly JsonObject[]>>
  }
  readonly answers: readonly AnswerEntry[]
  readonly state: JsonObject
  readonly prompt: string
  /**
   * Source code of a module with stubs for host functions, toolsets and models. Null if the chart
   * needs no stubs.
   */
  readonly services: string | null
}

/**
 * Time between two scripted answers that must arrive in a fixed order, in milliseconds. `answerMs`
 * is the assumed duration of an answer without a delay.
 */
const pauseMs = 120
const answerMs = 25

/**
 * Services of a chart that are replaced by stubs (generated functions) to reproduce a
 * counterexample.
 */
export interface StubbedServices {
  /** Tool names of each toolset, by service name of the toolset. */
  readonly toolsetLists: Readonly<Record<string, readonly string[]>>
  /** Default action of each host function, by function name. */
  readonly functions: Readonly<Record<string, StubStep>>
  readonly models: readonly string[]
  /** Names of the XState machines that MachineAgents of the chart run. */
  readonly machines: readonly string[]
  /** Returns the maximum number of attempts for a model call of an agent. */
  readonly attemptsOf: (agent: string) => number
}

/**
 * Returns the scenario, answers and other files with which the command `run` repeats a run. Delays
 * keep the order of the scripted answers. Unanswered calls stay open for `late` additional
 * milliseconds, so that a timeout passes.
 */
export function scriptOfLog(
  { calls, answers }: PlayLog,
  about: Pick<Play, "state" | "prompt">,
  { toolsetLists, functions, models, machines, attemptsOf }: StubbedServices,
  late: number,
): Play {
  const delays = delaysOf(calls, late)
  const of = (kind: AnsweredCallKind): readonly AnsweredCall[] =>
    calls.filter((one) => one.kind === kind)
  const entries = (kind: "model" | "tool"): Readonly<Record<string, readonly JsonObject[]>> =>
    Object.fromEntries(
      [...groupBy(of(kind), ({ id }) => id)].map(([id, list]) => [
        id,
        list.flatMap((one) => {
          const answer = delayed(one.answer as JsonObject, delays.get(one) ?? 0)
          const isRepeated = kind === "model" && isRetried(answer)
          return Array.from({ length: isRepeated ? attemptsOf(id) : 1 }, () => answer)
        }),
      ]),
    )
  const callsOf = (kind: "function" | "listed", id: string): StubCalls =>
    [
      ...groupBy(
        of(kind).filter((one) => one.id === id),
        ({ call }) => call,
      ).values(),
    ].map((steps) => steps.map((one) => delayed(one.answer as StubStep, delays.get(one) ?? 0)))
  const stubs: Stubs = {
    functions: Object.fromEntries(
      Object.entries(functions).map(([name, otherwise]) => [
        name,
        { calls: callsOf("function", name), otherwise },
      ]),
    ),
    toolsets: Object.fromEntries(
      Object.entries(toolsetLists).map(([name, lists]) => [
        name,
        {
          lists,
          calls: Object.fromEntries(
            lists.map((tool) => [tool, callsOf("listed", JSON.stringify([name, tool]))]),
          ),
        },
      ]),
    ),
    models,
    machines,
  }
  const hasStubs =
    Object.keys(functions).length +
      Object.keys(toolsetLists).length +
      models.length +
      machines.length >
    0
  return {
    scenario: { llm: entries("model"), tools: entries("tool") },
    answers,
    ...about,
    services: hasStubs ? stubModule(stubs) : null,
  }
}

/**
 * Returns whether a model call that receives this scripted response is retried, if attempts are
 * left.
 */
const isRetried = ({ httpStatus, malformed }: JsonObject): boolean =>
  malformed !== undefined ||
  (typeof httpStatus === "number" &&
    (httpStatus === 408 || httpStatus === 429 || httpStatus >= 500))

function groupBy<Value>(
  values: readonly Value[],
  keyOf: (value: Value) => string,
): ReadonlyMap<string, readonly Value[]> {
  const groups = new Map<string, Value[]>()
  for (const value of values) {
    const group = groups.get(keyOf(value))
    if (group === undefined) groups.set(keyOf(value), [value])
    else group.push(value)
  }
  return groups
}

function delaysOf(calls: readonly AnsweredCall[], late: number): ReadonlyMap<AnsweredCall, number> {
  const delays = new Map<AnsweredCall, number>()
  const ordered = calls
    .filter(({ answered }) => answered !== null)
    .sort((one, other) => (one.answered ?? 0) - (other.answered ?? 0))
  /** Time at which the run receives each answer, in milliseconds after the start of the run. */
  const times: number[] = []
  const timeOfRequest = ({ since }: AnsweredCall): number =>
    since === 0 ? 0 : (times[since - 1] ?? 0)
  for (const one of ordered) {
    const index = one.answered ?? 0
    const asked = timeOfRequest(one)
    const isFirst = one.since === index
    const time = isFirst ? asked + answerMs : Math.max(times[index - 1] ?? 0, asked) + pauseMs
    times[index] = time
    if (!isFirst) delays.set(one, time - asked)
  }
  const end = Math.max(0, ...times) + late
  // Requests without an answer stay open until the run has ended.
  for (const one of calls)
    if (one.answered === null) delays.set(one, end - timeOfRequest(one) + 5 * pauseMs)
  return delays
}

const delayed = <Answer extends JsonObject | StubStep>(answer: Answer, delayMs: number): Answer =>
  delayMs === 0 ? answer : { ...answer, delayMs }
