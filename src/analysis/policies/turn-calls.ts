import type { Occurrence } from "../../policies/occurrence.js"
import type { Behavior, Control, Effect, End, Variant } from "./behavior.js"
import { after, occurs } from "./behavior.js"
import { functionRuns, functionStart } from "./function-steps.js"
import type { RunPlace, Setting } from "./setting.js"
import { declarationOf } from "./setting.js"
import type { TurnTool } from "./turn-tools.js"

/** Where one call of a response is. */
export type CallStage = "judged" | "confirming" | "before" | "atWork" | "pending" | "later" | "done"

export interface OpenCall {
  readonly tool: number
  readonly stage: CallStage
  readonly approved: boolean
  readonly inner: Control | null
  readonly result: "value" | "error" | null
}

/** What calls have decided about the end of the turn. */
export interface CallOutcome {
  readonly escalates: boolean
  readonly answered: boolean
  readonly transfersTo: string | null
  readonly failed: boolean
  readonly limited: boolean
}

/** A step of one call: its next stage, or its end, and what it decides about the turn. */
export interface CallStep {
  readonly effects: readonly Effect[]
  readonly call: OpenCall
  readonly outcome: Partial<CallOutcome>
  readonly records: number
  readonly does: string | null
  readonly agent: string | null
}

/** The behavior of the calls of one agent's turns. */
export interface CallRules {
  readonly tools: readonly TurnTool[]
  /** Returns the first stages of a new call. `approved`: a person approved it with the response. */
  begin(tool: number, slot: number, approved: boolean): readonly CallStep[]
  steps(call: OpenCall, slot: number): readonly CallStep[]
  waits(call: OpenCall, slot: number): boolean
}

export function callRules(
  agent: string,
  tools: readonly TurnTool[],
  place: RunPlace,
  setting: Setting,
): CallRules {
  const targets = new Map<string, Behavior>()
  const placeOf = (tool: TurnTool, slot: number): RunPlace => {
    const id = `${place.id}#${slot}.${tool.name}`
    return { id, within: [...place.within, { id, agent: null, tool: tool.name }], isHidden: true }
  }
  const targetOf = (tool: TurnTool, slot: number): Behavior => {
    const key = `${slot} ${tool.name}`
    let target = targets.get(key)
    if (target === undefined) {
      target = setting.machine(tool.machine ?? "", placeOf(tool, slot))
      targets.set(key, target)
    }
    return target
  }
  const about = (tool: TurnTool, slot: number) => ({
    name: tool.name,
    agent,
    within: place.within,
    activity: { id: placeOf(tool, slot).id, agent: null, tool: tool.name },
  })

  const step = (
    call: OpenCall,
    effects: readonly Effect[],
    records: number,
    does: string | null,
    outcome: Partial<CallOutcome> = {},
  ): CallStep => ({ effects, call, outcome, records, does, agent })

  /** Returns the steps of a call that is made now. */
  const make = (
    call: OpenCall,
    slot: number,
    does: string | null,
    records: number,
    effects: readonly Effect[] = [],
  ): readonly CallStep[] => {
    const tool = tools[call.tool] as TurnTool
    const made: Occurrence = { kind: "call", ...about(tool, slot), approved: call.approved }
    const use: readonly Effect[] =
      tool.undeclaredToolset === null
        ? []
        : [
            {
              type: "function",
              use: {
                name: tool.undeclaredToolset,
                of: "toolset",
                capability: `list ${tool.name}`,
                runs: [],
              },
            },
          ]
    const says = does ?? `${tool.name} is called.`
    if (tool.machine === null)
      return [
        step(
          { ...call, stage: "atWork" },
          [
            ...effects,
            ...use,
            occurs(made),
            ...(tool.service === null ? [] : functionStart(tool.service, agent, place, setting)),
          ],
          records,
          says,
        ),
      ]
    return targetOf(tool, slot)
      .start()
      .flatMap((variant) =>
        targetSteps(
          call,
          slot,
          after([...effects, ...use, occurs(made)], [variant]),
          records,
          says,
        ),
      )
  }

  /** Returns the steps after a step of the target of an AgentTool. */
  const targetSteps = (
    call: OpenCall,
    slot: number,
    variants: readonly Variant[],
    records: number,
    does: string | null,
  ): readonly CallStep[] =>
    variants.flatMap(({ effects, next, end }) =>
      next === null
        ? afterTarget(call, slot, effects, end, records, does)
        : [step({ ...call, stage: "atWork", inner: next }, effects, records, does)],
    )

  const afterTarget = (
    call: OpenCall,
    slot: number,
    effects: readonly Effect[],
    end: End | null,
    records: number,
    does: string | null,
  ): readonly CallStep[] => {
    if (end?.signal === "limited")
      return [
        step({ ...call, stage: "done", inner: null, result: "error" }, effects, records, does, {
          limited: true,
        }),
      ]
    const isGood = end !== null && ["done", "exited", "escalated"].includes(end.signal)
    return finish(
      { ...call, inner: null, result: isGood ? "value" : "error" },
      slot,
      effects,
      records,
      does,
    )
  }

  /** Returns the steps of a call that has its result: callbacks after the call, then its end. */
  const finish = (
    call: OpenCall,
    slot: number,
    effects: readonly Effect[],
    records: number,
    does: string | null,
  ): readonly CallStep[] => {
    const tool = tools[call.tool] as TurnTool
    return tool.later.length > 0 && call.stage !== "later"
      ? [step({ ...call, stage: "later" }, effects, records, does)]
      : [close(call, slot, effects, records, does)]
  }

  const close = (
    call: OpenCall,
    slot: number,
    effects: readonly Effect[],
    records: number,
    does: string | null,
    outcome: Partial<CallOutcome> = {},
  ): CallStep => {
    const tool = tools[call.tool] as TurnTool
    const isGood = call.result === "value"
    const written: readonly Effect[] =
      isGood && tool.outputKey !== null && setting.keys.has(tool.outputKey)
        ? [
            {
              type: "write",
              key: tool.outputKey,
              value: { type: "any" },
              by: { agent, within: place.within },
            },
          ]
        : []
    const occurrences: readonly Effect[] = [
      ...(isGood ? [occurs({ kind: "result", ...about(tool, slot) })] : []),
      occurs({ kind: "returned", ...about(tool, slot) }),
    ]
    return step(
      { ...call, stage: "done", inner: null },
      [...effects, ...occurrences, ...written],
      records,
      does,
      { ...outcome, ...(isGood && tool.skipsSummarization ? { answered: true } : {}) },
    )
  }

  /** Returns the first step of a call that ends without being made. */
  const refused = (
    call: OpenCall,
    effects: readonly Effect[],
    records: number,
    does: string,
  ): CallStep => step({ ...call, stage: "done", result: "error" }, effects, records, does)

  /** Returns the steps after everything that can prevent a call but callbacks. */
  const ready = (
    call: OpenCall,
    slot: number,
    effects: readonly Effect[],
    records: number,
    does: string | null,
  ): readonly CallStep[] => {
    const tool = tools[call.tool] as TurnTool
    return tool.before.length > 0
      ? [step({ ...call, stage: "before" }, effects, records, does)]
      : make(call, slot, does, records, effects)
  }

  const confirmed = (
    call: OpenCall,
    slot: number,
    effects: readonly Effect[],
    records: number,
    does: string | null,
  ): readonly CallStep[] => {
    const tool = tools[call.tool] as TurnTool
    return tool.mustConfirm
      ? [
          step(
            { ...call, stage: "confirming" },
            effects,
            records,
            does ?? `A person is asked to approve ${tool.name}.`,
          ),
        ]
      : ready(call, slot, effects, records, does)
  }

  return {
    tools,
    waits: (call, slot) => {
      const tool = tools[call.tool] as TurnTool
      if (call.stage === "confirming" || call.stage === "pending" || call.stage === "done")
        return true
      return call.inner !== null && targetOf(tool, slot).waits(call.inner)
    },
    begin(index, slot, approved) {
      const tool = tools[index] as TurnTool
      const call: OpenCall = { tool: index, stage: "judged", approved, inner: null, result: null }
      if (tool.type === "ExitLoopTool")
        return [
          step({ ...call, stage: "done", result: "value" }, [], 0, "The model calls exit_loop.", {
            escalates: true,
          }),
        ]
      const judged =
        tool.decisions.length !== 1 ||
        tool.decisions[0] !== "ALLOW" ||
        tool.undeclaredEngines.length > 0
      return judged ? [step(call, [], 0, null)] : confirmed(call, slot, [], 0, null)
    },
    steps(call, slot) {
      const tool = tools[call.tool] as TurnTool
      switch (call.stage) {
        case "judged":
          return judge(call, tool, slot)
        case "confirming":
          return answer(call, tool, slot)
        case "before":
          return callbacksBefore(call, tool, slot)
        case "later":
          return callbacksAfter(call, tool, slot)
        case "atWork":
          return call.inner === null
            ? results(call, tool, slot)
            : targetOf(tool, slot)
                .moves(call.inner)
                .flatMap((move) =>
                  targetSteps(call, slot, [move], move.records, move.does).map((one) => ({
                    ...one,
                    agent: move.agent ?? one.agent,
                  })),
                )
        case "pending":
          return [
            ...finish(
              { ...call, result: "value" },
              slot,
              [],
              1,
              `The result of ${tool.name} is delivered.`,
            ),
            ...finish(
              { ...call, result: "error" },
              slot,
              [],
              1,
              `The request of ${tool.name} expires.`,
            ),
          ]
        case "done":
          return []
      }
    },
  }

  function judge(call: OpenCall, tool: TurnTool, slot: number): readonly CallStep[] {
    const uses = tool.undeclaredEngines.map((name): Effect => ({
      type: "function",
      use: {
        name,
        of: "function",
        capability: `decide ${tool.decisions.join(" or ")} for ${tool.name}`,
        runs: [],
      },
    }))
    return tool.decisions.flatMap((decision): readonly CallStep[] => {
      const does = `The policy engine decides ${decision} for ${tool.name}.`
      if (decision === "DENY") return [refused(call, uses, 1, does)]
      if (decision === "ALLOW") return confirmed(call, slot, uses, 1, does)
      return [step({ ...call, stage: "confirming" }, uses, 1, does)]
    })
  }

  function answer(call: OpenCall, tool: TurnTool, slot: number): readonly CallStep[] {
    const { activity: _, ...request } = about(tool, slot)
    const rejected: Occurrence = { kind: "rejection", ...request }
    const expiredSteps = !tool.expires
      ? []
      : tool.onExpiry === "fail"
        ? [
            {
              ...refused(call, [], 1, `The request to approve ${tool.name} expires.`),
              outcome: { failed: true },
            },
          ]
        : [refused(call, [], 1, `The request to approve ${tool.name} expires.`)]
    return [
      ...ready(
        { ...call, approved: true },
        slot,
        [occurs({ kind: "approval", ...request })],
        1,
        `A person approves ${tool.name}.`,
      ),
      refused(call, [occurs(rejected)], 1, `A person rejects ${tool.name}.`),
      ...expiredSteps,
    ]
  }

  function callbacksBefore(call: OpenCall, tool: TurnTool, slot: number): readonly CallStep[] {
    let runs: readonly { readonly effects: readonly Effect[]; readonly does: string | null }[] = [
      { effects: [], does: null },
    ]
    const steps: CallStep[] = []
    let changesArguments = false
    let undeclared = false
    for (const service of tool.before) {
      const declared = declarationOf(setting, service)
      const own = functionRuns(service, agent, place, setting)
      runs = runs.flatMap((one) =>
        own.map((other) => ({
          effects: [
            ...one.effects,
            ...other.effects.map((effect) => beforeCall(effect, tool.name)),
          ],
          does: other.does ?? one.does,
        })),
      )
      undeclared ||= declared === null
      if (declared === null ? setting.undeclared === "anything" : declared.mayChangeArguments)
        changesArguments = true
      if (declared === null || declared.mayAnswer)
        for (const run of runs)
          steps.push(
            ...finish(
              { ...call, result: "value" },
              slot,
              run.effects,
              1,
              `The callback "${service}" answers in place of ${tool.name}.`,
            ),
          )
      for (const run of runs)
        steps.push(
          step(
            { ...call, stage: "done", result: "error" },
            run.effects,
            1,
            `The callback "${service}" throws.`,
            { failed: true },
          ),
        )
    }
    if (undeclared && setting.undeclared === "helpful") return steps
    for (const run of runs) {
      steps.push(...make(call, slot, run.does, 1, run.effects))
      if (changesArguments && call.approved) {
        const change: readonly Effect[] = tool.before.flatMap((name): readonly Effect[] =>
          declarationOf(setting, name) === null
            ? [
                {
                  type: "function",
                  use: {
                    name,
                    of: "function",
                    capability: `change the arguments of ${tool.name}`,
                    runs: [],
                  },
                },
              ]
            : [],
        )
        steps.push(
          ...make(
            { ...call, approved: false },
            slot,
            `A callback changes the arguments of ${tool.name}.`,
            1,
            [...run.effects, ...change],
          ),
        )
      }
    }
    return steps
  }

  function callbacksAfter(call: OpenCall, tool: TurnTool, slot: number): readonly CallStep[] {
    let runs: readonly { readonly effects: readonly Effect[]; readonly does: string | null }[] = [
      { effects: [], does: null },
    ]
    for (const service of tool.later) {
      const own = functionRuns(service, agent, place, setting)
      runs = runs.flatMap((one) =>
        own.map((other) => ({
          effects: [...one.effects, ...other.effects],
          does: other.does ?? one.does,
        })),
      )
    }
    const mayAnswer = tool.later.some(
      (service) => declarationOf(setting, service)?.mayAnswer !== false,
    )
    return runs.flatMap((run) => [
      close(call, slot, run.effects, 1, run.does),
      ...(mayAnswer
        ? [
            close(
              { ...call, result: call.result === "value" ? "error" : "value" },
              slot,
              run.effects,
              1,
              run.does,
            ),
          ]
        : []),
      step({ ...call, stage: "done", result: "error" }, run.effects, 1, "A callback throws.", {
        failed: true,
      }),
    ])
  }

  /** Returns the results of a call that another program or a host function answers. */
  function results(call: OpenCall, tool: TurnTool, slot: number): readonly CallStep[] {
    const runs =
      tool.service === null
        ? [{ effects: [], does: null }]
        : functionRuns(tool.service, agent, place, setting)
    return runs.flatMap((run) => [
      ...finish(
        { ...call, result: "value" },
        slot,
        run.effects,
        1,
        run.does ?? `${tool.name} returns a result.`,
      ),
      ...finish(
        { ...call, result: "error" },
        slot,
        run.effects,
        1,
        run.does ?? `${tool.name} fails.`,
      ),
      step({ ...call, stage: "pending" }, run.effects, 1, `${tool.name} answers later.`),
      ...functionActions(call, tool, slot, run.effects),
    ])
  }

  /** Returns the results with which a function also decides about the turn. */
  function functionActions(
    call: OpenCall,
    tool: TurnTool,
    slot: number,
    effects: readonly Effect[],
  ): readonly CallStep[] {
    if (tool.service === null) return []
    const declared = declarationOf(setting, tool.service)
    if (declared === null && setting.undeclared === "helpful") return []
    const outcomes: Partial<CallOutcome>[] = []
    if (declared === null || declared.mayEscalate) outcomes.push({ escalates: true })
    if (declared === null || declared.maySkipSummarization) outcomes.push({ answered: true })
    const definition = setting.chart.agents[agent]
    const targets = definition?.type === "LlmAgent" ? definition.transferTargets : []
    for (const target of declared?.mayTransferTo ?? targets)
      if (targets.includes(target)) outcomes.push({ transfersTo: target })
    return outcomes.map((outcome) =>
      close(
        { ...call, result: "value" },
        slot,
        effects,
        1,
        `${tool.name} returns a result.`,
        outcome,
      ),
    )
  }
}

const beforeCall = (effect: Effect, tool: string): Effect =>
  effect.type === "function" ? { type: "function", use: { ...effect.use, before: tool } } : effect
