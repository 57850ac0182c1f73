import { cut, plain } from "../picture/plain-text.js"

/**
 * Text as Mermaid takes it anywhere. Everything but letters, digits and harmless marks becomes an entity (`#58;`): colons and
 * semicolons end labels, quotes and brackets are syntax, `%%` starts a comment, `<` is HTML, `*`, backticks and the underscores
 * around a word are Markdown.
 */
export function mermaidText(text: string, max: number): string {
  return [...cut(plain(text), max)]
    .map((character, index, all) =>
      isHarmless(character, all[index - 1], all[index + 1])
        ? character
        : `#${character.codePointAt(0)};`,
    )
    .join("")
}

const harmless = /^[\p{L}\p{N}\p{M} .,()'=+?!→…“”-]$/u
const inWord = /^[\p{L}\p{N}_]$/u

function isHarmless(
  character: string,
  before: string | undefined,
  after: string | undefined,
): boolean {
  if (character === "_")
    return inWord.test(before ?? "") && inWord.test(after ?? "") && before !== "_" && after !== "_"
  return harmless.test(character)
}
