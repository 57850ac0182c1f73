import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { mergeBranches } from "../../src/machines/containers/merge-branches.js"
import type { SessionState } from "../../src/machines/data/session-state.js"
import {
  applyPatch,
  entriesFrom,
  forkState,
  hasKey,
  keysWhere,
  patchOf,
  readKey,
  removeKey,
  stateFrom,
  toObject,
  writeKey,
} from "../../src/machines/data/session-state.js"
import { randomCases } from "../support/random-cases.js"

/** A small set of keys, so that keys repeat, and names of built-in object properties. */
const key = fc.oneof(
  fc.integer({ min: 0, max: 300 }).map((n) => `k${n}`),
  fc.constantFrom("__proto__", "constructor", "toString"),
)

const change = fc.oneof(
  fc.record({ kind: fc.constant("write" as const), key, value: fc.integer() }),
  fc.record({ kind: fc.constant("remove" as const), key }),
  fc.record({ kind: fc.constant("fork" as const) }),
  fc.record({
    kind: fc.constant("patch" as const),
    set: fc.array(fc.tuple(key, fc.integer()), { maxLength: 200 }),
  }),
)

/** Applies the changes to a session state and to a map, and returns both. */
function played(
  changes: readonly (typeof change extends fc.Arbitrary<infer One> ? One : never)[],
): { readonly state: SessionState; readonly model: Map<string, unknown> } {
  const model = new Map<string, unknown>([["k0", "at first"]])
  let state = stateFrom({ k0: "at first" })
  for (const one of changes) {
    if (one.kind === "write") {
      state = writeKey(state, one.key, one.value)
      model.set(one.key, one.value)
    } else if (one.kind === "remove") {
      state = removeKey(state, one.key)
      model.delete(one.key)
    } else if (one.kind === "fork") state = forkState(state)
    else {
      state = applyPatch(state, { set: entriesFrom(new Map(one.set)), removed: [] })
      for (const [name, value] of one.set) model.set(name, value)
    }
  }
  return { state, model }
}

const sorted = (
  entries: Iterable<readonly [string, unknown]>,
): readonly (readonly [string, unknown])[] =>
  [...entries].sort(([one], [other]) => (one < other ? -1 : 1))

describe("the session state", () => {
  test("the session state behaves like a map for any sequence of writes, removals, forks and patches", () => {
    fc.assert(
      fc.property(fc.array(change, { maxLength: 60 }), (changes) => {
        const { state, model } = played(changes)
        expect(sorted(Object.entries(toObject(state)))).toEqual(sorted(model))
        expect(Object.getPrototypeOf(toObject(state))).toBe(Object.prototype)
        for (const name of ["k0", "k1", "__proto__", "constructor"]) {
          expect(hasKey(state, name)).toBe(model.has(name))
          expect(readKey(state, name)).toBe(model.get(name))
        }
        expect([...keysWhere(state, (name) => name.endsWith("1"))].sort()).toEqual(
          [...model.keys()].filter((name) => name.endsWith("1")).sort(),
        )
        // The state is plain JSON, so a parsed copy has the same entries.
        expect(
          sorted(Object.entries(toObject(JSON.parse(JSON.stringify(state)) as SessionState))),
        ).toEqual(sorted(model))
      }),
      { numRuns: randomCases(500) },
    )
  })

  test("applying the patch of a branch to the state before the fork results in the state of the branch", () => {
    fc.assert(
      fc.property(
        fc.array(change, { maxLength: 30 }),
        fc.array(change, { maxLength: 30 }),
        (before, within) => {
          const { state } = played(before)
          let branch = forkState(state)
          for (const one of within) {
            if (one.kind === "write") branch = writeKey(branch, one.key, one.value)
            else if (one.kind === "remove") branch = removeKey(branch, one.key)
            else if (one.kind === "patch")
              branch = applyPatch(branch, { set: entriesFrom(new Map(one.set)), removed: [] })
          }
          expect(sorted(Object.entries(toObject(applyPatch(state, patchOf(branch)))))).toEqual(
            sorted(Object.entries(toObject(branch))),
          )
        },
      ),
      { numRuns: randomCases(300) },
    )
  })
})

test("the patches of 1,000 branches are merged in declaration order, including removals", () => {
  const before = stateFrom({ gone: 1, back: 1 })
  const branches = Array.from({ length: 1_000 }, (_, index) => ({
    branch: `b${index}`,
    patch: {
      set: { [`k${index}`]: index, last: index, ...(index === 700 && { back: 700 }) },
      removed: index === 500 ? ["gone", "back"] : [],
    },
  }))
  const merged = mergeBranches(
    before,
    [...branches, { branch: "adds", patch: { set: { sum: 2 }, removed: [] } }],
    { sum: "add" },
  )
  if (!merged.ok) throw new Error(merged.message)
  const state = toObject(merged.state)
  expect(state).toMatchObject({ k0: 0, k999: 999, last: 999, back: 700, sum: 2 })
  expect(Object.hasOwn(state, "gone")).toBe(false)
  expect(Object.keys(state)).toHaveLength(1_003)
})
