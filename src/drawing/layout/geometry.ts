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

/** A rectangle. Its coordinates are relative to its container. */
export interface Box extends Point, Size {}

/** A state whose text is wrapped and whose size is known, but that has no position yet. */
export interface WrittenState extends Size {
  readonly id: string
  readonly look: StateLook
  /** Ids of the agents that the state shows: its own agent, or the agents inside a folded state. */
  readonly agents: readonly string[]
  readonly folded: boolean
  readonly title: TextBlock
  readonly lines: TextBlock
  /** Positioned regions of the state. Their coordinates are relative to the state. */
  readonly regions: readonly PlacedLevel[]
}

export interface PlacedState extends WrittenState, Box {}

/** The start mark or end mark of a level. */
export interface PlacedMark extends Box {
  readonly mark: "begin" | "end"
}

export interface PlacedLabel extends Box {
  readonly text: TextBlock
}

export interface PlacedArrow {
  /**
   * Id of the source state; null if the arrow begins at the start mark. `to` is null if it leads to
   * the end mark.
   */
  readonly from: string | null
  readonly to: string | null
  readonly points: readonly Point[]
  readonly label: PlacedLabel | null
  /** Whether the arrow has a head at both ends, because it represents two opposite transitions. */
  readonly both: boolean
  readonly kind: ArrowKind | null
}

export interface PlacedLevel extends Box {
  readonly states: readonly PlacedState[]
  readonly marks: readonly PlacedMark[]
  readonly arrows: readonly PlacedArrow[]
}

/**
 * A picture whose states and arrows have positions: the root machine, and the AgentTools next to
 * it.
 */
export interface PlacedPicture extends Size {
  readonly root: PlacedLevel
  readonly tools: readonly PlacedState[]
}
