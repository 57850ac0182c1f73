/**
 * Text as Mermaid takes it anywhere. Everything but letters, digits and harmless marks becomes an entity (`#58;`): colons and
 * semicolons end labels, quotes and brackets are syntax, `%%` starts a comment, `<` is HTML, `*`, backticks and the underscores
 * around a word are Markdown.
 */
export function mermaidText(text: string, max: number): string {
  return [...cut(plain(text), max)]
    .map((character, index, all) => (isHarmless(character, all[index - 1], all[index + 1]) ? character : `#${character.codePointAt(0)};`))
    .join("")
}

const harmless = /^[\p{L}\p{N}\p{M} .,()'=+?!→…“”-]$/u
const inWord = /^[\p{L}\p{N}_]$/u

function isHarmless(character: string, before: string | undefined, after: string | undefined): boolean {
  if (character === "_") return inWord.test(before ?? "") && inWord.test(after ?? "") && before !== "_" && after !== "_"
  return harmless.test(character)
}

/** One line, without what no font shows or what turns the direction of a text. */
const plain = (text: string): string =>
  text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, " ")
    .replace(/[\p{Cf}\p{Cs}\p{Co}\p{Cn}]/gu, "")
    .trim()

/** Cuts between characters, not inside one. */
function cut(text: string, max: number): string {
  const characters = [...text]
  return characters.length <= max ? text : `${characters.slice(0, max - 1).join("").trimEnd()}…`
}
