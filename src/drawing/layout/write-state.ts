import type { PictureState } from "../picture/picture.js"
import { measures } from "./measures.js"
import type { PlacedLevel, Size, WrittenState } from "./geometry.js"
import type { TextBlock } from "./wrap-text.js"
import { wrapText } from "./wrap-text.js"

const { padding, icon, iconGap, title, line, maxText, maxHolderTitle, minWidth, choice } = measures

const nothing: TextBlock = { lines: [], width: 0, whole: null }

/**
 * Returns the height of the title and the text lines of a state in pixels. The contents of a
 * container start below them.
 */
const headHeight = ({ title: head, lines }: Pick<WrittenState, "title" | "lines">): number =>
  padding +
  head.lines.length * title.line +
  (lines.lines.length === 0 ? 0 : 4 + lines.lines.length * line.line)

/**
 * Wraps the text of a state and computes the size of the state. The callback `inside` computes the
 * positions of the contents below the text, and returns null if the state has no contents.
 */
export function writeState(
  state: PictureState,
  inside: (
    top: number,
    minimum: number,
  ) => { readonly regions: readonly PlacedLevel[]; readonly size: Size } | null,
): WrittenState {
  const { id, look, agent, holds, folded = false } = state
  const agents = holds ?? (agent === undefined ? [] : [agent])
  if (look === "choice")
    return {
      id,
      look,
      agents,
      folded,
      title: { ...nothing, whole: state.title },
      lines: nothing,
      regions: [],
      width: choice,
      height: choice,
    }
  const titleBlock = wrapText(state.title, {
    ...title,
    weight: "bold",
    maxWidth: state.regions.length === 0 ? maxText : maxHolderTitle,
    maxLines: 3,
  })
  const lines = joinBlocks(
    state.lines.map((each) => wrapText(each, { ...line, maxWidth: maxText, maxLines: 2 })),
  )
  const text = { title: titleBlock, lines }
  const width = even(
    Math.max(minWidth, 2 * padding + icon + iconGap + Math.max(titleBlock.width, lines.width)),
  )
  const head = headHeight(text)
  const held = inside(head + padding, width - 2 * padding)
  if (held === null)
    return { id, look, agents, folded, ...text, regions: [], width, height: even(head + padding) }
  return {
    id,
    look,
    agents,
    folded,
    ...text,
    regions: held.regions,
    width: even(Math.max(width, held.size.width + 2 * padding)),
    height: even(head + padding + held.size.height + padding),
  }
}

const joinBlocks = (blocks: readonly TextBlock[]): TextBlock => ({
  lines: blocks.flatMap(({ lines }) => lines),
  width: Math.max(0, ...blocks.map(({ width }) => width)),
  whole: blocks.some(({ whole }) => whole !== null)
    ? blocks.map(({ lines, whole }) => whole ?? lines.join(" ")).join("; ")
    : null,
})

const even = (length: number): number => Math.ceil(length / 4) * 4
