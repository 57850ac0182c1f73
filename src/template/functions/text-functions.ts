import { type ChargedFunction, linear, formatted, lengthOf, charged } from "./charged-function.js"
import { depthOf, matchesCharged, repeated } from "./function-costs.js"
import { TemplateFailed } from "../limits/template-errors.js"
import { tooLarge } from "../limits/template-meter.js"

/**
 * JSONata's functions for strings and dates, by name. They return the same results as JSONata's own
 * functions, and charge their work to a meter that limits templates.
 */
export const textFunctions: Readonly<Record<string, ChargedFunction>> = {
  string: charged("<x-b?:s>", "1 or 2", (meter, [value, prettify], native) => {
    meter.walk(value, 2)
    if (prettify === true && typeof value === "object") {
      const size = meter.sizeOf(value) * 2 * depthOf(value, meter)
      if (size > meter.limits.size) throw tooLarge(`a string of about ${size} characters`)
      meter.spend(size / 64)
    }
    return native(value, prettify ?? false)
  }),
  substring: charged("<s-nn?:s>", 3, linear()),
  substringBefore: charged("<s-s:s>", 2, linear(1 / 256)),
  substringAfter: charged("<s-s:s>", 2, linear(1 / 256)),
  lowercase: charged("<s-:s>", 1, linear(1 / 64)),
  uppercase: charged("<s-:s>", 1, linear(1 / 64)),
  length: charged("<s-:n>", 1, linear()),
  trim: charged("<s-:s>", 1, linear(1 / 32)),
  pad: charged("<s-ns?:s>", 3, (meter, [text, width, char], native) => {
    const wanted = Math.abs(Math.trunc(Number(width)))
    if (wanted > meter.limits.size) throw tooLarge(`a string of ${wanted} characters`)
    meter.spend((lengthOf(text) + wanted) / 16)
    // JSONata appends the whole text `char` for each missing character, so the result can become
    // long.
    const fill = lengthOf(char)
    if (wanted * fill > meter.limits.size) throw tooLarge(`a string of ${wanted * fill} characters`)
    meter.spend((wanted * fill) / 16)
    return native(text, width, char)
  }),
  match: charged("<s-f<s:o>n?:a<o>>", 3, (meter, [text, pattern, limit], native) => {
    meter.spend(lengthOf(text) / 64)
    return native(text, matchesCharged(pattern, 0, meter), limit)
  }),
  contains: charged("<s-(sf):b>", 2, linear(1 / 64)),
  replace: charged("<s-(sf)(sf)n?:s>", 4, (meter, [text, pattern, replacement, limit], native) => {
    if (typeof text !== "string") return native(text, pattern, replacement, limit)
    const length = lengthOf(replacement)
    if (typeof pattern === "string") {
      const times = pattern === "" ? 0 : repeated(text, pattern)
      const size = text.length + times * length
      if (size > meter.limits.size) throw tooLarge(`a string of ${size} characters`)
      meter.spend(text.length / 64 + times / 8)
      return native(text, pattern, replacement, limit)
    }
    return native(text, matchesCharged(pattern, length / 16, meter), replacement, limit)
  }),
  split: charged("<s-(sf)n?:a<s>>", 3, (meter, [text, separator, limit], native) => {
    meter.spend(lengthOf(text) / 16)
    return native(text, matchesCharged(separator, 0, meter), limit)
  }),
  join: charged("<a<s>s?:s>", 2, (meter, [texts, separator], native) => {
    if (!Array.isArray(texts)) return native(texts, separator)
    const size = texts.reduce<number>(
      (sum, text) => sum + lengthOf(text),
      lengthOf(separator) * texts.length,
    )
    if (size > meter.limits.size) throw tooLarge(`a string of ${size} characters`)
    meter.spend(texts.length / 16 + size / 256)
    return native(texts, separator)
  }),
  formatNumber: charged("<n-so?:s>", 3, formatted(200)),
  formatBase: charged("<n-n?:s>", 2, linear()),
  formatInteger: charged("<n-s:s>", 2, formatted(200)),
  parseInteger: charged("<s-s:n>", 2, formatted(200)),
  base64encode: charged("<s-:s>", 1, linear(1 / 64)),
  base64decode: charged("<s-:s>", 1, linear(1 / 64)),
  encodeUrlComponent: charged("<s-:s>", 1, linear(1 / 32)),
  encodeUrl: charged("<s-:s>", 1, linear(1 / 32)),
  decodeUrlComponent: charged("<s-:s>", 1, linear(1 / 32)),
  decodeUrl: charged("<s-:s>", 1, linear(1 / 32)),
  // JSONata converts a picture string to a regular expression with one repetition for each
  // component. A long sequence of digits can make it backtrack for a very long time.
  toMillis: charged("<s-s?:n>", 2, (meter, [text, picture], native) => {
    if (
      lengthOf(text) > 60 ||
      (typeof picture === "string" && (picture.length > 40 || picture.split("[").length > 9))
    ) {
      throw new TemplateFailed(
        "$toMillis takes a string of at most 60 characters, with a picture of 40 characters and eight components",
      )
    }
    return formatted(60)(meter, [text, picture], native)
  }),
  fromMillis: charged("<n-s?s?:s>", 3, formatted(200)),
}
