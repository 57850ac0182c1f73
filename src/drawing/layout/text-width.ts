/**
 * Font weights for which the widths of characters are known. The widths are upper bounds, in
 * thousandths of the font size. They were measured with the widest common sans-serif fonts, so that
 * text always fits into its box.
 */
export type Weight = "regular" | "bold"

const bounds: Readonly<Record<Weight, readonly (readonly [number, string])[]>> = {
  regular: [
    [280, "'ijl"],
    [340, " ,.IJ/:;\\|"],
    [400, "()[]tf-r!"],
    [500, '"*_`“”'],
    [540, "?sz"],
    [600, "Lcvxyk"],
    [620, "PTYaeoF"],
    [640, "$0123456789ESbdghnpqu{}"],
    [700, "ABCRVXZK"],
    [760, "HNU"],
    [800, "OQ&DG"],
    [840, "#+<=>^~w→"],
    [980, "m%M"],
  ],
  bold: [
    [360, " ijl'"],
    [440, ",./IJ\\|:;-f"],
    [500, "!()[]_`rt"],
    [580, '"*?'],
    [640, "cszL"],
    [700, "vxyaek$0123456789EFTo“”"],
    [740, "Sbdghnpqu{}CPYZ"],
    [780, "ABKRVX"],
    [840, "#+<=>DGHN^~U→"],
    [940, "OQ&w"],
    [1060, "@M%m"],
  ],
}

const tables: Readonly<Record<Weight, ReadonlyMap<string, number>>> = {
  regular: tableOf(bounds.regular),
  bold: tableOf(bounds.bold),
}

function tableOf(rows: readonly (readonly [number, string])[]): ReadonlyMap<string, number> {
  return new Map(
    rows.flatMap(([width, characters]) =>
      [...characters].map((character) => [character, width] as const),
    ),
  )
}

export function textWidth(text: string, size: number, weight: Weight = "regular"): number {
  let sum = 0
  for (const character of text)
    sum += tables[weight].get(character) ?? otherWidth(character, weight)
  return (sum * size) / 1000
}

/**
 * Estimates the width of a character that is not in the width table, in thousandths of the font
 * size. A letter with an accent is as wide as its base letter. Ideographs and emoji are wider than
 * the font size.
 */
function otherWidth(character: string, weight: Weight): number {
  const base = character.normalize("NFD")[0] ?? character
  const known = tables[weight].get(base)
  if (known !== undefined) return known
  if (/^\p{M}$/u.test(character)) return 0
  if (/^[\p{Script=Greek}\p{Script=Cyrillic}]$/u.test(character))
    return weight === "bold" ? 960 : 860
  if (/^\p{Extended_Pictographic}$/u.test(character)) return 1400
  return 1100
}

/**
 * Returns whether the width table contains all characters of a text. Otherwise the width of the
 * text is an estimate.
 */
export const isMeasured = (text: string): boolean =>
  [...text].every(
    (character) =>
      tables.regular.has(character.normalize("NFD")[0] ?? character) || character === "…",
  )
