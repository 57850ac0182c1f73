import { readdirSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { isBuilt } from "../../cli/command.js"
import { projectFolder } from "../../docs/markdown-blocks.js"
import { noBrowser } from "../../support/browser.js"
import type { StudioFolder, StudioPage } from "../studio-page.js"
import { studioFolder } from "../studio-page.js"
import { axeViolationsInBothSchemes } from "./axe-violations.js"
import type { KeyboardUser } from "./keyboard-user.js"
import { keyboardUser } from "./keyboard-user.js"
import { views, withoutElements, writeWorkflows } from "./views.js"

test("each file of the page that renders elements belongs to a view", () => {
  const page = join(projectFolder, "src/studio/page")
  const files = readdirSync(page, { recursive: true, encoding: "utf8" })
  const shown = Object.values(views).flatMap(({ shows }) => Object.keys(shows))
  expect([...new Set([...shown, ...withoutElements])].sort()).toEqual(
    files.filter((file) => file.endsWith(".tsx")).sort(),
  )
})

describe.skipIf(!isBuilt || noBrowser !== null)(
  "the studio without a pointer, in light and dark mode",
  () => {
    let place: StudioFolder
    let opened: StudioPage
    let user: KeyboardUser
    /** The first view that could not be opened. The views after it cannot be opened either. */
    let missed: string | null = null

    beforeAll(async () => {
      place = await studioFolder()
      await writeWorkflows(place)
      opened = await place.open(undefined, { height: 1000 })
      user = keyboardUser(opened.page)
    })
    afterAll(async () => {
      await opened.close()
      await place.stop()
    })

    test.each(Object.entries(views))("the view %j is accessible", async (name, { shows, open }) => {
      expect(missed, `The view "${missed}" could not be opened.`).toBeNull()
      missed = name
      await open(user)
      missed = null
      for (const element of Object.values(shows)) await user.page.locator(element).first().waitFor()
      expect(await axeViolationsInBothSchemes(user.page)).toEqual([])
    })
  },
)
