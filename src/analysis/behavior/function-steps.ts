import type { Occurrence } from "../../policies/occurrence.js"
import { systemKeys } from "../../machines/data/system-keys.js"
import type { FunctionPermissions } from "../../policies/policy.js"
import { namedTools } from "../../policies/named-tools.js"
import type { FunctionAct } from "./act.js"
import { functionAct } from "./act.js"
import type { RunEffect } from "./behavior.js"
import { responseEffect, occurrenceEffect } from "./behavior.js"
import type { NestedLocation, Setting } from "./setting.js"
import { declarationOf } from "./setting.js"

/**
 * One possible execution of a host function, with its effects until it returns or throws. `does` is
 * a sentence about the execution. It is null if the function writes no key and calls no tool.
 */
export interface FunctionRun {
  readonly effects: readonly RunEffect[]
  readonly does: string | null
}

/**
 * Returns the possible executions of a host function (a function that you register). A function
 * that the policy file declares writes at most its declared keys. For other functions,
 * `setting.undeclared` defines the possible effects.
 */
export function functionRuns(
  service: string,
  agent: string,
  location: NestedLocation,
  setting: Setting,
  runs: readonly string[] = [],
): readonly FunctionRun[] {
  const declared = declarationOf(setting, service)
  return declared === null
    ? undeclaredRuns(service, agent, location, setting, runs)
    : declaredRuns(declared, service, agent, location, setting)
}

function declaredRuns(
  { mayWrite }: FunctionPermissions,
  service: string,
  agent: string,
  location: NestedLocation,
  setting: Setting,
): readonly FunctionRun[] {
  const writes = mayWrite.filter((key) => setting.keys.has(key))
  const chosen: readonly (readonly string[])[] = [
    [],
    ...writes.map((key) => [key]),
    ...(writes.length > 1 ? [writes] : []),
  ]
  return chosen.map((keys) => ({
    effects: [
      responseEffect(functionAct(service, agent, { writes: keys })),
      ...keys.map((key) => writeOf(key, agent, location)),
    ],
    does: keys.length === 0 ? null : `The function "${service}" writes ${keys.join(", ")}.`,
  }))
}

/**
 * Returns an effect for each tool that a host function calls, according to its declaration
 * `mayCall`. Each start of the function counts as one call of each of these tools.
 */
export function functionStart(
  service: string,
  agent: string,
  location: NestedLocation,
  setting: Setting,
): readonly RunEffect[] {
  const { mayCall = [] } = declarationOf(setting, service) ?? {}
  return mayCall.flatMap((tool) => readable(callOccurrence(tool, agent, location), setting))
}

function undeclaredRuns(
  service: string,
  agent: string,
  location: NestedLocation,
  setting: Setting,
  runs: readonly string[],
): readonly FunctionRun[] {
  const use = { name: service, of: "function", capability: null, runs } as const
  const act = responseEffect(functionAct(service, agent))
  const plain: FunctionRun = { effects: [act, { type: "function", use }], does: null }
  if (setting.undeclared === "helpful") return [plain]
  const tools = [
    ...new Set([...Object.keys(setting.chart.tools), ...namedTools(setting.policy)]),
  ].filter((name) => readable(callOccurrence(name, agent, location), setting).length > 0)
  const calls = callSequences(tools, setting).map((sequence): FunctionRun => ({
    effects: [
      { type: "function", use: { ...use, capability: `call ${sequence[0] ?? ""}` } },
      ...sequence.map((tool) => occurrenceEffect(callOccurrence(tool, agent, location))),
    ],
    does: `The function "${service}" calls ${sequence.join(", ")}.`,
  }))
  const writes = [...setting.keys]
    .filter((key) => !systemKeys.has(key))
    .map((key): FunctionRun => ({
      effects: [
        { type: "function", use: { ...use, capability: `write ${key}` } },
        writeOf(key, agent, location),
      ],
      does: `The function "${service}" writes ${key}.`,
    }))
  return [plain, ...calls, ...writes]
}

/**
 * Returns the sequences of tool calls that an undeclared function can make in one execution. For an
 * `atMost` policy, each sequence contains enough calls of a tool to violate the policy. For an
 * `after` policy, which forbids a call after another event, the result also contains sequences of
 * two calls.
 */
function callSequences(
  tools: readonly string[],
  { policy: { rule } }: Setting,
): readonly (readonly string[])[] {
  if (rule.pattern === "atMost")
    return tools.map((tool) => Array.from({ length: rule.most + 1 }, () => tool))
  const single = tools.map((tool) => [tool])
  return rule.pattern === "after"
    ? [...single, ...tools.flatMap((first) => tools.map((second) => [first, second]))]
    : single
}

/**
 * Maximum number of combinations to explore if several functions run one after the other and each
 * has several possible executions. If there are more, at most one function has effects in each
 * explored combination.
 */
const maxCombinations = 64

/**
 * Returns the possible executions of several functions that run one after the other. If there are
 * few combinations, returns all of them. Otherwise, at most one function has effects in each
 * execution.
 */
export function functionSequence(
  services: readonly string[],
  agent: string,
  location: NestedLocation,
  setting: Setting,
): readonly FunctionRun[] {
  const lists = services.map((service) => {
    const start = functionStart(service, agent, location, setting)
    return functionRuns(service, agent, location, setting).map(({ effects, does }) => ({
      effects: [...start, ...effects],
      does,
    }))
  })
  return runsInOrder(lists)
}

/**
 * Combines the possible executions of several functions that run in order. Each list belongs to one
 * function, and its first execution has no optional effects. A combination contains one execution
 * from each list. If there are too many combinations, at most one function in each combination has
 * optional effects.
 */
export function runsInOrder(lists: readonly (readonly FunctionRun[])[]): readonly FunctionRun[] {
  const isSmall = lists.reduce((product, { length }) => product * length, 1) <= maxCombinations
  if (isSmall)
    return lists.reduce<readonly FunctionRun[]>(
      (all, list) => all.flatMap((one) => list.map((other) => joinRuns([one, other]))),
      [{ effects: [], does: null }],
    )
  // The first run of each list has no optional effects.
  const plain = lists.flatMap(([first]) => first ?? [])
  return [
    joinRuns(plain),
    ...lists.flatMap((list, index) =>
      list
        .slice(1)
        .map((run) => joinRuns(plain.map((one, position) => (position === index ? run : one)))),
    ),
  ]
}

/**
 * Returns whether a host function can have a certain effect, for example an escalation. `isAllowed`
 * returns whether the policy file allows the effect for a declared function. An undeclared function
 * can have the effect if `setting.undeclared` is `anything`.
 */
export const canDo = (
  service: string,
  setting: Setting,
  isAllowed: (declared: FunctionPermissions) => boolean,
): boolean => {
  const declared = declarationOf(setting, service)
  return declared === null ? setting.undeclared === "anything" : isAllowed(declared)
}

/**
 * Returns an effect which records the assumption that the undeclared function `name` has a
 * capability, such as `call edit_page`. Returns an empty list for a declared function.
 */
export const assumed = (name: string, capability: string, setting: Setting): readonly RunEffect[] =>
  declarationOf(setting, name) === null
    ? [{ type: "function", use: { name, of: "function", capability, runs: [] } }]
    : []

/**
 * Replaces fields in the last `FunctionAct` of the effects, for example `ends`, and returns the new
 * effects.
 */
export function withFunctionResult(
  effects: readonly RunEffect[],
  changes: Partial<FunctionAct>,
): readonly RunEffect[] {
  const last = effects.findLastIndex(
    (effect) => effect.type === "act" && effect.act.by === "function",
  )
  return effects.map((effect, index) =>
    index === last && effect.type === "act" && effect.act.by === "function"
      ? responseEffect({ ...effect.act, ...changes })
      : effect,
  )
}

/** Sets the field `tool` in each `FunctionAct` of the effects, and returns the new effects. */
export const withTool = (effects: readonly RunEffect[], tool: string): readonly RunEffect[] =>
  effects.map((effect) =>
    effect.type === "act" && effect.act.by === "function"
      ? responseEffect({ ...effect.act, tool })
      : effect,
  )

const joinRuns = (runs: readonly FunctionRun[]): FunctionRun => ({
  effects: runs.flatMap(({ effects }) => effects),
  does: runs.findLast(({ does }) => does !== null)?.does ?? null,
})

const callOccurrence = (tool: string, agent: string, location: NestedLocation): Occurrence => ({
  kind: "call",
  name: tool,
  agent,
  within: location.within,
  approved: false,
})

const readable = (occurrence: Occurrence, { automaton }: Setting): RunEffect[] =>
  automaton.reads(occurrence) ? [occurrenceEffect(occurrence)] : []

const writeOf = (key: string, agent: string, location: NestedLocation): RunEffect => ({
  type: "write",
  key,
  value: { type: "any" },
  by: { agent, within: location.within },
})
