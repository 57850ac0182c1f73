import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Page } from "playwright-core"
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest"
import { cli, isBuilt } from "../cli/command.js"
import { projectFolder } from "../docs/markdown-blocks.js"
import { lendPage, noBrowser, returnPage } from "../support/browser.js"
import type { TestStudio } from "./test-studio.js"
import { startTestStudio } from "./test-studio.js"

const payment = {
  function_name: "pay_invoice",
  function_args: { invoice: "INV-1", amount: 5, iban: "DE1" },
}

describe.skipIf(!isBuilt || noBrowser !== null)(
  "policies, certificates and evaluations in the studio",
  () => {
    let place: string
    let studio: TestStudio
    let page: Page
    let troubles: string[]
    const work = (...names: string[]): string => join(place, "work", ...names)

    beforeAll(async () => {
      place = mkdtempSync(join(tmpdir(), "studio-checks-"))
      for (const name of ["human-approval", "ci"])
        cpSync(join(projectFolder, "examples", name), work(name), { recursive: true })
      writeFileSync(
        join(place, "rules.policy.yaml"),
        "policies:\n  - name: no-payments\n    description: Ask the finance team.\n    never: { call: pay_invoice }\n",
      )
      mkdirSync(work("hasty"))
      cpSync(work("human-approval", "workflow.json"), work("hasty", "workflow.json"))
      writeFileSync(
        work("hasty", "scenario.json"),
        JSON.stringify({
          llm: {
            payments_agent: [
              { content: null, toolCalls: [{ id: "1", ...payment }] },
              { content: "It was not allowed.", exitFlow: true },
            ],
          },
        }),
      )
      studio = await startTestStudio(work(), join(place, "runs"), [
        "--policy",
        join(place, "rules.policy.yaml"),
        "--enforce",
      ])
    })

    afterAll(async () => {
      await studio.stop()
      rmSync(place, { recursive: true })
    })

    beforeEach(async () => {
      page = await lendPage()
      troubles = []
      page.on("pageerror", ({ message }) => troubles.push(message))
      page.on("console", (message) => message.type() === "error" && troubles.push(message.text()))
    })

    afterEach(async () => {
      expect(troubles).toEqual([])
      await returnPage(page)
    })

    const open = async (path: string): Promise<void> => {
      await page.goto(`${studio.url}#/file/${encodeURIComponent(path)}`)
      await page.locator(".check-row").first().waitFor()
    }
    const row = (file: string) => page.locator(".check-row", { hasText: file })

    test("the page shows each verdict with its location, and plays the counterexample of a violated policy", async () => {
      await open("human-approval/workflow.json")
      await row("rules.policy.yaml").getByText("1 violated").waitFor()
      await row("rules.policy.yaml").getByText("enforced in runs").waitFor()
      await row("payments.policy.yaml").getByText("1 violated").waitFor()
      await row("payments.policy.yaml").locator("summary").first().press("Enter")
      const policy = page.getByRole("article").filter({ hasText: "pay-after-approval" })
      await policy.getByText("payments.policy.yaml:4:5").waitFor()
      expect(
        await policy
          .getByRole("list", { name: /Counterexample/ })
          .locator("li")
          .allInnerTexts(),
      ).toEqual([
        expect.stringContaining("The run starts."),
        expect.stringContaining("payments_agent calls pay_invoice."),
      ])
      await policy.getByText("Policy in the file").click()
      expect(await policy.locator("pre").innerText()).toMatch(
        /^- name: pay-after-approval\n.*\n {2}allow: .*\n {2}onlyAfter: approval$/,
      )

      await policy.getByRole("button", { name: "Play the counterexample" }).click()
      const notes = page.locator(".policy-notes")
      await notes.getByText("1 violation").waitFor()
      await notes.getByText("Counterexample of pay-after-approval").waitFor()
      // The enforced policy does not apply to the counterexample of another policy.
      expect(await notes.getByText("no-payments").count()).toBe(0)
      await notes.getByRole("button", { name: /Show/ }).click()
      await page.getByText(/^\d of 14 records/).waitFor()
    })

    test("the view of a run lists the calls that an enforced policy has stopped", async () => {
      await open("hasty/workflow.json")
      await page.getByRole("button", { name: "Run", exact: true }).click()
      const notes = page.locator(".policy-notes")
      await notes.getByText("1 stopped call").click()
      await notes.getByText("Enforced policies: no-payments").waitFor()
      await notes.getByText("Ask the finance team.").waitFor()
    })

    test("the verdicts follow the text in the editor, and the problems of a policy file are reported", async () => {
      writeFileSync(work("ci", "wrong.policy.yaml"), "policies:\n  - name: x\n    neverr: 1\n")
      await open("ci/refunds.yaml")
      await row("wrong.policy.yaml")
        .getByText(/problem/)
        .waitFor()
      await row("refunds.policy.yaml").getByText("1 proved").waitFor()
      const editor = page.locator(".cm-content")
      await editor.getByText("require_confirmation").click()
      await page.keyboard.press("End")
      for (let key = 0; key < "true".length; key++) await page.keyboard.press("Backspace")
      await page.keyboard.type("false")
      await row("refunds.policy.yaml").getByText("1 violated").waitFor()
      rmSync(work("ci", "wrong.policy.yaml"))
    })

    test("certificates and evaluation reports are shown, and are marked if they are of another version", async () => {
      const ci = work("ci")
      const report = join(ci, "report.json")
      const evaluated = await cli([
        "eval",
        join(ci, "refunds.yaml"),
        join(ci, "refunds.evalset.json"),
        `--config=${join(ci, "test_config.json")}`,
        `--scripted=${join(ci, "refunds.scenario.json")}`,
        `--json=${report}`,
      ])
      expect(evaluated.code, evaluated.stderr).toBe(0)
      await open("ci/refunds.yaml")
      await row("report.json").getByText("1 passed").waitFor()
      expect(await row("report.json").getByText("of another version").count()).toBe(0)
      await row("report.json").locator("summary").first().click()
      await page
        .locator(".case", { hasText: "broken_order" })
        .getByText("response_match_score 0.8")
        .waitFor()

      const certificate = work("human-approval", "faults.certificate.json")
      const { of, ...others } = JSON.parse(readFileSync(certificate, "utf8")) as {
        readonly of: object
      }
      writeFileSync(
        certificate,
        JSON.stringify({ ...others, of: { ...of, fingerprint: "of an earlier text" } }),
      )
      writeFileSync(work("human-approval", "broken.certificate.json"), '{"certificate": 1, ')
      await open("human-approval/workflow.json")
      await row("faults.certificate.json").getByText("78 of 78 single faults survived").waitFor()
      await row("faults.certificate.json").getByText("of another version").waitFor()
      await row("faults.certificate.json").locator("summary").first().click()
      await page.getByRole("row", { name: /^kill-before 8 8/ }).waitFor()
      await page.setViewportSize({ width: 390, height: 844 })
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(
        390,
      )
    })

    test("files that are not policy files of the workflow are rejected", async () => {
      const text = readFileSync(work("human-approval", "workflow.json"), "utf8")
      const ask = (policies: string) =>
        studio.ask("/policies", {
          method: "POST",
          body: { file: "human-approval/workflow.json", text, policies },
        })
      expect((await ask("human-approval/scenario.json")).status).toBe(404)
      expect((await ask("../rules.policy.yaml")).status).toBe(404)
      expect((await ask("human-approval/payments.policy.yaml")).status).toBe(200)
    })
  },
)
