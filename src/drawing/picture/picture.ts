import type { AgentKind } from "../../machines/contract/chart-machine.js"

/** The contents of a drawing, independent of any drawing language. States are in chart order. */
export interface Picture {
  readonly root: Level
  /** AgentTools. They are drawn next to the workflow, because a tool call is not a transition. */
  readonly tools: readonly PictureState[]
}

/** States on the same level, and the arrows between them. */
export interface Level {
  readonly states: readonly PictureState[]
  readonly arrows: readonly Arrow[]
}

export type StateLook = AgentKind | "team" | "tool" | "choice" | "resting" | "ending"

export interface PictureState {
  /** Unique in the picture. Only contains letters, digits and underscores. */
  readonly id: string
  readonly look: StateLook
  readonly title: string
  /** The lines below the title. */
  readonly lines: readonly string[]
  /** Empty for an atomic state, one level for a composite state, several for parallel regions. */
  readonly regions: readonly Level[]
  /** The agent id, as in run events. Missing if the state is not an agent. */
  readonly agent?: string
  /** Whether the contents of the state are hidden. */
  readonly folded?: true
  /** The agents inside, if the state is folded. */
  readonly holds?: readonly string[]
}

/** An arrow between two states. `from` null: the start of the level. `to` null: its end. */
export interface Arrow {
  readonly from: string | null
  readonly to: string | null
  /** Alternative conditions for the transition. Empty: always taken. */
  readonly labels: readonly string[]
}
