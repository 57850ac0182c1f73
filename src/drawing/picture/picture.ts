import type { AgentKind } from "../../machines/contract/chart-machine.js"

/**
 * The contents of a drawing, independent of the output format. States are in the order of the
 * chart.
 */
export interface Picture {
  readonly root: Level
  /**
   * Machines of AgentTools. They are drawn next to the workflow, because a tool call is not a
   * transition.
   */
  readonly tools: readonly PictureState[]
}

/**
 * The states directly inside one container, or the outermost states, and the arrows between them.
 */
export interface Level {
  readonly states: readonly PictureState[]
  readonly arrows: readonly Arrow[]
}

/**
 * The appearance of a state. `exit`, `limit` and `ending` are final states: a normal early end, a
 * limit of the run, and a failure.
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
  /** Id of the state, unique in the picture. Contains only letters, digits and underscores. */
  readonly id: string
  readonly look: StateLook
  readonly title: string
  /** Text lines below the title. */
  readonly lines: readonly string[]
  /**
   * Contents of the state: empty for an atomic state, one level for a composite state, several
   * levels for a state with parallel regions.
   */
  readonly regions: readonly Level[]
  /** Id of the agent, as in run events. Missing if the state does not belong to an agent. */
  readonly agent?: string
  /** Whether the state is folded: its contents are not drawn. */
  readonly folded?: true
  /** Ids of the agents inside a folded state. Absent for other states. */
  readonly holds?: readonly string[]
  /** Ids of the agents that call this state's machine as a tool. */
  readonly callers?: readonly string[]
}

/**
 * An arrow between two states. If `from` is null, the arrow begins at the start mark of the level.
 * If `to` is null, it leads to the end mark.
 */
export interface Arrow {
  readonly from: string | null
  readonly to: string | null
  /** Alternative conditions of the transition. Empty if the transition is unconditional. */
  readonly labels: readonly string[]
  /** Absent for an ordinary transition. */
  readonly kind?: ArrowKind
}

/**
 * `handoff`: an agent hands the conversation to another. `failure`: the transition is taken after a
 * failure. `tool`: an agent calls another agent as a tool, which is not a transition.
 */
export type ArrowKind = "handoff" | "failure" | "tool"

/** Direction in which the agents of a sequence follow each other. */
export type DrawingDirection = "down" | "right"

/**
 * Detail level of a drawing. `agents`: agents and conditions. `ways`: also models, tools and state
 * keys. `all`: also exits, escalations, failures and limits. `statechart`: all states and
 * transitions, with their events, guards, actions and invoked actors.
 */
export type DrawingDetail = "agents" | "ways" | "all" | "statechart"
