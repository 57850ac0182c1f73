import { childConfigs } from "../../1-parse/config/child-configs.js"
import type { ConfigLocation } from "../../diagnostics/config-location.js"
import { pointerKeys } from "../../document/json-pointer.js"
import type { ParsedWorkflow } from "../../parse-workflow.js"
import type { Placement, TextEdit } from "../contract/edit-command.js"
import { EditRefused } from "../contract/edit-command.js"
import type { Layout } from "../layout/layout.js"
import { unsupportedLayout } from "../layout/layout.js"
import type { MovedPiece, ListPiece } from "../layout/piece.js"
import { movedPiece } from "../layout/piece.js"
import { spliceList, valueAt } from "../layout/splice-at.js"
import { requireNoCrossing } from "../layout/anchors.js"
import { dataIn } from "../layout/data-in.js"
import { descriptionOf, namesOf } from "./agent-fields.js"
import type { NamedAgents, AgentUse, IndexedAgent } from "./named-agents.js"

/**
 * The position for a new sub-agent: its parent, and its index in the parent's list of sub-agents.
 */
export interface Target {
  readonly parent: IndexedAgent
  readonly index: number
}

/**
 * The types of containers. A container runs its sub-agents in sequence, in parallel or in a loop.
 */
const containers: ReadonlySet<string> = new Set(["SequentialAgent", "ParallelAgent", "LoopAgent"])
const withSubAgents: ReadonlySet<string> = new Set([
  ...containers,
  "LlmAgent",
  "CustomAgent",
  "MachineAgent",
])

export const isContainer = ({ config }: IndexedAgent): boolean => containers.has(config.type ?? "")

/** Returns whether sub-agents can be added to an agent. This depends on its type. */
export const canHaveSubAgents = ({ config }: IndexedAgent): boolean =>
  withSubAgents.has(config.type ?? "")

/** A workflow in a text, and the edits that a command has made to the text so far. */
export class WorkflowText {
  readonly index: NamedAgents
  readonly parsed: ParsedWorkflow
  readonly layout: Layout
  readonly #names: ReadonlySet<string>
  readonly #edits: TextEdit[] = []
  readonly #changes = new Map<string, { removed: number[]; inserted: ListInsertion[] }>()

  /**
   * Creates a workflow text without edits. `index` contains the agents of the workflow. `names`
   * contains the names of all agents in the text. If the text is a graph, this includes the agents
   * in its other nodes.
   */
  constructor(index: NamedAgents, layout: Layout, names: ReadonlySet<string>) {
    this.index = index
    this.#names = names
    this.parsed = index.parsed
    this.layout = layout
  }

  /** JSON pointer to the workflow's list of agents. */
  get agentsPointer(): string {
    return `${this.parsed.location.pointer}/agents`
  }

  isInDocument({ document }: ConfigLocation): boolean {
    return document === this.parsed.document
  }

  /**
   * Throws EditRefused if the agent cannot be changed here, because it is not defined as an object
   * in this file.
   */
  requireHere({ name, config }: IndexedAgent): void {
    if (!this.isInDocument(config.location)) throw inOtherFile(name, config.location)
    const found = valueAt(this.layout, config.location.pointer)
    if (found?.node.kind === "map") return
    if (found === null || found.node.kind === "alias")
      throw unsupportedLayout(`The agent "${name}" is defined by an alias (*) in the file`)
    throw new EditRefused(
      "defined_in_code",
      `The agent "${name}" is not defined in the config, which only refers to it.`,
      "Change the program that defines it.",
    )
  }

  /**
   * Returns the only use of an agent as a sub-agent. Throws EditRefused if the agent is the root,
   * has no use or several uses, is a graph node, or is used in another file.
   */
  onlyUse({ name, uses }: IndexedAgent): AgentUse {
    if (name === this.index.rootName)
      throw new EditRefused(
        "agent_is_root",
        `"${name}" is the root agent.`,
        "Wrap it in a container first.",
      )
    const [use, other] = uses
    if (use === undefined)
      throw new EditRefused(
        "placement_invalid",
        `No agent has "${name}" as a sub-agent.`,
        "Add it to the sub-agents of an agent in the text.",
      )
    if (other !== undefined)
      throw new EditRefused(
        "agent_ambiguous",
        `"${name}" is the sub-agent of several agents: ${uses.map(({ parent }) => `"${parent.name}"`).join(", ")}.`,
        "Change the lists of sub-agents in the text.",
      )
    if (use.index < 0)
      throw new EditRefused(
        "graph_unsupported",
        `"${name}" is a node of the graph "${use.parent.name}", whose edges connect it with other nodes.`,
        "Change the nodes and edges of the graph in the text.",
      )
    if (!this.isInDocument(use.location)) throw inOtherFile(use.parent.name, use.location)
    return use
  }

  /**
   * Returns the parent and the index in its list of sub-agents for a placement. Throws EditRefused
   * if agents cannot be added there.
   */
  targetOf(placement: Placement): Target {
    if ("into" in placement) {
      const parent = this.index.get(placement.into)
      this.requireParent(parent)
      return { parent, index: this.entriesOf(parent).length }
    }
    const isBefore = "before" in placement
    const { parent, index } = this.onlyUse(
      this.index.get(isBefore ? placement.before : placement.after),
    )
    return { parent, index: isBefore ? index : index + 1 }
  }

  requireParent(parent: IndexedAgent): void {
    this.requireHere(parent)
    if (canHaveSubAgents(parent)) return
    throw parent.config.type === "Workflow"
      ? new EditRefused(
          "graph_unsupported",
          `"${parent.name}" is a graph, whose edges connect its nodes.`,
          "Change the nodes and edges of the graph in the text.",
        )
      : new EditRefused(
          "placement_invalid",
          `"${parent.name}" is ${descriptionOf(parent.config.type ?? "", this.parsed.dialect)?.name ?? "an agent"}, which has no sub-agents.`,
          "Choose a container or an LlmAgent.",
        )
  }

  listPointer = ({ config }: IndexedAgent): string => config.fieldAt("subAgents").pointer

  /** Returns the entries of an agent's list of sub-agents, as parsed data. */
  entriesOf(parent: IndexedAgent): readonly unknown[] {
    const value = this.dataAt(this.listPointer(parent))
    return Array.isArray(value) ? value : []
  }

  /** Returns whether the list entry of a sub-agent has a `when` condition. */
  hasCondition({ location }: AgentUse): boolean {
    return (this.dataAt(`${location.pointer}/when`) ?? null) !== null
  }

  /** Returns the names of an agent's sub-agents, by their index in the list. */
  childrenByIndex({ config }: IndexedAgent): ReadonlyMap<number, string> {
    return new Map(
      childConfigs(config).flatMap((child) => {
        const name = child.type === "inline" ? child.agent.id : child.to.id
        const index = Number(pointerKeys(child.location.pointer).at(-1))
        return name === null ? [] : [[index, name] as const]
      }),
    )
  }

  dataAt(pointer: string): unknown {
    return dataIn(this.parsed.document.value, pointer)
  }

  /**
   * Returns the text of a list entry, so that a command can insert the entry at another position.
   * The entry is not removed from its current position.
   */
  take(pointer: string, index: number): MovedPiece {
    const found = valueAt(this.layout, pointer)
    if (found?.node.kind !== "list")
      throw unsupportedLayout("The list of agents is an alias (*) of a list elsewhere in the file")
    requireNoCrossing(found.node, index, this.layout)
    return movedPiece(found.node, index, this.dataAt(`${pointer}/${index}`), this.layout)
  }

  remove(pointer: string, index: number): void {
    this.#changesOf(pointer).removed.push(index)
  }

  insert(pointer: string, index: number, piece: ListPiece): void {
    this.#changesOf(pointer).inserted.push({ index, piece })
  }

  edit(edit: TextEdit): void {
    this.#edits.push(edit)
  }

  /** Returns all edits to the text so far. They are not sorted. */
  edits(): readonly TextEdit[] {
    // If two lists end at the same line, the edits of the inner list must come first.
    const deepest = [...this.#changes].toSorted(
      ([one], [other]) => pointerKeys(other).length - pointerKeys(one).length,
    )
    const spliced = deepest.flatMap(([pointer, changes]) => {
      const found = valueAt(this.layout, pointer)
      if (found !== null)
        for (const index of changes.removed) requireNoCrossing(found.node, index, this.layout)
      return spliceList(pointer, changes, this.layout)
    })
    return [...this.#edits, ...spliced]
  }

  #changesOf(pointer: string) {
    const changes = this.#changes.get(pointer) ?? { removed: [], inserted: [] }
    this.#changes.set(pointer, changes)
    return changes
  }

  /**
   * Returns the config name of a field of a new agent, in camelCase or snake_case like the other
   * fields of the config.
   */
  spellingOf(key: string, type: string): string {
    const { dialect, location } = this.parsed
    const field = descriptionOf(type, dialect)?.fields[key]
    const [name = key] = field === undefined ? [] : namesOf(key, field, dialect)
    return location.parser.naming.name(name)
  }

  /**
   * Returns a name that no agent has. This is `base`, or `base` with a number such as `agent_2`.
   */
  freeName(base: string, taken: ReadonlySet<string> = new Set()): string {
    const isTaken = (name: string): boolean => this.#names.has(name) || taken.has(name)
    if (!isTaken(base)) return base
    let number = 2
    while (isTaken(`${base}_${number}`)) number++
    return `${base}_${number}`
  }

  /** Throws EditRefused if a name is invalid or if another agent has this name. */
  requireFree(name: string): void {
    if (!/^[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}$/.test(name) || name in Object.prototype)
      throw new EditRefused(
        "name_invalid",
        `"${name}" is not a valid name of an agent.`,
        'Use at most 128 letters, digits, "_", "-" and ".", starting with a letter, a digit or "_".',
      )
    if (this.index.has(name))
      throw new EditRefused(
        "name_taken",
        `The config already has an agent "${name}".`,
        "Choose another name.",
      )
  }
}

interface ListInsertion {
  readonly index: number
  readonly piece: ListPiece
}

const inOtherFile = (name: string, { document }: ConfigLocation): EditRefused =>
  new EditRefused(
    "other_file",
    `The agent "${name}" is defined in the file ${document.file ?? "of another config"}.`,
    `Open ${document.file ?? "that file"} and edit the agent there.`,
  )
