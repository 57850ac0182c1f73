import { describe, expect, test } from "vitest"
import { createMask } from "../../src/adapters/http/secrets/mask-secrets.js"

const secret = 'sk-Live/42+"Ωx&<y>é'
const mask = createMask([{ value: secret, label: "[secret KEY]" }])
const each = (write: (character: string) => string): string => [...secret].map(write).join("")
const point = (character: string): number => character.codePointAt(0) ?? 0
const bytes = Buffer.from(secret, "utf8")
const percent = (text: string): string =>
  [...Buffer.from(text, "utf8")].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join("")
const unicode = (character: string): string =>
  `\\u${point(character).toString(16).padStart(4, "0")}`

const forms: Readonly<Record<string, string>> = {
  plain: secret,
  "in upper case": secret.toUpperCase(),
  "in lower case": secret.toLowerCase(),
  "as decimal entities": each((one) => `&#${point(one)};`),
  "as padded entities": each((one) => `&#${String(point(one)).padStart(4, "0")};`),
  "as hexadecimal entities": each((one) => `&#x${point(one).toString(16)};`),
  "as hexadecimal entities in upper case": each(
    (one) => `&#X${point(one).toString(16).toUpperCase()};`,
  ),
  "with the entities of HTML": secret
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;"),
  "percent-encoded": encodeURIComponent(secret),
  "percent-encoded in every character": percent(secret),
  "percent-encoded in every character, in upper case": percent(secret).toUpperCase(),
  "percent-encoded twice": encodeURIComponent(encodeURIComponent(secret)),
  "JSON-escaped": JSON.stringify(secret).slice(1, -1),
  "JSON-escaped in every character": each(unicode),
  "JSON-escaped in every character, in upper case": each((one) =>
    unicode(one).toUpperCase().replace("\\U", "\\u"),
  ),
  "JSON-escaped twice": JSON.stringify(JSON.stringify(secret).slice(1, -1)).slice(1, -1),
  "in a mixture of encodings": each((one) =>
    point(one) % 2 === 0 ? percent(one) : `&#${point(one)};`,
  ),
  base64: bytes.toString("base64"),
  base64url: bytes.toString("base64url"),
  hex: bytes.toString("hex"),
  "hex in upper case": bytes.toString("hex").toUpperCase(),
  ...Object.fromEntries(
    [0, 1, 2, 3].map((offset) => [
      `base64 after ${offset} bytes`,
      Buffer.concat([Buffer.alloc(offset, "u"), bytes, Buffer.from("!!")]).toString("base64"),
    ]),
  ),
}

describe("a secret in the response of a service", () => {
  test.each(Object.entries(forms))("a secret is masked in this form: %s", (_, form) => {
    const masked = mask.text(`before ${form} after`)
    expect(masked).toContain("[secret KEY]")
    // In base64 of a longer text, characters that also encode neighboring bytes remain.
    expect(masked.replace("[secret KEY]", "").length).toBeLessThan(24)
  })

  test.each(
    Object.entries(forms).filter(([name]) => !/after \d|in (?:upper|lower) case/.test(name)),
  )("a stream that ends inside a secret does not show the start of the secret: %s", (_, form) => {
    for (let length = 1; length < form.length; length++) {
      const head = form.slice(0, length)
      const shown = `text ${head}`.slice(0, -mask.partialLength(`text ${head}`) || undefined)
      expect(shown.length).toBeLessThanOrEqual("text ".length + 1)
    }
  })

  test("every occurrence of a secret is masked", () =>
    expect(mask.text(`${secret}, ${percent(secret)}; ${secret}`)).toBe(
      "[secret KEY], [secret KEY]; [secret KEY]",
    ))

  test("a secret that is reversed, split or encoded twice with base64 is not masked, as documented", () => {
    expect(mask.text([...secret].reverse().join(""))).not.toContain("[secret KEY]")
    expect(mask.text(`${secret.slice(0, 9)} ${secret.slice(9)}`)).not.toContain("[secret KEY]")
    expect(mask.text(Buffer.from(bytes.toString("base64")).toString("base64"))).not.toContain(
      "[secret KEY]",
    )
  })

  test("a word that differs from a short secret in letter case is not masked", () => {
    const short = createMask([{ value: "test", label: "[secret T]" }])
    expect(short.text("test Test TEST")).toBe("[secret T] Test TEST")
  })
})
