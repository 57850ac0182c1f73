import * as fc from "fast-check"
import type { Dialect, Tale } from "./arbitrary-scene.js"
import { tale } from "./arbitrary-scene.js"
import { damage, forms, scratch } from "./broken-config.js"
import { breaks, compiles } from "./compiler-properties.js"
import type { Coverage } from "./coverage.js"
import { graphTale } from "./graph-scene.js"
import { endsAndAgrees, survives } from "./properties.js"

/** Workflows of a dialect, whole graphs, or all of them. */
export type Kind = Dialect | "graph" | "both"

const deaths = fc.record({
  after: fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 2 }),
  betweenSteps: fc.boolean(),
  downFor: fc.constantFrom(0, 0, 500, 10_000),
})

const breaking = fc.record({
  form: fc.constantFrom(...forms),
  damages: fc.array(damage, { minLength: 1, maxLength: 4 }),
  scratches: fc.oneof(
    { weight: 3, arbitrary: fc.constant([]) },
    { weight: 1, arbitrary: fc.array(scratch, { minLength: 1, maxLength: 3 }) },
  ),
  as: fc.constantFrom("object", "json", "yaml"),
  asks: fc.boolean(),
})

const tales = (dialect: Kind): fc.Arbitrary<Tale> =>
  dialect === "both"
    ? fc.oneof(
        { weight: 4, arbitrary: tale("adk") },
        { weight: 2, arbitrary: tale("graph-compose") },
        { weight: 1, arbitrary: graphTale },
      )
    : dialect === "graph"
      ? graphTale
      : tale(dialect)

/** The properties of random workflows, by name. The coverage counts the features that occur. */
export const properties = {
  "ends and agrees": (dialect: Kind, coverage: Coverage) =>
    fc.asyncProperty(tales(dialect), (one) => endsAndAgrees(one, coverage)),
  survives: (dialect: Kind, coverage: Coverage) =>
    fc.asyncProperty(tales(dialect), deaths, (one, two) => survives(one, two, coverage)),
  compiles: (dialect: Kind, coverage: Coverage) =>
    fc.asyncProperty(tales(dialect), fc.constantFrom(...forms), (one, form) =>
      compiles(one, form, coverage),
    ),
  breaks: (dialect: Kind, coverage: Coverage) =>
    fc.asyncProperty(tales(dialect), breaking, (one, two) => breaks(one, two, coverage)),
} as const satisfies Readonly<Record<string, (dialect: Kind, coverage: Coverage) => unknown>>

export type PropertyName = keyof typeof properties

export interface Trial {
  readonly cases: number
  readonly seed: number
  /** Stops at the first failure and does not shrink it. */
  readonly isQuick?: boolean
}

/** Checks a property with a number of random cases. Throws with the smallest case that breaks it. */
export async function tryProperty(
  name: PropertyName,
  dialect: Kind,
  { cases, seed, isQuick = false }: Trial,
  coverage: Coverage,
): Promise<void> {
  // Each property has its own type of values, which this function does not read.
  const property = properties[name](dialect, coverage) as fc.IAsyncProperty<unknown>
  await fc.assert(property, { numRuns: cases, seed, endOnFailure: isQuick })
}
