import { stemOf } from "./porter-stemmer.js"

/** Matches Chinese, Japanese and Korean characters. Each of these characters is a token. */
const eastAsian = /[\u4e00-\u9fff\u3040-\u309f\u30a0-\u30ff\uac00-\ud7af]/u
/**
 * Matches Thai, Lao, Myanmar and Khmer characters. Each of these characters is a token, together
 * with the combining marks that follow it.
 */
const southEastAsian = /[\u0e00-\u0e7f\u0e80-\u0eff\u1000-\u109f\u1780-\u17ff]/u
const mark = /\p{M}/u
const letterOrDigit = /[\p{L}\p{N}]/u

/**
 * Divides a text into tokens for the ROUGE score. For ASCII texts, the tokens are the same as those
 * of the Python package rouge-score with stemming. Other scripts are divided as in ADK.
 */
export function tokenize(text: string): readonly string[] {
  const tokens: string[] = []
  let word = ""
  /**
   * Whether `word` is a character of a script without spaces, such as Thai. Then only combining
   * marks, such as vowel signs, can be appended to `word`.
   */
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
