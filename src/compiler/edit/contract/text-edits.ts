import type { TextEdit } from "./edit-command.js"

/** Applies edits to a text. The edits must be sorted by offset and must not overlap. */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  const parts: string[] = []
  let end = 0
  for (const edit of edits) {
    parts.push(text.slice(end, edit.from), edit.text)
    end = edit.to
  }
  return parts.join("") + text.slice(end)
}

/**
 * Returns the edits that undo `edits`. Applied to the changed text, they restore the original
 * `text`.
 */
export function invertEdits(text: string, edits: readonly TextEdit[]): readonly TextEdit[] {
  let shift = 0
  return edits.map((edit) => {
    const from = edit.from + shift
    shift += edit.text.length - (edit.to - edit.from)
    return { from, to: from + edit.text.length, text: text.slice(edit.from, edit.to) }
  })
}

/**
 * Sorts edits and combines adjacent edits. The new texts of edits at the same offset keep their
 * order.
 */
export function mergeEdits(text: string, edits: readonly TextEdit[]): readonly TextEdit[] {
  const merged: TextEdit[] = []
  const sorted = edits
    .filter(({ from, to, text: inserted }) => to > from || inserted !== "")
    .toSorted((one, other) => one.from - other.from || one.to - other.to)
  for (const edit of sorted) {
    const last = merged.at(-1)
    if (last === undefined || edit.from > last.to) merged.push(edit)
    else if (edit.from < last.to)
      throw new RangeError(`the text edits at the offsets ${last.from} and ${edit.from} overlap`)
    else merged[merged.length - 1] = { from: last.from, to: edit.to, text: last.text + edit.text }
  }
  return merged.flatMap((edit) => trimmed(text, edit))
}

/**
 * Removes the unchanged characters at the start and the end of an edit. Returns an empty list if
 * the edit changes nothing.
 */
function trimmed(text: string, { from, to, text: inserted }: TextEdit): readonly TextEdit[] {
  const shortest = Math.min(to - from, inserted.length)
  let head = 0
  while (head < shortest && text[from + head] === inserted[head]) head++
  let tail = 0
  while (tail < shortest - head && text[to - 1 - tail] === inserted[inserted.length - 1 - tail])
    tail++
  const edit = {
    from: from + head,
    to: to - tail,
    text: inserted.slice(head, inserted.length - tail),
  }
  return edit.from === edit.to && edit.text === "" ? [] : [edit]
}

/**
 * Returns the edit that changes `text` to `changed`, without their common start and end. Returns an
 * empty list if the texts are equal.
 */
export const difference = (text: string, changed: string): readonly TextEdit[] =>
  trimmed(text, { from: 0, to: text.length, text: changed })
