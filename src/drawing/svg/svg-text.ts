import { plain } from "../picture/plain-text.js"
import type { Weight } from "./text-width.js"
import { isMeasured, textWidth } from "./text-width.js"

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
}

/** Text as XML takes it, in an element or in an attribute. Names of agents and conditions may be anything. */
export const xmlText = (text: string): string =>
  plain(text).replace(/[&<>"']/g, (mark) => entities[mark] ?? "")

/** To a tenth of a pixel: the same picture is the same text. */
export const px = (length: number): string => String(Math.round(length * 10) / 10)

export interface TextPlace {
  readonly x: number
  /** Of the first line's box, not its base line. */
  readonly y: number
  readonly size: number
  /** Height of a line. */
  readonly line: number
  readonly weight?: Weight
  readonly name: string
}

/** One text element for each line. A text that the table cannot measure is set to the width that was kept for it. */
export function svgLines(
  lines: readonly string[],
  { x, y, size, line, weight = "regular", name }: TextPlace,
): readonly string[] {
  return lines.map((text, index) => {
    const base = y + index * line + line / 2 + size * 0.35
    const set = isMeasured(text)
      ? ""
      : ` textLength="${px(textWidth(text, size, weight))}" lengthAdjust="spacingAndGlyphs"`
    return `<text class="${name}" x="${px(x)}" y="${px(base)}"${set}>${xmlText(text)}</text>`
  })
}

/** What a browser shows when the pointer rests on it. */
export const tooltip = (text: string | null): string =>
  text === null ? "" : `<title>${xmlText(text)}</title>`

/** What a page that shows the picture may ask of it: `data-` attributes, for those that are not null. */
export const facts = (known: Readonly<Record<string, string | null>>): string =>
  Object.entries(known)
    .map(([name, value]) => (value === null ? "" : ` data-${name}="${xmlText(value)}"`))
    .join("")
