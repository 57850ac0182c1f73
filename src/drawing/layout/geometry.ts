import type { ArrowKind, StateLook } from "../picture/picture.js"
import type { TextBlock } from "./wrap-text.js"

export interface Point {
  readonly x: number
  readonly y: number
}

export interface Size {
  readonly width: number
  readonly height: number
}

/** A rectangle in pixels. Its coordinates are relative to the state or level that contains it. */
export interface Box extends Point, Size {}

/** A state of a drawing with wrapped text and known size, but without a position. */
export interface WrittenState extends Size {
  readonly id: string
  readonly look: StateLook
  /**
   * Ids of the agents that the state shows. This is the agent of the state, or the agents inside a
   * folded state.
   */
  readonly agents: readonly string[]
  readonly folded: boolean
  readonly title: TextBlock
  readonly lines: TextBlock
  /**
   * Contents of the state, with positions relative to the state. Parallel branches are several
   * regions.
   */
  readonly regions: readonly PlacedLevel[]
}

export interface PlacedState extends WrittenState, Box {}

/** The mark where a level begins (a dot) or ends (a ring). */
export interface PlacedMark extends Box {
  readonly mark: "begin" | "end"
}

export interface PlacedLabel extends Box {
  readonly text: TextBlock
}

export interface PlacedArrow {
  /**
   * Id of the source state. Null if the arrow begins at the start mark (the dot before the first
   * state).
   */
  readonly from: string | null
  /** Id of the target state. Null if the arrow leads to the end mark (the ring). */
  readonly to: string | null
  readonly points: readonly Point[]
  readonly label: PlacedLabel | null
  /**
   * Whether the arrow has a head at both ends. Such an arrow represents two opposite transitions.
   */
  readonly both: boolean
  readonly kind: ArrowKind | null
}

export interface PlacedLevel extends Box {
  readonly states: readonly PlacedState[]
  readonly marks: readonly PlacedMark[]
  readonly arrows: readonly PlacedArrow[]
}

/**
 * A picture whose states and arrows have positions. `root` is the workflow, and `tools` are the
 * AgentTools next to it.
 */
export interface PlacedPicture extends Size {
  readonly root: PlacedLevel
  readonly tools: readonly PlacedState[]
}
