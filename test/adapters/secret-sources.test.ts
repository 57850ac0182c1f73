import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import {
  secretsFromEnvironment,
  secretsFromFile,
  secretsFromObject,
} from "../../src/adapters/http/index.js"

describe("secrets from the environment", () => {
  test("are read at each use, with a prefix that the config omits", () => {
    const env: Record<string, string | undefined> = { AGENT_KEY: "one", HOME: "/root" }
    const secrets = secretsFromEnvironment({ prefix: "AGENT_", env })
    expect(secrets.read("KEY")).toBe("one")
    env["AGENT_KEY"] = "two"
    expect(secrets.read("KEY")).toBe("two")
    expect(secrets.read("HOME")).toBeUndefined()
  })

  test("without a prefix are all environment variables, and nothing else", () => {
    const secrets = secretsFromEnvironment({ env: { HOME: "/root" } })
    expect(secrets.read("HOME")).toBe("/root")
    expect(secrets.read("constructor")).toBeUndefined()
  })
})

describe("secrets from a file", () => {
  let folder = ""
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "secrets-"))
  })
  afterAll(() => rmSync(folder, { recursive: true }))
  const file = (text: string): string => {
    const path = join(folder, "secrets")
    writeFileSync(path, text)
    return path
  }

  test("can be the fields of a JSON object", () => {
    const secrets = secretsFromFile(file('\uFEFF {"key": "v1", "__proto__": "odd"}'))
    expect([secrets.read("key"), secrets.read("__proto__"), secrets.read("toString")]).toEqual([
      "v1",
      "odd",
      undefined,
    ])
  })

  test("can be lines with NAME=value", () => {
    const secrets = secretsFromFile(
      file("# comment\r\n\r\nA=1\r\n export B = two words \nC=\"x = y # z\"\nD='single'\nE=\n"),
    )
    expect(["A", "B", "C", "D", "E", "F"].map((name) => secrets.read(name))).toEqual([
      "1",
      "two words",
      "x = y # z",
      "single",
      "",
      undefined,
    ])
  })

  test.each([
    ['{"a": "hush', "is not valid JSON"],
    ['{"a": 1}', 'has a value for "a" that is not a string'],
    ["A=1\nhush", "has no NAME=value on line 2"],
  ])("cause an error without secrets if the file is invalid (%j)", (text, message) => {
    const path = file(text)
    const read = (): unknown => secretsFromFile(path)
    expect(read).toThrow(
      expect.objectContaining({
        code: "secret_missing",
        message: expect.stringContaining(`the secrets file ${path} ${message}`),
      }),
    )
    expect(read).toThrow(expect.not.objectContaining({ message: expect.stringContaining("hush") }))
  })

  test("cause an error if the file is missing", () => {
    expect(() => secretsFromFile(join(folder, "none"))).toThrow("cannot be read (ENOENT)")
  })
})

test("secrets from an object are its own fields", () => {
  expect(secretsFromObject({ a: "1" }).read("a")).toBe("1")
  expect(secretsFromObject({ a: "1" }).read("toString")).toBeUndefined()
})
