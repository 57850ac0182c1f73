import type {
  ChartMachine,
  ChartState,
  Transitions,
} from "../../machines/contract/chart-machine.js"
import type { AgentNode } from "../2-resolve/agent-node.js"
import { emitWhen } from "./positions.js"
import type {
  BranchCondition,
  FinalKey,
  MachineDraft,
  TransitionTarget,
  StatePosition,
} from "./state-position.js"
import { Siblings, finalTarget, targetOf } from "./state-position.js"

export interface MachineSite {
  readonly draft: MachineDraft
  /** Whether this is the root machine, which a run starts. */
  readonly isRoot: boolean
  readonly when: BranchCondition | null
  readonly skips: readonly string[]
}

/**
 * Generates one machine of the chart. It consists of the initial state `boot`, the state of the
 * machine's agent, and a final state for each outcome. An LlmAgent at the root of the workflow runs
 * again until it ends the workflow (docs/semantics.md#root-and-cycles).
 */
export function emitMachine(
  agent: AgentNode,
  { draft, isRoot: top, when, skips }: MachineSite,
): ChartMachine {
  const { key: place } = new Siblings().next(agent)
  const isConversation = top && draft.workflow.dialect === "adk"
  const cycles = top && !isConversation && agent.type === "LlmAgent"
  const site: StatePosition = {
    draft,
    place,
    path: agent.id,
    loops: [],
    counters: [],
    scope: "",
    branch: null,
    boundaries: [],
    skips,
    isRoot: top,
    regions: draft.options.maxRegions,
    team:
      cycles || (isConversation && agent.type === "LlmAgent")
        ? { place, members: new Map() }
        : null,
  }
  const done: TransitionTarget = { target: finalTarget(draft, "", "done"), actions: [] }
  const after = cycles
    ? targetOf(draft, "cycling")
    : isConversation
      ? targetOf(draft, "resting")
      : null
  const root = draft.emitAgent(agent, site, after === null ? done : { target: after, actions: [] })
  const choice: Record<string, ChartState> =
    when === null ? {} : { [`when_${place}`]: emitWhen(site, when.condition, when.container, done) }
  const cycling: Record<string, ChartState> = cycles
    ? { cycling: { tags: ["choice"], always: cycleTransitions(site, done) } }
    : {}
  const resting: Record<string, ChartState> = isConversation ? { resting: emitResting(site) } : {}
  const stopped = finalTarget(draft, "", "stopped")
  const first = when === null ? place : `when_${place}`
  const ms = top ? draft.workflow.settings.maxDuration : null
  return {
    id: draft.key,
    initial: "boot",
    meta: { kind: "orchestration", agent: agent.id },
    on: {
      "run.stopped": [{ target: stopped, actions: [{ type: "stopRun" }] }],
      "child.paused": [{ actions: [{ type: "notePause" }] }],
      "child.resumed": [{ actions: [{ type: "noteResume" }] }],
      ...(ms !== null && {
        "xstate.done.actor.deadline": [{ actions: [{ type: "passDeadline", params: { ms } }] }],
      }),
    },
    states: {
      boot: {
        always: [
          {
            target: targetOf(draft, first),
            ...(ms !== null && { actions: [{ type: "startDeadline", params: { ms } }] }),
          },
        ],
      },
      ...choice,
      [place]: root,
      ...cycling,
      ...resting,
      ...finalStates([...(draft.finals.get("") ?? [])]),
    },
  }
}

/**
 * Generates the state in which a run in the adk dialect is idle between two user messages. In this
 * state, the run accepts the user's next message (docs/semantics.md#sessions).
 */
function emitResting({ draft, place }: StatePosition): ChartState {
  const ms = draft.workflow.settings.maxDuration
  const [stop, start] =
    ms === null
      ? [[], []]
      : [[{ type: "stopDeadline" }], [{ type: "startDeadline", params: { ms } }]]
  return {
    tags: ["resting"],
    entry: [{ type: "finishInvocation", params: { place } }, ...stop],
    on: {
      "user.said": [
        {
          target: targetOf(draft, place),
          actions: [...start, { type: "beginInvocation", params: { place } }],
        },
      ],
    },
  }
}

/**
 * Returns the transitions that follow a turn of the root agent. The root agent runs again, unless
 * the result of a tool ended the turn or the maximum number of cycles since the last human input is
 * reached.
 */
function cycleTransitions(site: StatePosition, done: TransitionTarget): Transitions {
  const max = site.draft.workflow.settings.maxOrchestrationCycles
  return [
    { guard: { type: "wasAnsweredByTool" }, target: done.target },
    {
      guard: { type: "cycleLimitReached", params: { max } },
      target: finalTarget(site.draft, "", "limited"),
      actions: [{ type: "limitCycles", params: { max } }],
    },
    {
      target: targetOf(site.draft, site.place),
      actions: [{ type: "beginCycle", params: { place: site.place } }],
    },
  ]
}

const finalStates = (finals: readonly FinalKey[]): Record<string, ChartState> =>
  Object.fromEntries(
    finals.map((signal) => [
      signal,
      { type: "final" as const, entry: [{ type: "finishMachine", params: { signal } }] },
    ]),
  )
