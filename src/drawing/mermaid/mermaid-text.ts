import { cut, plain } from "../picture/plain-text.js"

/**
 * Shortens a text to `max` characters and escapes it for use anywhere in a Mermaid diagram. Every
 * character except letters, digits and safe punctuation becomes an entity such as `#58;`. Mermaid
 * would interpret the other characters. For example, `:` and `;` end a label, quotes and brackets
 * are syntax, `%%` starts a comment, `<` starts HTML, and `*`, backticks and `_` are Markdown.
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
