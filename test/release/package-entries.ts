import { readFileSync } from "node:fs"
import { join } from "node:path"
import type { Entry } from "./public-surface.js"

type Condition = string | { readonly [condition: string]: Condition }

export interface Manifest {
  readonly name: string
  readonly version: string
  readonly bin: Readonly<Record<string, string>>
  readonly exports: Readonly<Record<string, Condition>>
  readonly files: readonly string[]
  readonly dependencies: Readonly<Record<string, string>>
  readonly optionalDependencies: Readonly<Record<string, string>>
}

export const readManifest = (root: string): Manifest =>
  JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as Manifest

/** Returns every file to which `exports` leads, with the conditions of its path. */
export const targetsOf = (
  condition: Condition,
  conditions: readonly string[] = [],
): readonly { readonly conditions: readonly string[]; readonly file: string }[] =>
  typeof condition === "string"
    ? [{ conditions, file: condition.replace(/^\.\//, "") }]
    : Object.entries(condition).flatMap(([name, inner]) => targetsOf(inner, [...conditions, name]))

/** Returns the entries with the files of their types. An entry whose types differ by condition is listed once per condition. */
export function entriesOf(root: string): readonly Entry[] {
  const { name, exports } = readManifest(root)
  return Object.entries(exports).flatMap(([path, condition]) =>
    targetsOf(condition)
      .filter(({ conditions }) => conditions.at(-1) === "types")
      .map(({ conditions, file }, _, { length }) => ({
        name: name + path.slice(1) + (length === 1 ? "" : ` (${conditions[0]})`),
        types: file,
      })),
  )
}
