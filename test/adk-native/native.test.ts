import { readdirSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { describe, expect, test } from "vitest"
import { playsAllCases } from "../support/random-cases.js"
import { compileForm, forms, likeness, readNative, tryNative } from "./play-native.js"

/** Vectors of the adk dialect as ADK's users write them: JSON in two spellings, with inherited models, and a folder of YAML. */
const root = fileURLToPath(new URL("./vectors/", import.meta.url))
const names = readdirSync(root).flatMap((theme) =>
  readdirSync(join(root, theme)).map((name) => `${theme}/${name}`),
)

/** One form of each vector is played, in turn. If the forms have different results, all are played. */
const playedFormsOf = (name: string): readonly (typeof forms)[number][] => {
  const isSame = Object.keys(readNative(join(root, name)).expectByForm).length === 0
  const only = names.indexOf(name) % forms.length
  return isSame && !playsAllCases ? forms.filter((_, index) => index === only) : forms
}

describe.each(names)("%s", (name) => {
  const folder = join(root, name)
  const playedForms = playedFormsOf(name)

  test("is one chart in all four forms, names of models apart", () => {
    const vector = readNative(folder)
    const [first, ...others] = forms.map((form) => compileForm(folder, vector, form).chart)
    for (const other of others) expect(other && likeness(other)).toEqual(first && likeness(first))
  })

  test.each(playedForms)("holds as %s", async (form) => {
    expect(await tryNative(folder, form, "run")).toEqual([])
  })

  // The charts of the other forms are the same.
  test(`holds as ${forms[0]} in an XState actor`, async () => {
    expect(await tryNative(folder, forms[0], "actor")).toEqual([])
  })
})
