import { plain } from "../picture/plain-text.js"
import type { Weight } from "../layout/text-width.js"
import { isMeasured, textWidth } from "../layout/text-width.js"

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
}

/** Escapes a text for use in an XML element or attribute. */
export const xmlText = (text: string): string =>
  plain(text).replace(/[&<>"']/g, (mark) => entities[mark] ?? "")

/**
 * Formats a length in pixels with at most one decimal place. The rounding ensures that equal
 * drawings have equal text.
 */
export const px = (length: number): string => String(Math.round(length * 10) / 10)

export interface TextLayout {
  readonly x: number
  /** Vertical position of the top edge (not the baseline) of the first line. */
  readonly y: number
  readonly size: number
  /** Height of a line, in pixels. */
  readonly line: number
  readonly weight?: Weight
  readonly name: string
}

/**
 * Returns an SVG `text` element for each line. If a line contains characters of unknown width, the
 * attribute `textLength` makes the viewer scale the line to its estimated width.
 */
export function svgLines(
  lines: readonly string[],
  { x, y, size, line, weight = "regular", name }: TextLayout,
): readonly string[] {
  return lines.map((text, index) => {
    const base = y + index * line + line / 2 + size * 0.35
    const set = isMeasured(text)
      ? ""
      : ` textLength="${px(textWidth(text, size, weight))}" lengthAdjust="spacingAndGlyphs"`
    return `<text class="${name}" x="${px(x)}" y="${px(base)}"${set}>${xmlText(text)}</text>`
  })
}

/**
 * Returns an SVG `title` element, which browsers show as a tooltip. Returns an empty string if
 * `text` is null.
 */
export const tooltip = (text: string | null): string =>
  text === null ? "" : `<title>${xmlText(text)}</title>`

/**
 * Returns `data-` attributes for an SVG element, such as `data-state="writer"`. Omits values that
 * are null. Pages use the attributes to find the element of a state.
 */
export const facts = (known: Readonly<Record<string, string | null>>): string =>
  Object.entries(known)
    .map(([name, value]) => (value === null ? "" : ` data-${name}="${xmlText(value)}"`))
    .join("")
