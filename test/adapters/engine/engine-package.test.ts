import { expect, test } from "vitest"
import { enginePackage } from "../../../src/adapters/engine/engine-package.js"

test("an engine whose package is missing throws an error with the install command", () => {
  expect(() => enginePackage("no-such-engine", "1.2.3", "adapters/engine/none")).toThrow(
    expect.objectContaining({
      code: "package_missing",
      message:
        '"agent-statecharts/adapters/engine/none" needs "no-such-engine", which is not installed. Install it: npm install no-such-engine@1.2.3',
    }),
  )
})

test("an error of an installed package is thrown unchanged", () => {
  expect(() =>
    enginePackage("agent-statecharts/no-such-entry", "0", "adapters/engine/none"),
  ).toThrow(expect.objectContaining({ code: "ERR_PACKAGE_PATH_NOT_EXPORTED" }))
})
