import type { StateLook } from "../picture/picture.js"
import type { TextBlock } from "./wrap-text.js"

export interface Point {
  readonly x: number
  readonly y: number
}

export interface Size {
  readonly width: number
  readonly height: number
}

/** A rectangle in the coordinates of its container. */
export interface Box extends Point, Size {}

/** A state with its wrapped text and its size, before it has a position. */
export interface WrittenState extends Size {
  readonly id: string
  readonly look: StateLook
  /** The agent of the state, or the agents inside of a folded state. */
  readonly agents: readonly string[]
  readonly folded: boolean
  readonly title: TextBlock
  readonly lines: TextBlock
  /** In the coordinates of this state. */
  readonly regions: readonly PlacedLevel[]
}

export interface PlacedState extends WrittenState, Box {}

/** A start or end mark of a level. */
export interface PlacedMark extends Box {
  readonly mark: "begin" | "end"
}

export interface PlacedLabel extends Box {
  readonly text: TextBlock
}

export interface PlacedArrow {
  /** State ids. null: the start or the end of the level. */
  readonly from: string | null
  readonly to: string | null
  readonly points: readonly Point[]
  readonly label: PlacedLabel | null
  /** Whether the arrow has two heads. */
  readonly both: boolean
}

export interface PlacedLevel extends Box {
  readonly states: readonly PlacedState[]
  readonly marks: readonly PlacedMark[]
  readonly arrows: readonly PlacedArrow[]
}

/** The whole picture: the root machine, and the AgentTools next to it. */
export interface PlacedPicture extends Size {
  readonly root: PlacedLevel
  readonly tools: readonly PlacedState[]
}
