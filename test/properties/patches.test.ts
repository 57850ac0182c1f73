import { expect, test } from "vitest"
import { bugsOfFaults } from "../faults/planted-bugs.js"
import { patchedSource } from "./plant-bugs.js"
import { plantedBugs } from "./planted-bugs.js"

test.each([...plantedBugs, ...bugsOfFaults])(
  "src/$file contains the code that this bug replaces exactly once: $what",
  (patch) => {
    expect(patchedSource(patch)).toContain(patch.put)
  },
)
