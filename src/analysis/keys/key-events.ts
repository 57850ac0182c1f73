import type { AgentChart } from "../../machines/contract/agent-chart.js"
import type { AgentDefinition } from "../../machines/contract/agent-definition.js"
import type { ForEach } from "../../machines/contract/chart-machine.js"
import { callableTools } from "../bounds/model-assumptions.js"
import type { KeyRead, Reads } from "./key-reads.js"
import {
  readsOfCondition,
  readsOfHumanAgent,
  readsOfTool,
  readsOfTurn,
  readsOfWaitAgent,
  readsOfWorkflowAgent,
} from "./key-reads.js"
import type { GroupPlan, LeafPlan, Plan, PlanChild, Plans, TeamPlan } from "../plan/plan.js"

/** Records that an agent reads a session state key. */
export interface KeyReadEvent extends KeyRead {
  readonly type: "read"
  readonly agent: string
  readonly inCondition: boolean
}

/** Records that an agent or one of its tools writes a session state key. */
export interface KeyWriteEvent {
  readonly type: "write"
  readonly agent: string
  /** Id of the agent or tool that writes the session state key `key`. */
  readonly writer: string
  readonly key: string
  /**
   * Set if a container writes its output text under its output key. Contains the index of the
   * container's first event in the list of events. Otherwise null.
   */
  readonly since: number | null
}

/**
 * One access to the session state, or the start (`open`) or end (`close`) of a group of accesses,
 * called a section. Events are in execution order. The accesses inside a section may be repeated,
 * skipped or reordered.
 */
export type KeyEvent =
  | KeyReadEvent
  | KeyWriteEvent
  /** An agent, an endpoint or a tool receives the whole session state. */
  | { readonly type: "everything is read" }
  | { readonly type: "host code" }
  | { readonly type: "open"; readonly section: KeySection }
  | { readonly type: "close" }

/**
 * The kind of a section, which is a group of accesses to the session state. A run can repeat a
 * `loop`, skip a `when` section, and reorder the accesses in an `any order` section. `fork` is a
 * parallel block, and `branch` is one of its branches. `item` is a branch of a `forEach` block, and
 * `tool` is a tool call.
 */
export type KeySection = "loop" | "fork" | "branch" | "item" | "when" | "tool" | "any order"

/**
 * Returns the accesses of a machine to the session state, in execution order. Its agents can run
 * other machines as AgentTools. For such a machine, `writesOfTarget` returns the accesses that
 * affect the agent that calls the tool.
 */
export function keyEvents(
  machine: string,
  chart: AgentChart,
  plans: Plans,
  writesOfTarget: (machine: string) => readonly KeyEvent[],
): readonly KeyEvent[] {
  const writing: Writing = { events: [], chart, plans, writesOfTarget, within: new Set() }
  writeMachine(machine, writing)
  return writing.events
}

interface Writing {
  readonly events: KeyEvent[]
  readonly chart: AgentChart
  readonly plans: Plans
  readonly writesOfTarget: (machine: string) => readonly KeyEvent[]
  /**
   * Keys of the machines that are being visited. Prevents endless recursion if a machine invokes
   * itself.
   */
  readonly within: Set<string>
}

function writeMachine(machine: string, writing: Writing): void {
  const plan = writing.plans.byMachine.get(machine) ?? null
  if (plan === null || writing.within.has(machine)) return
  writing.within.add(machine)
  writeChild(plan, writing)
  writing.within.delete(machine)
}

function addSection(kind: KeySection, { events }: Writing, inside: () => void): void {
  events.push({ type: "open", section: kind })
  inside()
  events.push({ type: "close" })
}

function writeChild({ plan, when, times }: PlanChild, writing: Writing): void {
  if (times === 0) return
  if (when === null) return writePlan(plan, writing)
  writeCondition(when, plan.agent, "the `when` condition", writing)
  addSection("when", writing, () => writePlan(plan, writing))
}

function writeCondition(source: string, agent: string, by: string, writing: Writing): void {
  writeReads(readsOfCondition(source, by, writing.chart.input.state), agent, true, writing)
}

function writeReads(
  { keys, everything, hostCode }: Reads,
  agent: string,
  inCondition: boolean,
  { events }: Writing,
): void {
  for (const read of keys) events.push({ type: "read", agent, inCondition, ...read })
  if (everything) events.push({ type: "everything is read" })
  if (hostCode) events.push({ type: "host code" })
}

function writePlan(plan: Plan, writing: Writing): void {
  switch (plan.type) {
    case "code":
      return void writing.events.push({ type: "host code" })
    case "turn":
    case "human":
    case "wait":
    case "call":
      return writeLeaf(plan, writing)
    case "machine":
      return writeMachine(plan.machine, writing)
    case "team":
      return writeTeam(plan, writing)
    case "group":
      return writeGroup(plan, writing)
  }
}

function writeGroup(plan: GroupPlan, writing: Writing): void {
  const { events } = writing
  const since = events.length
  const children = (): void => plan.children.forEach((child) => writeChild(child, writing))
  switch (plan.order) {
    case "any":
      if (plan.kind === "CustomAgent" || plan.kind === "MachineAgent")
        events.push({ type: "host code" })
      addSection("any order", writing, children)
      break
    case "parallel":
      if (plan.forEach !== undefined) {
        writeForEach(plan, plan.forEach, writing)
        break
      }
      addSection("fork", writing, () => {
        for (const child of plan.children)
          addSection("branch", writing, () => writeChild(child, writing))
      })
      break
    case "in order":
      if (plan.times === 1) children()
      else addSection("loop", writing, children)
      if (plan.exitCondition !== null)
        writeCondition(plan.exitCondition, plan.agent, "the exit condition", writing)
  }
  if (plan.outputKey !== null)
    events.push({
      type: "write",
      agent: plan.agent,
      writer: plan.agent,
      key: plan.outputKey,
      since,
    })
}

/**
 * Adds the events of a `forEach` block to `writing.events`. The block runs its child once for each
 * item of a list. Later agents do not see the writes of its branches, except for collected keys and
 * keys with a merge rule.
 */
function writeForEach(
  { agent, children }: GroupPlan,
  { items, as, collect }: ForEach,
  writing: Writing,
): void {
  const { events, chart } = writing
  const write = (key: string): void =>
    void events.push({ type: "write", agent, writer: agent, key, since: null })
  writeCondition(items, agent, "`forEach`", writing)
  const since = events.length
  addSection("item", writing, () => {
    write(as)
    write(`${as}_index`)
    for (const child of children) writeChild(child, writing)
  })
  const written = new Set(
    events.slice(since).flatMap((event) => (event.type === "write" ? [event.key] : [])),
  )
  const { stateMerge } = chart.settings
  for (const [key, rule] of Object.entries(stateMerge))
    if (rule !== "replace" && written.has(key)) write(key)
  for (const target of Object.keys(collect)) write(target)
}

/**
 * Adds the events of a handoff team to `writing.events`. If only one member can be active first and
 * it is an LlmAgent, the reads of its first turn are added first. Then the events of all members
 * are added in a section of the kind `any order`.
 */
function writeTeam({ members, starts }: TeamPlan, writing: Writing): void {
  const [start, ...others] = starts
  const first = start === undefined || others.length > 0 ? undefined : members[start]
  if (first?.plan.type === "turn") writeReadsOfTurn(first.plan, writing)
  addSection("any order", writing, () => members.forEach((member) => writeChild(member, writing)))
}

function writeReadsOfTurn({ agent }: LeafPlan, writing: Writing): void {
  const definition = definitionOf(agent, writing.chart)
  if (definition?.type !== "LlmAgent") return
  for (const { when } of definition.routes ?? [])
    writeCondition(when, agent, "the condition of a route", writing)
  writeReads(readsOfTurn(definition), agent, false, writing)
}

const definitionOf = (agent: string, { agents }: AgentChart) =>
  Object.hasOwn(agents, agent) ? agents[agent] : undefined

function readsOfLeaf(
  definition: Exclude<AgentDefinition, { readonly type: "LlmAgent" }>,
): readonly KeyRead[] {
  switch (definition.type) {
    case "HumanAgent":
      return readsOfHumanAgent(definition)
    case "WaitAgent":
      return readsOfWaitAgent(definition)
    case "WorkflowAgent":
      return readsOfWorkflowAgent(definition)
  }
}

function writeLeaf(plan: LeafPlan, writing: Writing): void {
  const { chart, events } = writing
  const { agent } = plan
  const definition = definitionOf(agent, chart)
  if (definition === undefined) return
  if (definition.type !== "LlmAgent")
    for (const read of readsOfLeaf(definition))
      events.push({ type: "read", agent, inCondition: false, ...read })
  else {
    writeReadsOfTurn(plan, writing)
    const tools = callableTools(definition, chart)
    for (const { id, tool } of tools) {
      addSection("tool", writing, () => {
        writeReads(readsOfTool(tool), agent, false, writing)
        if (tool.type === "AgentTool")
          for (const event of writing.writesOfTarget(tool.machine)) events.push(event)
        if ("outputKey" in tool && tool.outputKey !== null)
          events.push({ type: "write", agent, writer: id, key: tool.outputKey, since: null })
      })
    }
    if (tools.length > 0) writeReadsOfTurn(plan, writing)
  }
  if (definition.outputKey !== null)
    events.push({ type: "write", agent, writer: agent, key: definition.outputKey, since: null })
}
