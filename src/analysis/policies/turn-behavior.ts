import { serviceOfHook } from "../../machines/contract/hook-use.js"
import { onExpiryOf } from "../../machines/requests/expiry.js"
import { systemKey } from "../../machines/data/system-keys.js"
import type { ModelSignal } from "../../policies/policy.js"
import type { Outcome } from "../../machines/contract/run-event.js"
import type { Behavior, Control, Effect, Move, Variant, WrittenValue } from "./behavior.js"
import { after, ended, endWith, goesTo, occurs, recorded } from "./behavior.js"
import { functionRuns, functionStart } from "./function-steps.js"
import type { RunPlace, Setting } from "./setting.js"
import { declarationOf, largestCounter } from "./setting.js"
import type { CallOutcome, CallStep, OpenCall } from "./turn-calls.js"
import { callRules } from "./turn-calls.js"
import { isRelevant, toolsOf } from "./turn-tools.js"
import type { LlmDefinition } from "./turn-tools.js"

/** What ends the turn when all calls of a response have ended; null: the model is asked again. */
type Following = "exited" | "escalated" | "user" | { readonly transfersTo: string } | null

interface TurnControl extends Control {
  readonly phase: "before" | "asking" | "approving" | "calling" | "user" | "budget" | "after"
  readonly calls: readonly OpenCall[]
  readonly following: Following
  readonly outcome: CallOutcome
  /** Model calls since a person answered; null if the maximum is too large to count. */
  readonly turnCalls: number | null
  /** Only in the phase `after`: how the turn ends, and whether it has a text. */
  readonly ending: {
    readonly signal: Outcome
    readonly writes: boolean
    readonly answered: boolean
  } | null
}

const nothingDecided: CallOutcome = {
  escalates: false,
  answered: false,
  transfersTo: null,
  failed: false,
  limited: false,
}

/**
 * Returns the behavior of one turn of an LlmAgent: every response of its model, every call of its
 * tools and every answer of a person (docs/policies.md#what-a-verdict-covers). Tools that do not
 * matter to the policy are left out, because their calls change nothing that it reads.
 */
export function turnBehavior(
  agent: string,
  place: RunPlace,
  setting: Setting,
): Behavior<TurnControl> {
  const { chart } = setting
  // The compiler gives every position of an LlmAgent a definition.
  const definition = chart.agents[agent] as LlmDefinition
  const { adk, byName, outputKey } = definition
  const hooks = adk?.hooks ?? {}
  const services = (uses: typeof hooks.beforeAgent = []): readonly string[] =>
    uses.map(serviceOfHook)
  const early = [
    ...services(hooks.beforeAgent),
    ...[adk?.globalInstructionService, adk?.instructionService].filter(
      (name) => name !== undefined,
    ),
  ]
  const late = services(hooks.afterAgent)
  const aroundModel = [
    ...services(hooks.beforeModel),
    ...services(hooks.afterModel),
    ...services(hooks.onModelError),
  ]
  const tools = toolsOf(agent, setting).filter((tool) => isRelevant(tool, agent, place, setting))
  const calls = callRules(agent, tools, place, setting)
  const base = { agent, within: place.within }
  const self = place.within.at(-1)
  const model = definition.endpoint?.url ?? definition.model ?? ""
  const { maxModelCallsPerTurn } = chart.settings
  const exactTurns = maxModelCallsPerTurn <= largestCounter
  const asksBudget =
    chart.settings.budget?.onExceeded === "ask" || definition.budget?.onExceeded === "ask"
  const mayPassLimit = definition.budget !== undefined || chart.settings.budget !== undefined

  const control = (
    phase: TurnControl["phase"],
    turnCalls: number | null,
    changes: Partial<Omit<TurnControl, "key" | "phase" | "turnCalls">> = {},
  ): TurnControl => {
    const { calls: open = [], following = null, outcome = nothingDecided, ending = null } = changes
    const parts = [
      phase,
      open.map(({ tool, stage, approved, inner, result }) => [
        tool,
        stage,
        approved ? 1 : 0,
        inner?.key ?? "",
        result,
      ]),
      following,
      outcome === nothingDecided ? 0 : Object.values(outcome),
      turnCalls,
      ending,
    ]
    return {
      key: JSON.stringify(parts),
      phase,
      calls: open,
      following,
      outcome,
      turnCalls,
      ending,
    }
  }

  const modelOccurrence: Effect = occurs({ kind: "model", name: model, ...base })
  const meter = (is: "call" | "limit"): Effect => ({ type: "meter", is })

  /** Returns the variants of asking the model: the call is made, or a limit refuses it. */
  const ask = (
    turnCalls: number | null,
    effects: readonly Effect[],
  ): readonly Variant<TurnControl>[] => {
    const count = exactTurns ? (turnCalls ?? 0) + 1 : null
    const refused: Variant<TurnControl> = asksBudget
      ? goesTo(control("budget", count), [...effects, meter("limit")])
      : finishNow("limited", [...effects, meter("limit")])
    return [
      goesTo(control("asking", count), [...effects, meter("call"), modelOccurrence]),
      refused,
      ...(mayPassLimit ? [finishNow("limited", effects)] : []),
    ]
  }

  const finish = (outcome: Outcome): Effect =>
    occurs({
      kind: "finish",
      name: agent,
      ...base,
      outcome,
      ...(self !== undefined && { activity: self }),
    })

  const finishNow = (
    signal: Outcome,
    effects: readonly Effect[] = [],
    other: { readonly handoffTo?: string; readonly answeredByTool?: boolean } = {},
  ): Variant<TurnControl> => ended(endWith(signal, other), [...effects, finish(signal)])

  const write = (value: WrittenValue): readonly Effect[] =>
    outputKey !== null && setting.keys.has(outputKey)
      ? [{ type: "write", key: outputKey, value, by: base }]
      : []

  const textValue: WrittenValue = { type: adk?.outputSchema != null ? "any" : "text" }

  /** Returns the variants in which a turn ends well: after its callbacks, with and without text. */
  const endTurn = (
    signal: "done" | "exited" | "escalated",
    effects: readonly Effect[],
    answered = false,
  ): readonly Variant<TurnControl>[] => {
    const texts = write(textValue).length > 0 ? [true, false] : [false]
    return texts.map((writes) =>
      late.length > 0
        ? goesTo(control("after", null, { ending: { signal, writes, answered } }), effects)
        : finishNow(signal, [...effects, ...(writes ? write(textValue) : [])], {
            answeredByTool: answered,
          }),
    )
  }

  const awaitUser = (
    turnCalls: number | null,
    effects: readonly Effect[],
  ): readonly Variant<TurnControl>[] =>
    [...(write(textValue).length > 0 ? [write(textValue)] : []), []].map((written) =>
      goesTo(control("user", turnCalls), [...effects, ...written]),
    )

  /** Returns the next state of a turn whose calls have these states. */
  const settle = (
    { turnCalls, following }: TurnControl,
    open: readonly OpenCall[],
    outcome: CallOutcome,
    effects: readonly Effect[],
  ): readonly Variant<TurnControl>[] => {
    const drop = dropped(open)
    if (outcome.failed) return [finishNow("failed", [...effects, ...drop])]
    if (outcome.limited) return [finishNow("limited", [...effects, ...drop])]
    if (open.some(({ stage }) => stage !== "done"))
      return [goesTo(control("calling", turnCalls, { calls: open, following, outcome }), effects)]
    if (following === "exited") return endTurn("exited", effects)
    if (outcome.escalates || following === "escalated") return endTurn("escalated", effects)
    const target =
      outcome.transfersTo ??
      (typeof following === "object" ? (following?.transfersTo ?? null) : null)
    if (target !== null) return [finishNow("handedOff", effects, { handoffTo: target })]
    if (outcome.answered) return endTurn("done", effects, true)
    if (following === "user") return awaitUser(turnCalls, effects)
    const limit = finishNow("limited", effects)
    if (!exactTurns) return [...ask(turnCalls, effects), limit]
    return (turnCalls ?? 0) >= maxModelCallsPerTurn ? [limit] : ask(turnCalls, effects)
  }

  /** Calls that are still at work are dropped with their activities when the turn ends. */
  const dropped = (open: readonly OpenCall[]): readonly Effect[] =>
    open.some(({ stage }) => stage !== "done")
      ? [occurs({ kind: "dropped", name: `${place.id}#`, agent, within: [] })]
      : []

  /** Returns the states in which the calls of a response have just begun. */
  const beginCalls = (
    state: TurnControl,
    chosen: readonly number[],
    following: Following,
    approved: boolean,
  ): readonly Variant<TurnControl>[] => {
    let begun: readonly {
      readonly effects: readonly Effect[]
      readonly steps: readonly CallStep[]
    }[] = [{ effects: [], steps: [] }]
    for (const [slot, tool] of chosen.entries())
      begun = begun.flatMap(({ effects, steps }) =>
        calls.begin(tool, slot, approved).map((step) => ({
          effects: [...effects, ...step.effects],
          steps: [...steps, step],
        })),
      )
    return begun.flatMap(({ effects, steps }) =>
      settle(
        { ...state, following },
        steps.map(({ call }) => call),
        steps.reduce((all, { outcome }) => merge(all, outcome), nothingDecided),
        effects,
      ),
    )
  }

  const choices = callChoices(tools.length, setting.concurrentCalls)
  const namesOf = (chosen: readonly number[]): string =>
    chosen.map((tool) => tools[tool]?.name ?? "").join(" and ")

  /** Returns what can follow a response with calls, besides asking the model again. */
  const followings = (): readonly { readonly following: Following; readonly says: string }[] => [
    { following: null, says: "" },
    ...(allows("exitFlow") ? [{ following: "exited" as const, says: ", with exitFlow" }] : []),
    ...(allows("escalate") ? [{ following: "escalated" as const, says: ", with escalate" }] : []),
    ...(allows("waitForUserInput")
      ? [{ following: "user" as const, says: ", and waits for the user" }]
      : []),
    ...definition.transferTargets.map((target) => ({
      following: { transfersTo: target },
      says: `, and transfers to ${target}`,
    })),
  ]

  const allows = (signal: ModelSignal): boolean => setting.signals.has(signal)

  const responses = (state: TurnControl): readonly Move<TurnControl>[] => {
    const tell = (
      variants: readonly Variant<TurnControl>[],
      does: string,
    ): readonly Move<TurnControl>[] => variants.map((variant) => recorded(variant, agent, does))
    const mayBeFinal =
      byName?.endsRun !== true ||
      allows("exitFlow") ||
      allows("escalate") ||
      allows("waitForUserInput")
    return [
      ...(mayBeFinal ? tell(endTurn("done", []), `${agent} answers.`) : []),
      ...(byName?.endsRun === true
        ? tell(endTurn("exited", []), `${agent} answers, which ends the run.`)
        : []),
      ...followings().flatMap(({ following, says }) =>
        choices.flatMap((chosen) =>
          chosen.length === 0 && following === null
            ? // A call of a tool that does not matter, or that does not exist.
              tell(settle(state, [], nothingDecided, []), `${agent} calls something else.`)
            : tell(
                chosen.length === 0
                  ? endWithout(state, following)
                  : beginCalls(state, chosen, following, false),
                `${agent} ${chosen.length === 0 ? "answers" : `calls ${namesOf(chosen)}`}${says}.`,
              ),
        ),
      ),
      ...(allows("hitlRequest")
        ? choices.map((chosen) =>
            recorded(
              goesTo(control("approving", state.turnCalls, { calls: proposed(chosen) })),
              agent,
              `${agent} asks a person for approval${chosen.length === 0 ? "" : ` of ${namesOf(chosen)}`}.`,
            ),
          )
        : []),
      ...tell([finishNow("failed")], `The model of ${agent} fails.`),
    ]
  }

  const endWithout = (state: TurnControl, following: Following): readonly Variant<TurnControl>[] =>
    following === "exited" || following === "escalated"
      ? endTurn(following, [])
      : following === "user"
        ? awaitUser(state.turnCalls, [])
        : settle({ ...state, following }, [], nothingDecided, [])

  const proposed = (chosen: readonly number[]): readonly OpenCall[] =>
    chosen.map((tool) => ({ tool, stage: "judged", approved: false, inner: null, result: null }))

  /** Returns the answers of a person to a request for approval. */
  const approvals = (state: TurnControl): readonly Move<TurnControl>[] => {
    const chosen = state.calls.map(({ tool }) => tool)
    const request = (kind: "approval" | "rejection"): readonly Effect[] =>
      chosen.map((tool) => occurs({ kind, name: tools[tool]?.name ?? "", ...base }))
    const fresh = { ...state, turnCalls: exactTurns ? 0 : null }
    const about = chosen.length === 0 ? "" : ` ${namesOf(chosen)}`
    const onExpiry = onExpiryOf("approval", definition)
    return [
      ...after(request("approval"), beginCalls(fresh, chosen, null, true)).map((variant) =>
        recorded(variant, agent, `A person approves${about}.`),
      ),
      ...after(request("rejection"), ask(fresh.turnCalls, [])).map((variant) =>
        recorded(variant, agent, `A person rejects${about}.`),
      ),
      ...(definition.expiresInMs === null
        ? []
        : (onExpiry === "fail" ? [finishNow("failed")] : ask(state.turnCalls, [])).map((variant) =>
            recorded(variant, agent, "The request for approval expires."),
          )),
    ]
  }

  const userSteps = (state: TurnControl): readonly Move<TurnControl>[] => {
    const said: readonly Effect[] = [
      occurs({ kind: "answer", name: agent, ...base }),
      ...(setting.keys.has(systemKey.userMessageCount)
        ? [
            {
              type: "write",
              key: systemKey.userMessageCount,
              value: { type: "any" },
              by: base,
            } as const,
          ]
        : []),
    ]
    const onExpiry = onExpiryOf("input", definition)
    const unanswered =
      onExpiry === "fail"
        ? [finishNow("failed")]
        : onExpiry === "continue"
          ? [finishNow("done")]
          : ask(state.turnCalls, [])
    return [
      ...ask(exactTurns ? 0 : null, said).map((variant) =>
        recorded(variant, agent, "The user answers."),
      ),
      ...(definition.expiresInMs === null
        ? []
        : unanswered.map((variant) => recorded(variant, agent, "The request for input expires."))),
    ]
  }

  const callSteps = (state: TurnControl): readonly Move<TurnControl>[] =>
    state.calls.flatMap((call, slot) =>
      calls.steps(call, slot).flatMap((step) =>
        settle(
          state,
          state.calls.map((one, index) => (index === slot ? step.call : one)),
          merge(state.outcome, step.outcome),
          step.effects,
        ).map((variant) => ({
          ...variant,
          records: step.records,
          does: step.does,
          agent: step.agent,
        })),
      ),
    )

  /** Returns the steps of functions in order, and where a callback ends the turn. */
  const functions = (
    names: readonly string[],
    mayAnswer: readonly string[],
    onwards: (effects: readonly Effect[]) => readonly Variant<TurnControl>[],
    answered: (effects: readonly Effect[]) => readonly Variant<TurnControl>[],
  ): readonly Move<TurnControl>[] => {
    let runs: readonly { readonly effects: readonly Effect[]; readonly does: string | null }[] = [
      { effects: [], does: null },
    ]
    const found: Move<TurnControl>[] = []
    for (const [index, service] of names.entries()) {
      const declared = declarationOf(setting, service)
      runs = runs.flatMap((one) =>
        functionRuns(service, agent, place, setting).map((other) => ({
          effects: [
            ...one.effects,
            ...functionStart(service, agent, place, setting),
            ...other.effects,
          ],
          does: other.does ?? one.does,
        })),
      )
      const records = index + 1
      for (const { effects, does } of runs) {
        found.push({
          ...finishNow("failed", effects),
          records,
          does: does ?? `The function "${service}" throws.`,
          agent,
        })
        if (mayAnswer.includes(service) && declared?.mayAnswer !== false)
          for (const variant of answered(effects))
            found.push({
              ...variant,
              records,
              does: does ?? `The callback "${service}" answers in place of ${agent}.`,
              agent,
            })
        if (declared === null ? setting.undeclared === "anything" : declared.mayEscalate)
          found.push({
            ...finishNow("escalated", effects),
            records,
            does: does ?? `The callback "${service}" escalates.`,
            agent,
          })
      }
    }
    return [
      ...found,
      ...runs.flatMap(({ effects, does }) =>
        onwards(effects).map((variant) => ({ ...variant, records: names.length, does, agent })),
      ),
    ]
  }

  const startEffects: readonly Effect[] = [
    occurs({ kind: "start", name: agent, ...base, ...(self !== undefined && { activity: self }) }),
  ]

  return {
    start: () =>
      early.length > 0
        ? [goesTo(control("before", exactTurns ? 0 : null), startEffects)]
        : ask(exactTurns ? 0 : null, startEffects),
    waits: (state) =>
      state.phase === "approving" ||
      state.phase === "user" ||
      state.phase === "budget" ||
      (state.phase === "calling" && state.calls.every((call, slot) => calls.waits(call, slot))),
    moves(state) {
      const steps = phaseSteps(state)
      return definition.maxDurationMs === undefined
        ? steps
        : [
            ...steps,
            recorded(
              finishNow("failed", dropped(state.calls)),
              agent,
              `The turn of ${agent} takes too long.`,
            ),
          ]
    },
  }

  function phaseSteps(state: TurnControl): readonly Move<TurnControl>[] {
    switch (state.phase) {
      case "before":
        return functions(
          early,
          services(hooks.beforeAgent),
          (effects) => ask(state.turnCalls, effects),
          (effects) => [finishNow("done", [...effects, ...write(textValue)])],
        )
      case "asking": {
        const steps = responses(state)
        return aroundModel.length === 0
          ? steps
          : steps.flatMap((move) =>
              aroundModel
                .reduce<readonly (readonly Effect[])[]>(
                  (all, service) =>
                    all.flatMap((effects) =>
                      functionRuns(service, agent, place, setting).map((run) => [
                        ...effects,
                        ...functionStart(service, agent, place, setting),
                        ...run.effects,
                      ]),
                    ),
                  [[]],
                )
                .map((effects) => ({ ...move, effects: [...effects, ...move.effects] })),
            )
      }
      case "approving":
        return approvals(state)
      case "calling":
        return callSteps(state)
      case "user":
        return userSteps(state)
      case "budget":
        return [
          recorded(
            goesTo(control("asking", state.turnCalls), [modelOccurrence]),
            agent,
            "A person raises the budget.",
          ),
          recorded(finishNow("limited"), agent, "A person refuses to raise the budget."),
        ]
      case "after": {
        const { signal, writes, answered } = state.ending ?? {
          signal: "done",
          writes: false,
          answered: false,
        }
        const end = (
          effects: readonly Effect[],
          written: boolean,
        ): readonly Variant<TurnControl>[] => [
          finishNow(signal, [...effects, ...(written ? write(textValue) : [])], {
            answeredByTool: answered,
          }),
        ]
        return functions(
          late,
          late,
          (effects) => end(effects, writes),
          (effects) => end(effects, true),
        )
      }
    }
  }
}

const merge = (one: CallOutcome, other: Partial<CallOutcome>): CallOutcome => {
  const merged: CallOutcome = {
    escalates: one.escalates || other.escalates === true,
    answered: one.answered || other.answered === true,
    transfersTo: one.transfersTo ?? other.transfersTo ?? null,
    failed: one.failed || other.failed === true,
    limited: one.limited || other.limited === true,
  }
  return Object.values(merged).some((value) => value !== false && value !== null)
    ? merged
    : nothingDecided
}

/** Returns the choices of up to `most` calls, with repetition and in order. */
function callChoices(tools: number, most: number): readonly (readonly number[])[] {
  const choices: (readonly number[])[] = [[]]
  let longest: readonly (readonly number[])[] = [[]]
  for (let length = 1; length <= most; length++) {
    longest = longest.flatMap((choice) =>
      Array.from({ length: tools }, (_, tool) => [...choice, tool]),
    )
    choices.push(...longest)
  }
  return choices
}
