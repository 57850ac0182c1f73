import type { AgentKind } from "../../machines/contract/chart-machine.js"

/** What is to be drawn, free of any drawing language. States stand in the order of the chart. */
export interface Picture {
  readonly root: Level
  /** Agents that are asked as tools: each stands beside the rest, since calling is no transition. */
  readonly tools: readonly PictureState[]
}

/** States that stand side by side, and the arrows among them. */
export interface Level {
  readonly states: readonly PictureState[]
  readonly arrows: readonly Arrow[]
}

export type StateLook = AgentKind | "team" | "tool" | "choice" | "resting" | "ending"

export interface PictureState {
  /** Unique in the picture: letters, digits and underscores. */
  readonly id: string
  readonly look: StateLook
  readonly title: string
  /** What is said below the title. */
  readonly lines: readonly string[]
  /** Nothing for an atomic state, one for a composite, several for parallel regions. */
  readonly regions: readonly Level[]
  /** The agent that it is: what events call it. */
  readonly agent?: string
  /** Stands for what it holds, which is not drawn. */
  readonly folded?: true
  /** Where it is folded: the agents inside. */
  readonly holds?: readonly string[]
}

/** From null = where the level begins; to null = where it is done. */
export interface Arrow {
  readonly from: string | null
  readonly to: string | null
  /** Alternatives: any of them leads this way. None = always. */
  readonly labels: readonly string[]
}
