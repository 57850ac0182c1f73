import { spawnSync } from "node:child_process"
import { describe, expect, test, vi } from "vitest"
import { askPerson } from "../../src/cli/run/ask-person.js"
import {
  escapeLine,
  escapeIndented,
  oneLine,
  safeJson,
  safeName,
  safeText,
  shellWord,
} from "../../src/cli/terminal/untrusted-text.js"
import type { PendingRequest } from "../../src/machines/contract/pending-request.js"
import type { RunControls } from "../../src/runtime/run/run-controls.js"
import { hostile } from "../security/hostile-chart.js"

const hidden = /(?![\n\t])[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/u

const asked = vi.hoisted(() => ({ texts: [] as string[] }))
vi.mock("@clack/prompts", () => {
  const keep = (...texts: readonly unknown[]): void =>
    void asked.texts.push(
      ...texts.flatMap((text) =>
        // The value of an option is not printed.
        typeof text === "string"
          ? [text]
          : Object.entries(text ?? {}).flatMap(([key, part]: [string, unknown]) =>
              typeof part === "string" && key !== "value" ? [part] : [],
            ),
      ),
    )
  return {
    isCancel: () => false,
    note: keep,
    log: { error: keep },
    text: (options: object) => (keep(options), Promise.resolve("{}")),
    select: (options: { options: readonly { value: string | number }[] }) => {
      keep(options)
      options.options.forEach((option) => keep(option))
      // Selects the edit of the arguments, the first choice, or the first of several requests.
      const chosen = options.options.find(({ value }) => value === "edit" || value === 0)
      return Promise.resolve(chosen?.value ?? "one")
    },
  }
})

describe("untrusted text in the output", () => {
  test("control characters and invisible characters are escaped", () => {
    expect(safeText("a\u001b[2Jb\u202ec\u{e0041}\u2028\ud800")).toBe(
      "a\\u001b[2Jb\\u202ec\\udb40\\udc41\\u2028\\ud800",
    )
    expect(safeText("a\r\nb\rc\td")).toBe("a\nb\nc\td")
    expect(oneLine(" a\n b\u2028c ")).toBe("a b c")
    expect(escapeIndented("a\nb\n\nc")).toBe("a\n  b\n\n  c")
    for (let unit = 0; unit < 0x11_0000; unit++)
      if (hidden.test(safeText(String.fromCodePoint(unit)))) expect.fail(`code point ${unit}`)
  })

  test.each(["❤️ 1️⃣", "👩‍🚀 👨‍👩‍👧‍👦 👍🏽", "می‌خواهم", "क्‍ष", "naïve Привет 日本語"])(
    "the text %s is not changed",
    (text) => expect(safeText(text)).toBe(text),
  )

  test.each(["pay\u200dee", "pay\u200cee", "p\ufe0fay", "\u200d", "a\u00adb"])(
    "the invisible character in %j is escaped",
    (text) => expect(safeText(text)).toMatch(/\\u/),
  )

  test("only the color codes that the program uses are kept, and only in a terminal", () => {
    const line = `\u001b[1ma\u001b[22m\u001b[35mb\u001b[1A`
    expect(escapeLine(line, true)).toBe("\u001b[1ma\u001b[22m\\u001b[35mb\\u001b[1A")
    expect(escapeLine(line, false)).toBe("\\u001b[1ma\\u001b[22m\\u001b[35mb\\u001b[1A")
  })
})

test("escaped JSON parses to exactly the same value", () => {
  const value = { [hostile]: [hostile, "a  b\u00a0c", "\ud800", 1] }
  for (const indent of [0, 2]) {
    expect(safeJson(value, indent)).not.toMatch(hidden)
    expect(JSON.parse(safeJson(value, indent))).toEqual(value)
  }
})

test("names with spaces or special characters are quoted", () => {
  expect(safeName("payer/pay#0")).toBe("payer/pay#0")
  expect(safeName('look_up {"city":"Oslo"} (call_1)')).toBe(
    '"look_up {\\"city\\":\\"Oslo\\"} (call_1)"',
  )
})

const hasBash = spawnSync("bash", ["-c", "printf %s $'\\U00000041'"]).stdout?.toString() === "A"

test.skipIf(!hasBash).each([hostile, "it's", "a\\b'\n", "plain", ""])(
  "a shell parses a quoted word to the original text: %j",
  (text) => {
    const word = shellWord(text)
    expect(word).not.toMatch(hidden)
    const env = { ...process.env, LC_ALL: "C.UTF-8" }
    expect(spawnSync("bash", ["-c", `printf %s ${word}`], { env }).stdout.toString()).toBe(text)
  },
)

test.each(["approval", "input", "human", "tool", "auth"] as const)(
  "the prompts for a request of kind %s escape all texts of the request",
  async (kind) => {
    asked.texts.length = 0
    const request: PendingRequest = {
      id: `one${hostile}`,
      kind,
      agent: `payer${hostile}`,
      path: `line/payer${hostile}`,
      branch: null,
      prompt: hostile,
      details: { [hostile]: hostile },
      toolCalls: [{ id: `call${hostile}`, name: `pay${hostile}`, args: { [hostile]: hostile } }],
    }
    const fail = (): never => {
      throw new Error(hostile)
    }
    const run = {
      pending: () => [request, { ...request, id: "two" }],
      approve: fail,
      answer: fail,
      deliver: fail,
      say: fail,
      end: fail,
    }
    // `askPerson` only calls the methods that answer a request.
    await askPerson(run as unknown as RunControls, () => undefined)
    expect(asked.texts.length).toBeGreaterThan(3)
    for (const text of asked.texts) expect(text).not.toMatch(hidden)
    expect(asked.texts.join("\n")).not.toMatch(/^FORGED/m)
  },
)

test("the prompt for a request with choices answers with a choice, and escapes all texts", async () => {
  asked.texts.length = 0
  const choices = ["no", `yes${hostile}`]
  const request: PendingRequest = {
    id: "one",
    kind: "human",
    agent: "editor",
    path: "editor",
    branch: null,
    prompt: "Publish?",
    details: null,
    choices,
    shown: { [hostile]: `line\n${hostile}` },
    omittedKeys: [hostile],
  }
  const answers: unknown[] = []
  const run = {
    pending: () => [request],
    answer: (_: string, value: unknown) => answers.push(value),
  }
  // `askPerson` only calls the methods that answer a request.
  await askPerson(run as unknown as RunControls, () => undefined)
  for (const text of asked.texts) expect(text).not.toMatch(hidden)
  expect(asked.texts.join("\n")).not.toMatch(/^FORGED/m)
  expect(answers).toEqual(["no"])
})
