import { stemOf } from "./porter-stemmer.js"

/** Chinese, Japanese and Korean. Each character is a token. */
const eastAsian = /[\u4e00-\u9fff\u3040-\u309f\u30a0-\u30ff\uac00-\ud7af]/u
/** Thai, Lao, Myanmar and Khmer. Each character is a token with the marks after it. */
const southEastAsian = /[\u0e00-\u0e7f\u0e80-\u0eff\u1000-\u109f\u1780-\u17ff]/u
const mark = /\p{M}/u
const letterOrDigit = /[\p{L}\p{N}]/u

/**
 * Returns the tokens of a text for ROUGE. The tokens of ASCII texts are those of the Python package
 * rouge-score with stemming. Other scripts follow ADK.
 */
export function tokenize(text: string): readonly string[] {
  const tokens: string[] = []
  let word = ""
  /** Whether `word` is a character of a script without spaces, which only marks extend. */
  let isCharacter = false
  const flush = (): void => {
    if (word !== "") tokens.push(/^[a-z0-9]+$/.test(word) && word.length > 3 ? stemOf(word) : word)
    word = ""
    isCharacter = false
  }
  for (const character of text.normalize("NFKC").toLowerCase()) {
    if (eastAsian.test(character)) {
      flush()
      tokens.push(character)
    } else if (southEastAsian.test(character)) {
      if (!mark.test(character)) {
        flush()
        isCharacter = true
      }
      word += character
    } else if (mark.test(character)) word += character
    else if (letterOrDigit.test(character)) {
      if (isCharacter) flush()
      word += character
    } else flush()
  }
  flush()
  return tokens
}
