import { type Found, secretMatcher, type SecretMatcher } from "./secret-matcher.js"

/** Takes the secrets of one call out of everything that a service sent back. */
export interface Mask {
  text(text: string): string
  /** A copy of a JSON value with every text, key and number masked. */
  value(value: unknown): unknown
  /** How many characters at the end of a text, masked before, may be the beginning of a secret that goes on. */
  begun(text: string): number
}

export interface Sensitive {
  readonly value: string
  /** What is put in its place, `[secret NAME]`. */
  readonly label: string
}

/** Shorter values are masked only where they stand alone: `a` or `42` occur in every answer, and replacing them would destroy it. */
const shortestMasked = 4

/**
 * Finds values as they are, in base64 and hex, in URL encoding, HTML entities and JSON escapes of any of their characters, and in another case.
 */
export function createMask(secrets: readonly Sensitive[]): Mask {
  const labels = new Map<string, string>()
  const alone = new Map<string, string>()
  const spelled: SecretMatcher[] = []
  for (const { value, label } of secrets) {
    if (value.length < shortestMasked) alone.set(value, label)
    else {
      spelled.push(secretMatcher(value, label))
      for (const form of formsOf(value)) if (!labels.has(form)) labels.set(form, label)
    }
  }
  const forms = [...labels.keys()].sort((a, b) => b.length - a.length)

  const text = (input: string): string => {
    const present = forms.filter((form) => input.includes(form))
    const found: Found[] = spelled.flatMap((secret) => secret.find(input))
    if (present.length > 0)
      for (const match of input.matchAll(new RegExp(present.map(literal).join("|"), "g")))
        found.push({
          from: match.index,
          to: match.index + match[0].length,
          label: labels.get(match[0]) ?? "",
        })
    let output = replaced(input, found)
    for (const [value, label] of alone) {
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
    // fromEntries defines properties, so a key such as `__proto__` stays data.
    return Object.fromEntries(
      Object.entries(input).map(([key, entry]: [string, unknown]) => [text(key), value(entry)]),
    )
  }

  let beginnings: ReadonlySet<string> | null = null
  const begun = (input: string): number => {
    // Most answers come in one piece and need none of this.
    beginnings ??= beginningsOf([...forms, ...alone.keys()])
    for (
      let length = Math.min(forms[0]?.length ?? shortestMasked, input.length);
      length > 0;
      length--
    )
      if (beginnings.has(input.slice(-length)))
        return Math.max(length, ...spelled.map((secret) => secret.begun(input)))
    return Math.max(0, ...spelled.map((secret) => secret.begun(input)))
  }

  return secrets.length === 0
    ? { text: (input) => input, value: (input) => input, begun: () => 0 }
    : { text, value, begun }
}

/** One pass, of those that overlap the first and longest: a label is never searched again. */
function replaced(input: string, found: readonly Found[]): string {
  let output = ""
  let done = 0
  const ordered = found.toSorted((one, other) => one.from - other.from || other.to - one.to)
  for (const { from, to, label } of ordered) {
    // What begins inside of another and goes on beyond it would leave its end readable.
    if (to <= done) continue
    output += from < done ? label : input.slice(done, from) + label
    done = to
  }
  return output + input.slice(done)
}

function beginningsOf(forms: readonly string[]): ReadonlySet<string> {
  const beginnings = new Set<string>()
  for (const form of forms)
    for (let length = 1; length < form.length; length++) beginnings.add(form.slice(0, length))
  return beginnings
}

/** The value as it is, in JSON, and in JSON inside of JSON, each in all encodings: what has nothing to escape is one. */
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
  const bytes = Buffer.from(value, "utf8")
  const base64 = bytes.toString("base64")
  const plain = [
    value,
    base64,
    bytes.toString("base64url"),
    base64.replace(/=+$/, ""),
    ...insideBase64(bytes),
  ]
  if (bytes.length >= shortestMasked)
    plain.push(bytes.toString("hex"), bytes.toString("hex").toUpperCase())
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

/** `Authorization: Basic` and the like: the value inside of a longer text, at each of the three places where base64 can cut it. */
function insideBase64(bytes: Buffer): string[] {
  return [0, 1, 2].flatMap((shift) => {
    const encoded = Buffer.concat([Buffer.alloc(shift), bytes])
      .toString("base64")
      .replace(/=+$/, "")
    const from = Math.ceil((shift * 8) / 6)
    const to = Math.floor(((shift + bytes.length) * 8) / 6)
    const core = encoded.slice(from, to)
    // Anything shorter would be found by chance.
    return core.length < 8 ? [] : [core, core.replaceAll("+", "-").replaceAll("/", "_")]
  })
}

function urlForms(form: string): string[] {
  // Most keys and most of their encodings are like this.
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
  // As in a URL that is itself a parameter, or the target of a redirect.
  const twice = [...once].map((text) => encodeURIComponent(text))
  return [...once, ...twice, ...twice.map(inLowerCase)]
}

const inLowerCase = (encoded: string): string =>
  encoded.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase())

const asciiOnly = (text: string): string =>
  text.replace(/[^\x20-\x7e]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`)

const literal = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/-]/g, "\\$&")
