import { base64Of, hexOf } from "./encode-bytes.js"
import { type SecretMatch, secretMatcher, type SecretMatcher } from "./secret-matcher.js"

/**
 * Replaces the secrets of a call in texts and in JSON values with labels such as `[secret NAME]`.
 */
export interface Mask {
  text(text: string): string
  /** Returns a copy of a JSON value with masked secrets. Keys and numbers are masked too. */
  value(value: unknown): unknown
  /**
   * Returns the number of characters at the end of a text that may be the start of a secret. The
   * caller must keep these characters, because the next chunk of a stream may contain the remaining
   * characters of the secret.
   */
  partialLength(text: string): number
}

export interface Sensitive {
  readonly value: string
  /** Text that replaces the secret, for example `[secret NAME]`. */
  readonly label: string
}

/**
 * Minimum length of secrets that are masked everywhere, in characters. Shorter secrets are masked
 * only as whole words, because almost every response contains a text such as `a` or `42`.
 */
const shortestMasked = 4

/**
 * Creates a mask for secrets. The mask finds the secrets in plain text, base64, hex, URL encoding,
 * HTML entities and JSON escapes. Secrets with at least 8 characters are found regardless of case.
 */
export function createMask(secrets: readonly Sensitive[]): Mask {
  const labels = new Map<string, string>()
  const shortSecrets = new Map<string, string>()
  const matchers: SecretMatcher[] = []
  for (const { value, label } of secrets) {
    if (value.length < shortestMasked) shortSecrets.set(value, label)
    else {
      matchers.push(secretMatcher(value, label))
      for (const form of formsOf(value)) if (!labels.has(form)) labels.set(form, label)
    }
  }
  const forms = [...labels.keys()].sort((a, b) => b.length - a.length)

  const text = (input: string): string => {
    const present = forms.filter((form) => input.includes(form))
    const found: SecretMatch[] = matchers.flatMap((secret) => secret.find(input))
    if (present.length > 0)
      for (const match of input.matchAll(new RegExp(present.map(literal).join("|"), "g")))
        found.push({
          from: match.index,
          to: match.index + match[0].length,
          label: labels.get(match[0]) ?? "",
        })
    let output = replaced(input, found)
    for (const [value, label] of shortSecrets) {
      if (value !== "" && output.includes(value))
        output = output.replace(new RegExp(`(?<!\\w)${literal(value)}(?!\\w)`, "g"), () => label)
    }
    return output
  }

  const value = (input: unknown): unknown => {
    if (typeof input === "string") return text(input)
    if (typeof input === "number")
      return text(String(input)) === String(input) ? input : text(String(input))
    if (typeof input !== "object" || input === null) return input
    if (Array.isArray(input)) return input.map(value)
    // `fromEntries` defines properties, so a key such as `__proto__` is treated as data.
    return Object.fromEntries(
      Object.entries(input).map(([key, entry]: [string, unknown]) => [text(key), value(entry)]),
    )
  }

  let prefixes: ReadonlySet<string> | null = null
  const partialLength = (input: string): number => {
    // The set is created when it is first needed, because most responses arrive in one piece.
    prefixes ??= prefixesOf([...forms, ...shortSecrets.keys()])
    for (
      let length = Math.min(forms[0]?.length ?? shortestMasked, input.length);
      length > 0;
      length--
    )
      if (prefixes.has(input.slice(-length)))
        return Math.max(length, ...matchers.map((secret) => secret.partialLength(input)))
    return Math.max(0, ...matchers.map((secret) => secret.partialLength(input)))
  }

  return secrets.length === 0
    ? { text: (input) => input, value: (input) => input, partialLength: () => 0 }
    : { text, value, partialLength }
}

/**
 * Replaces all matched secrets with their labels, such as `[secret NAME]`. All matches are replaced
 * in one pass, so that the labels themselves are not searched. If matches overlap, the label of the
 * first match is used. If several matches start at the same position, the longest match is used.
 */
function replaced(input: string, found: readonly SecretMatch[]): string {
  let output = ""
  let done = 0
  const ordered = found.toSorted((one, other) => one.from - other.from || other.to - one.to)
  for (const { from, to, label } of ordered) {
    // The end of an overlapping match is removed as well.
    if (to <= done) continue
    output += from < done ? label : input.slice(done, from) + label
    done = to
  }
  return output + input.slice(done)
}

function prefixesOf(forms: readonly string[]): ReadonlySet<string> {
  const prefixes = new Set<string>()
  for (const form of forms)
    for (let length = 1; length < form.length; length++) prefixes.add(form.slice(0, length))
  return prefixes
}

/**
 * Returns all encodings of a secret that must be masked. A response may contain the secret as plain
 * text, inside a JSON string, or inside a JSON text that is itself in a JSON string.
 */
function formsOf(value: string): ReadonlySet<string> {
  const inJson = escapedForJson(value)
  return new Set(
    [...new Set([value, inJson, escapedForJson(inJson)])].flatMap((written) => [
      ...encodingsOf(written),
    ]),
  )
}

const escapedForJson = (text: string): string => JSON.stringify(text).slice(1, -1)

function encodingsOf(value: string): ReadonlySet<string> {
  const bytes = new TextEncoder().encode(value)
  const base64 = base64Of(bytes)
  const plain = [
    value,
    base64,
    urlSafe(base64).replace(/=+$/, ""),
    base64.replace(/=+$/, ""),
    ...insideBase64(bytes),
  ]
  if (bytes.length >= shortestMasked) {
    const hex = hexOf(bytes)
    plain.push(hex, hex.toUpperCase())
  }
  const forms = new Set(plain)
  for (const form of new Set(plain)) {
    for (const encoded of urlForms(form)) forms.add(encoded)
    const escaped = escapedForJson(form)
    forms.add(escapedForJson(escaped))
    for (const written of [escaped, asciiOnly(escaped)])
      forms.add(written).add(written.replaceAll("/", "\\/"))
  }
  return new Set([...forms].filter((form) => form.length >= shortestMasked))
}

/**
 * Returns the base64 texts that a secret can have inside a longer encoded text, for example in
 * `Authorization: Basic`. The base64 text depends on the position of the secret modulo 3, so there
 * are three base64 texts.
 */
function insideBase64(bytes: Uint8Array): string[] {
  return [0, 1, 2].flatMap((shift) => {
    const shifted = new Uint8Array(shift + bytes.length)
    shifted.set(bytes, shift)
    const encoded = base64Of(shifted).replace(/=+$/, "")
    const from = Math.ceil((shift * 8) / 6)
    const to = Math.floor(((shift + bytes.length) * 8) / 6)
    const core = encoded.slice(from, to)
    // A shorter form would match unrelated text by chance.
    return core.length < 8 ? [] : [core, urlSafe(core)]
  })
}

const urlSafe = (base64: string): string => base64.replaceAll("+", "-").replaceAll("/", "_")

function urlForms(form: string): string[] {
  // This is a fast path, because most values contain only these characters.
  if (/^[\w.-]*$/.test(form)) return []
  let encoded: string
  try {
    encoded = encodeURIComponent(form)
  } catch {
    return []
  }
  const strict = encoded.replace(
    /[!'()*~]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  const all = [
    encoded,
    strict,
    encodeURI(form),
    encoded.replaceAll("%20", "+"),
    strict.replaceAll("%20", "+"),
  ]
  const once = new Set([...all, ...all.map(inLowerCase)])
  // A value is encoded twice in a URL that is itself a parameter, for example a redirect target.
  const twice = [...once].map((text) => encodeURIComponent(text))
  return [...once, ...twice, ...twice.map(inLowerCase)]
}

const inLowerCase = (encoded: string): string =>
  encoded.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase())

const asciiOnly = (text: string): string =>
  text.replace(/[^\x20-\x7e]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`)

const literal = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/-]/g, "\\$&")
