import type { AgentKind } from "../../machines/contract/chart-machine.js"

/**
 * The contents of a drawing, independent of the output format. States have the same order as in the
 * chart.
 */
export interface Picture {
  readonly root: Level
  /**
   * One state for each AgentTool. It is drawn next to the workflow, because a tool call is not a
   * transition of the workflow.
   */
  readonly tools: readonly PictureState[]
}

/**
 * The states directly inside one container, or the outermost states of a drawing, and the arrows
 * between them.
 */
export interface Level {
  readonly states: readonly PictureState[]
  readonly arrows: readonly Arrow[]
}

/**
 * The appearance of a state, such as its color and icon. `exit`, `limit` and `ending` are final
 * states. They stand for a normal early end, an exceeded limit of the run, and a failure.
 */
export type StateLook =
  | AgentKind
  | "team"
  | "tool"
  | "choice"
  | "resting"
  | "exit"
  | "limit"
  | "ending"

export interface PictureState {
  /** Id of the state, unique in the drawing. Contains only letters, digits and underscores. */
  readonly id: string
  readonly look: StateLook
  readonly title: string
  /** Text lines below the title, for example `writes summary`. */
  readonly lines: readonly string[]
  /**
   * Contents of the state. The list is empty for an atomic state, has one entry for a composite
   * state, and several entries for a state with parallel regions.
   */
  readonly regions: readonly Level[]
  /**
   * Id of the agent that the state represents, as in run events. Absent if the state does not
   * belong to an agent.
   */
  readonly agent?: string
  /** Whether the state is folded, so that its contents are not drawn. */
  readonly folded?: true
  /** Ids of the agents inside a folded state. Absent for states that are not folded. */
  readonly holds?: readonly string[]
  /**
   * Ids of the agents that call the AgentTool of this state. Absent if the state is not an
   * AgentTool.
   */
  readonly callers?: readonly string[]
}

/**
 * An arrow between two sibling states. If `from` is null, the arrow begins at the start mark (a
 * dot). If `to` is null, it leads to the end mark (a ring).
 */
export interface Arrow {
  readonly from: string | null
  readonly to: string | null
  /**
   * Alternative conditions of the transition, for example `exits`. Empty if the transition is
   * unconditional.
   */
  readonly labels: readonly string[]
  /** Special kind of the arrow, for example a handoff. Absent for an ordinary transition. */
  readonly kind?: ArrowKind
}

/**
 * The kind of an arrow that is not an ordinary transition.
 *
 * - `handoff`: an agent hands the conversation to another agent.
 * - `failure`: the transition is taken after a failure.
 * - `tool`: an agent calls another agent as a tool, which is not a transition.
 */
export type ArrowKind = "handoff" | "failure" | "tool"

/**
 * Direction in which consecutive agents of a sequence are drawn, from top to bottom or from left to
 * right.
 */
export type DrawingDirection = "down" | "right"

/**
 * How much a drawing shows, in ascending order.
 *
 * - `agents`: agents and conditions.
 * - `tools`: also models, tools and state keys. This is the default.
 * - `all`: also exits, escalations, failures and limits.
 * - `statechart`: all states and transitions, with their events, guards, actions and invoked
 *   actors.
 */
export type DrawingDetail = "agents" | "tools" | "all" | "statechart"
