import type { ChartState, NamedAction, Transitions } from "../../machines/contract/chart-machine.js"
import type { AgentNode, LlmAgentNode, WorkflowTree } from "../2-resolve/agent-node.js"
import { hasOutputSchema } from "../2-resolve/agent-node.js"
import { transferTargetsOf } from "./declarations.js"
import { emitLeaf } from "./emit-leaf.js"
import { endTransitions, limitOf, transition } from "./outcomes.js"
import type { TransitionTarget, StatePosition, TeamSite } from "./state-position.js"
import { Siblings, childPosition, finalTarget, metaOf, targetOf } from "./state-position.js"

interface Member {
  readonly agent: AgentNode
  readonly parent: LlmAgentNode | null
  readonly site: StatePosition
  readonly key: string
  /** Whether the member stays active for the user's next message (docs/semantics.md#handoffs). */
  readonly keepsConversation: boolean
}

/**
 * Generates the states of a team, which consists of an LlmAgent and its handoff targets. The result
 * is a compound state. It has a state for every member, including nested sub-agents, and a
 * transition for every allowed handoff. A container around the team treats the team as a single
 * agent.
 */
export function emitTeam(
  agent: LlmAgentNode,
  site: StatePosition,
  next: TransitionTarget,
): ChartState {
  const { draft, place } = site
  const members: Member[] = []
  collect(agent, null, site, site.path, new Siblings(), true, members)
  const team: TeamSite = {
    place,
    members: new Map(members.map((member) => [member.agent.id, member.site.place])),
  }
  const done = finalTarget(draft, place, "done")
  const passing = new Set(
    members.filter((member) => !staysActive(member, draft.workflow)).map(({ agent: { id } }) => id),
  )
  const states: Record<string, ChartState> = {}
  for (const member of members) states[member.key] = emitMember(member, team, passing, done)
  const [parent] = members
  const initial = parent?.key ?? "done"
  const resumes = site.isRoot
  return {
    meta: { ...metaOf(site, { ...agent, outputKey: null }), team: true },
    tags: ["team"],
    ...(!resumes && { entry: [{ type: "enterTeam", params: { place } }] }),
    initial: resumes ? "resuming" : initial,
    states: {
      ...(resumes && {
        resuming: emitResuming(members, site, targetOf(draft, `${place}.${initial}`)),
      }),
      ...states,
      done: { type: "final" },
    },
    onDone: endTransitions(site, next),
  }
}

function collect(
  agent: AgentNode,
  parent: LlmAgentNode | null,
  team: StatePosition,
  path: string,
  siblings: Siblings,
  keepsConversation: boolean,
  members: Member[],
): void {
  const { key } = siblings.next(agent)
  const site: StatePosition = {
    ...childPosition(team, key, ""),
    path,
    isRoot: parent === null && team.isRoot,
  }
  members.push({
    agent,
    parent,
    site,
    key,
    keepsConversation: keepsConversation && agent.type === "LlmAgent",
  })
  if (agent.type !== "LlmAgent") return
  for (const child of agent.subAgents) {
    const returns =
      child.type === "LlmAgent" && !child.disallowTransferToParent && !hasOutputSchema(child)
    collect(
      child,
      agent,
      team,
      `${path}/${child.id}`,
      siblings,
      keepsConversation && returns,
      members,
    )
  }
}

/**
 * Returns whether a member of a team becomes the active member after a handoff to it
 * (docs/semantics.md#handoffs). In the adk dialect, as in ADK, the previous member stays active if
 * the new one cannot keep the conversation. HumanAgents, WorkflowAgents and WaitAgents always
 * become active.
 */
const staysActive = ({ agent, keepsConversation }: Member, { dialect }: WorkflowTree): boolean =>
  keepsConversation ||
  agent.type === "HumanAgent" ||
  agent.type === "WorkflowAgent" ||
  agent.type === "WaitAgent" ||
  dialect !== "adk"

function emitMember(
  { agent, parent, site, keepsConversation }: Member,
  team: TeamSite,
  passing: ReadonlySet<string>,
  done: string,
): ChartState {
  const goesBack: readonly NamedAction[] =
    keepsConversation || passing.has(agent.id)
      ? []
      : [{ type: "returnToParent", params: { team: team.place } }]
  const next: TransitionTarget = { target: done, actions: goesBack }
  const member: StatePosition = { ...site, team }
  if (agent.type === "LlmAgent")
    return emitLeaf(agent, member, next, handoffs(agent, parent, member, team, passing))
  if (agent.type === "HumanAgent" || agent.type === "WorkflowAgent" || agent.type === "WaitAgent")
    return emitLeaf(agent, member, next)
  return site.draft.emitAgent(agent, site, next)
}

/**
 * Returns the transitions for the handoffs of a team member. The first transition ends the run if
 * the maximum number of handoffs is reached. It is followed by one transition for each target to
 * which the member may hand off.
 */
function handoffs(
  agent: LlmAgentNode,
  parent: LlmAgentNode | null,
  site: StatePosition,
  team: TeamSite,
  passing: ReadonlySet<string>,
): Transitions {
  const { draft, place } = site
  const max = draft.workflow.settings.maxHandoffs
  const apply: NamedAction = { type: "applyResult", params: { place } }
  const limit: NamedAction = { type: "limitHandoffs", params: { team: team.place, max } }
  return [
    transition({ type: "handoffLimitReached", params: { team: team.place, max } }, limitOf(site), [
      apply,
      limit,
    ]),
    ...transferTargetsOf(agent, parent).flatMap((target) => {
      const to = team.members.get(target.id)
      if (to === undefined) return []
      const handOff: NamedAction = {
        type: "handOff",
        params: {
          team: team.place,
          from: place,
          to,
          ...(passing.has(target.id) && { activates: false }),
        },
      }
      return [
        {
          guard: { type: "handsOffTo", params: { agent: target.id } },
          target: targetOf(draft, to),
          actions: [apply, handOff],
        },
      ]
    }),
  ]
}

/**
 * Generates the state `resuming`, which is the first state of the root agent's team. Each time the
 * root agent runs, `resuming` enters the state of the team's active member.
 */
function emitResuming(members: readonly Member[], site: StatePosition, parent: string): ChartState {
  const keepers = members.filter((member) => member.parent !== null && member.keepsConversation)
  return {
    tags: ["choice"],
    always: [
      ...keepers.map(({ site: { place } }) => ({
        guard: { type: "activeIs", params: { team: site.place, member: place } },
        target: targetOf(site.draft, place),
      })),
      { target: parent },
    ],
  }
}
