import { asciiDigits } from "../characters/decimal-digits.js"

/** A format specification that the check let pass, taken apart once at compile time. */
export interface FormatSpec {
  readonly fill: string
  readonly align: "<" | ">" | "=" | "^" | null
  /** The 0 before the width: zeros as fill, behind the sign. */
  readonly zero: boolean
  readonly sign: "+" | "-" | " " | null
  readonly width: number
  readonly grouping: "," | "_" | null
  readonly precision: number | null
  /** Empty when the type of the value decides. A line break gets this far and is then no known type. */
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
