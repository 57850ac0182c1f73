import { finishedOutcomes } from "../../policies/policy.js"
import type { ChartMachine, NamedAction, StateMeta } from "../../machines/contract/chart-machine.js"
import { systemKey } from "../../machines/data/system-keys.js"
import type { Outcome } from "../../machines/contract/run-event.js"
import type { ConditionOutcome, RunEffect, End, WrittenValue } from "../behavior/behavior.js"
import { occurrenceEffect } from "../behavior/behavior.js"
import { reportsOf } from "../behavior/deferred-writes.js"
import type { Flags } from "./machine-flags.js"
import { isExact, maximumOf, noteEscalation, without, withFlags } from "./machine-flags.js"
import type { NestedLocation, Setting } from "../behavior/setting.js"

/**
 * The data that the model checker needs to apply the actions of a machine. `metaOf` and
 * `locationOf` return the metadata and the location of the state with this path.
 */
export interface ActionContext {
  readonly machine: ChartMachine
  readonly metaOf: (path: string) => StateMeta | null
  readonly locationOf: (path: string) => NestedLocation
  readonly setting: Setting
}

interface Applied {
  readonly flags: Flags
  readonly effects: readonly RunEffect[]
}

/**
 * Applies the actions of a transition or state in order. Returns one result for each combination of
 * condition results. Skips actions without an effect that the policy can observe.
 */
export function applyActions(
  actions: readonly NamedAction[],
  flags: Flags,
  end: End,
  context: ActionContext,
): readonly Applied[] {
  let results: readonly Applied[] = [{ flags, effects: [] }]
  for (const { type, params = {} } of actions) {
    const apply = Object.hasOwn(updates, type) ? updates[type] : undefined
    if (apply === undefined) continue
    results = results.flatMap((before) =>
      apply(before.flags, params, end, context).map((one) => ({
        flags: one.flags,
        effects: one.effects.length === 0 ? before.effects : [...before.effects, ...one.effects],
      })),
    )
  }
  return results
}

type Params = Readonly<Record<string, unknown>>
type Apply = (flags: Flags, params: Params, end: End, context: ActionContext) => readonly Applied[]

const text = (params: Params, name: string): string => String(params[name])
const only = (flags: Flags, effects: readonly RunEffect[] = []): readonly Applied[] => [
  { flags, effects },
]

/**
 * Returns the agent of a state, and the agents and tool calls that enclose the state. Events and
 * writes contain these fields.
 */
function describe(place: string, { metaOf, locationOf }: ActionContext) {
  const meta = metaOf(place)
  const { within } = locationOf(place)
  const agent = meta?.agent ?? ""
  const activity = within.at(-1)
  return { meta, agent, within, ...(activity !== undefined && { activity }) }
}

const started = (place: string, context: ActionContext): RunEffect => {
  const { meta: _, agent, ...frames } = describe(place, context)
  return occurrenceEffect({ kind: "start", name: agent, agent, ...frames })
}

const finishedAs = (
  outcome: Outcome,
  place: string,
  context: ActionContext,
): readonly RunEffect[] => {
  const { meta, agent, ...frames } = describe(place, context)
  if (meta === null || meta.team === true || meta.callbacks === true) return []
  const { outputKey } = meta
  const writes = finishedOutcomes.includes(outcome)
  return [
    ...(writes && outputKey !== undefined
      ? writeOf(outputKey, { type: "text" }, place, context)
      : []),
    occurrenceEffect({ kind: "finish", name: agent, agent, ...frames, outcome }),
  ]
}

const writeOf = (
  key: string,
  value: WrittenValue,
  place: string,
  context: ActionContext,
): readonly RunEffect[] => {
  if (!context.setting.keys.has(key)) return []
  const { agent, within } = describe(place, context)
  return [{ type: "write", key, value, by: { agent, within } }]
}

/**
 * Returns the effects that report the writes of a container's children to the policy. The keys are
 * in `end.wrote`. The container emits the write events when it merges the changes of its children.
 */
const reported = (place: string, end: End, context: ActionContext): readonly RunEffect[] => {
  if (end.wrote.length === 0) return []
  const { agent, within } = describe(place, context)
  return reportsOf(end.wrote, { agent, within }, context.setting)
}

const joined = (
  outcome: Outcome,
  flags: Flags,
  params: Params,
  end: End,
  context: ActionContext,
): readonly Applied[] => {
  const place = text(params, "place")
  return only(without(flags, "someEscalated", "someFailed"), [
    ...reported(place, end, context),
    ...finishedAs(outcome, place, context),
  ])
}

const value = (known: unknown): WrittenValue => ({ type: "value", value: known })

const checked =
  (isInside: boolean): Apply =>
  (flags, params, _end, { metaOf, machine, setting }) => {
    const place = text(params, "place")
    const meta = metaOf(place)
    const loop = isInside ? place : (meta?.loops.at(-1) ?? null)
    const iteration =
      loop === null
        ? null
        : isExact(maximumOf(machine, loop), setting)
          ? Number(flags[`loop ${loop}`] ?? 0)
          : "unknown"
    const source = text(params, "condition")
    const results: readonly ConditionOutcome[] = ["holds", "fails", "raises"]
    return results.map((result) => ({
      flags: withFlags(flags, {
        check:
          result === "raises" && setting.chart.settings.onConditionError === "continue"
            ? "fails"
            : result,
      }),
      effects: [{ type: "condition", source, result, iteration }],
    }))
  }

const updates: Readonly<Record<string, Apply>> = {
  enterAgent: (flags, params, _end, context) =>
    only(flags, [started(text(params, "place"), context)]),
  forkBranches: (flags, params, _end, context) =>
    only(flags, [started(text(params, "place"), context)]),
  enterCustom: (flags, params, _end, context) =>
    only(flags, [started(text(params, "place"), context)]),
  enterTeam: (flags, params) => {
    const team = text(params, "place")
    return only(without(flags, `active ${team}`, `handoffs ${team}`))
  },
  enterLoop: (flags, params, _end, context) => {
    const place = text(params, "place")
    return only(without(flags, `loop ${place}`, `escalated ${place}`), [
      ...writeOf(systemKey.loopExitReason, { type: "removed" }, place, context),
      started(place, context),
      ...writeOf(systemKey.loopIteration, value(0), place, context),
    ])
  },
  nextIteration: (flags, params, _end, context) => {
    const place = text(params, "place")
    const exact = isExact(maximumOf(context.machine, place), context.setting)
    const iteration = Number(flags[`loop ${place}`] ?? 0) + 1
    if (iteration > context.setting.highestCount) return []
    const { meta: _, agent, ...frames } = describe(place, context)
    return only(exact ? withFlags(flags, { [`loop ${place}`]: iteration }) : flags, [
      occurrenceEffect({ kind: "iterated", name: agent, agent, ...frames }),
      ...writeOf(
        systemKey.loopIteration,
        exact ? value(iteration) : { type: "any" },
        place,
        context,
      ),
    ])
  },
  checkWhen: checked(false),
  checkExitCondition: checked(true),
  endLoop: (flags, params, _end, context) => {
    const place = text(params, "place")
    return only(without(flags, `loop ${place}`, `escalated ${place}`), [
      ...writeOf(systemKey.loopExitReason, value(text(params, "reason")), place, context),
    ])
  },
  noteEscalation: (flags, params, _end, { metaOf }) =>
    only(noteEscalation(flags, metaOf(text(params, "place")))),
  applyResult: (flags, params, end, context) => {
    const place = text(params, "place")
    const noted = end.escalates ? noteEscalation(flags, context.metaOf(place)) : flags
    const answered = { answered: end.answeredByTool ? 1 : 0 }
    return only(withFlags(noted, answered), reported(place, end, context))
  },
  finishAgent: (flags, params, _end, context) =>
    only(flags, finishedAs("done", text(params, "place"), context)),
  joinBranches: (flags, params, end, context) =>
    joined(flags["someEscalated"] === 1 ? "escalated" : "done", flags, params, end, context),
  failBranches: (flags, params, end, context) => joined("failed", flags, params, end, context),
  failJoin: (flags, params, end, context) => joined("failed", flags, params, end, context),
  leave: (flags, params, end, context) => {
    const upTo = text(params, "upTo")
    // The compiler writes outcomes here.
    const outcome = text(params, "outcome") as Outcome
    const effects: RunEffect[] = []
    let path = text(params, "place")
    while (path.includes(".")) {
      path = path.slice(0, path.lastIndexOf("."))
      if (path === upTo && upTo !== "") break
      const meta = context.metaOf(path)
      if (meta === null) continue
      if (meta.branches !== undefined) {
        const name = `${context.locationOf(path).id}.`
        effects.push(occurrenceEffect({ kind: "dropped", name, agent: "", within: [] }))
        effects.push(...reported(path, end, context))
      }
      if (meta.kind === "LoopAgent" && outcome === "escalated")
        effects.push(...writeOf(systemKey.loopExitReason, value("escalate"), path, context))
      effects.push(...finishedAs(outcome, path, context))
    }
    return only(flags, effects)
  },
  handOff: (flags, params, _end, context) => {
    const [team, from, to] = [text(params, "team"), text(params, "from"), text(params, "to")]
    const { meta: _, agent, within } = describe(from, context)
    const target = context.metaOf(to)?.agent ?? ""
    const count = Number(flags[`handoffs ${team}`] ?? 0) + 1
    if (count > context.setting.highestCount) return []
    const exact = isExact(context.setting.chart.settings.maxHandoffs, context.setting)
    return only(
      withFlags(flags, {
        ...(params["activates"] !== false && { [`active ${team}`]: to }),
        ...(exact && { [`handoffs ${team}`]: count }),
      }),
      [occurrenceEffect({ kind: "handoff", name: target, agent, within })],
    )
  },
  returnToParent: (flags, params) => only(without(flags, `active ${text(params, "team")}`)),
  finishInvocation: (flags, _params, _end, _context) =>
    only(flags, [occurrenceEffect({ kind: "run", name: "completed", agent: "", within: [] })]),
  beginInvocation: (flags, params, _end, context) => {
    const place = text(params, "place")
    return only(without(flags, `handoffs ${place}`, "escalates", "answered"), [
      occurrenceEffect({ kind: "message", name: "", agent: "", within: [] }),
      ...writeOf(systemKey.userMessageCount, { type: "any" }, place, context),
      ...writeOf(systemKey.cycleCount, { type: "any" }, place, context),
    ])
  },
  beginCycle: (flags, params, _end, context) => {
    const place = text(params, "place")
    const exact = isExact(context.setting.chart.settings.maxOrchestrationCycles, context.setting)
    const cycles = Number(flags["cycles"] ?? 0) + 1
    if (cycles > context.setting.highestCount) return []
    return only(
      withFlags(without(flags, `handoffs ${place}`), exact ? { cycles } : {}),
      writeOf(systemKey.cycleCount, { type: "any" }, place, context),
    )
  },
  answerInstead: (flags, params, _end, context) => {
    const place = text(params, "place")
    return only(flags, [started(inside(place, context), context), ...finishedInner(place, context)])
  },
  replaceText: (flags, params, _end, context) => {
    const place = text(params, "place")
    const outputKey = context.metaOf(place)?.outputKey
    return only(
      flags,
      outputKey === undefined ? [] : writeOf(outputKey, { type: "text" }, place, context),
    )
  },
  applyCallbacks: (flags, params, end, { metaOf }) =>
    only(end.escalates ? noteEscalation(flags, metaOf(text(params, "place"))) : flags),
  applyHostCode: (flags, params, end, { metaOf }) =>
    only(end.escalates ? noteEscalation(flags, metaOf(text(params, "place"))) : flags),
}

/**
 * Returns the path of the state that represents a container. If a container has callbacks, `place`
 * is an outer state that also runs the callbacks. The container is a state inside it.
 */
const inside = (place: string, { metaOf }: ActionContext): string => {
  const meta = metaOf(place)
  const inner = `${place}.${place.slice(place.lastIndexOf(".") + 1)}`
  return meta?.callbacks === true && metaOf(inner) !== null ? inner : place
}

const finishedInner = (place: string, context: ActionContext): readonly RunEffect[] =>
  finishedAs("done", inside(place, context), context)
