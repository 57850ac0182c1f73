import { readdirSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { describe, expect, test } from "vitest"
import { playsAllCases } from "../support/random-cases.js"
import { compileForm, forms, likeness, readNative, tryNative } from "./play-native.js"

/**
 * Vectors of the adk dialect in four forms: JSON in two spellings, JSON with inherited models, and a folder of YAML.
 */
const root = fileURLToPath(new URL("./vectors/", import.meta.url))
const names = readdirSync(root).flatMap((theme) =>
  readdirSync(join(root, theme)).map((name) => `${theme}/${name}`),
)

/** Returns the forms of a vector to run: one form in turn, or all forms if their expected results differ. */
const playedFormsOf = (name: string): readonly (typeof forms)[number][] => {
  const isSame = Object.keys(readNative(join(root, name)).expectByForm).length === 0
  const only = names.indexOf(name) % forms.length
  return isSame && !playsAllCases ? forms.filter((_, index) => index === only) : forms
}

describe.each(names)("%s", (name) => {
  const folder = join(root, name)
  const playedForms = playedFormsOf(name)

  test("all four forms compile to the same chart, except for the names of models", () => {
    const vector = readNative(folder)
    const [first, ...others] = forms.map((form) => compileForm(folder, vector, form).chart)
    for (const other of others) expect(other && likeness(other)).toEqual(first && likeness(first))
  })

  test.each(playedForms)("the form %s has the expected result as a run", async (form) => {
    expect(await tryNative(folder, form, "run")).toEqual([])
  })

  // The charts of the other forms are the same.
  test(`the form ${forms[0]} has the expected result as an XState actor`, async () => {
    expect(await tryNative(folder, forms[0], "actor")).toEqual([])
  })
})
