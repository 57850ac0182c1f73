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

/** In the coordinates of what holds it. */
export interface Box extends Point, Size {}

/** A state as it is written, before it has a place. */
export interface WrittenState extends Size {
  readonly id: string
  readonly look: StateLook
  /** The agents that it stands for: itself, or those inside where it is folded. */
  readonly agents: readonly string[]
  readonly folded: boolean
  readonly title: TextBlock
  readonly lines: TextBlock
  /** Placed in this state's own coordinates. */
  readonly regions: readonly PlacedLevel[]
}

export interface PlacedState extends WrittenState, Box {}

/** Where a level begins, or where it is done. */
export interface PlacedMark extends Box {
  readonly mark: "begin" | "end"
}

export interface PlacedLabel extends Box {
  readonly text: TextBlock
}

export interface PlacedArrow {
  /** Ids of states; null for where the level begins or ends. */
  readonly from: string | null
  readonly to: string | null
  readonly points: readonly Point[]
  readonly label: PlacedLabel | null
  /** Whether it leads both ways. */
  readonly both: boolean
}

export interface PlacedLevel extends Box {
  readonly states: readonly PlacedState[]
  readonly marks: readonly PlacedMark[]
  readonly arrows: readonly PlacedArrow[]
}

/** The whole picture: the root machine, and beside it what is asked as a tool. */
export interface PlacedPicture extends Size {
  readonly root: PlacedLevel
  readonly tools: readonly PlacedState[]
}
