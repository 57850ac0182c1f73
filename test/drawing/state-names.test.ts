import { expect, test } from "vitest"
import { StateNames } from "../../src/drawing/chart/state-names.js"

test("states with the same name have different ids", () => {
  const names = new StateNames()
  expect(["check", "Check", "check", "check_2", "check"].map((key) => names.next(key))).toEqual([
    "check",
    "Check_2",
    "check_3",
    "check_2_2",
    "check_4",
  ])
})

// If each name were compared with all earlier suffixes, this test would exceed its timeout.
test("the time to create ids for states with the same name is linear", () => {
  const names = new StateNames()
  const ids = Array.from({ length: 100_000 }, () => names.next("checking"))
  expect(new Set(ids).size).toBe(100_000)
  expect(ids.at(-1)).toBe("checking_100000")
})
