import { asciiDigits } from "../characters/decimal-digits.js"

/** A parsed format specification of Python, such as `>8` or `,.2f`. */
export interface FormatSpec {
  readonly fill: string
  readonly align: "<" | ">" | "=" | "^" | null
  /**
   * Whether the width starts with a 0. If true, zeros are inserted after the sign to fill the
   * width.
   */
  readonly zero: boolean
  readonly sign: "+" | "-" | " " | null
  readonly width: number
  readonly grouping: "," | "_" | null
  readonly precision: number | null
  /**
   * The type character, such as `f`. If it is empty, the format depends on the type of the value.
   */
  readonly type: string
}

const pattern = /^(?:([^{}])?([<>=^]))?([-+ ])?(0)?(\p{Nd}+)?([,_])?(?:\.(\p{Nd}+))?([\s\S]*)$/u

export function parseFormatSpec(spec: string): FormatSpec {
  const [, fill, align, sign, zero, width, grouping, precision, type] = pattern.exec(spec)!
  return {
    fill: fill ?? (zero === undefined ? " " : "0"),
    align: oneOf(align, ["<", ">", "=", "^"]),
    zero: zero !== undefined && fill === undefined,
    sign: oneOf(sign, ["+", "-", " "]),
    width: width === undefined ? 0 : Number(asciiDigits(width)),
    grouping: oneOf(grouping, [",", "_"]),
    precision: precision === undefined ? null : Number(asciiDigits(precision)),
    type: type ?? "",
  }
}

function oneOf<Option extends string>(
  text: string | undefined,
  options: readonly Option[],
): Option | null {
  return options.find((option) => option === text) ?? null
}
