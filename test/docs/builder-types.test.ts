import { fileURLToPath } from "node:url"
import { expect, test } from "vitest"
import { builderTypes } from "./builder-types.js"

const folder = fileURLToPath(new URL("../../src/adk/common/", import.meta.url))

test.each(Object.entries(builderTypes))(
  "%s has the current types of config fields; `npm run docs:config` updates it",
  async (name, text) => {
    await expect(text.replace(/\n\n$/, "\n")).toMatchFileSnapshot(`${folder}${name}`)
  },
)
