import { describe, expect, test } from "vitest"
import { compile } from "../../src/compiler/index.js"
import { fillJson, parseJsonTemplate } from "../../src/template/fill/fill-json.js"
import { fillTemplate } from "../../src/template/fill/fill-template.js"
import { parseTemplate } from "../../src/template/parse/parse-template.js"
import { templateLimits } from "../../src/template/limits/template-limits.js"
import { TemplateMeter } from "../../src/template/limits/template-meter.js"
import { hostileParses, hostileState, hostileTemplates } from "./hostile/templates.js"

const scope = { state: hostileState, context: {} }

/**
 * The maximum work between two pauses. A step of JSONata is one unit and takes one to ten microseconds. Only single functions
 * on long texts, which are many times faster, use more than 10,000 units at once.
 */
const longestStretch = 80_000

/** A quarter of the budget of a call, so that the tests end sooner. */
const limits = { ...templateLimits, work: templateLimits.work / 4 }

/** Fills a template and returns the maximum work between two pauses. */
async function stretchOf(expression: string): Promise<number> {
  let before = 0
  let longest = 0
  const meter: TemplateMeter = new TemplateMeter(async () => {
    longest = Math.max(longest, meter.spent - before)
    before = meter.spent
    await Promise.resolve()
  }, limits)
  try {
    await fillTemplate(parseTemplate(`{{ ${expression} }}`), scope, { meter })
  } catch (error) {
    expect(error).toHaveProperty("code", expect.stringMatching(/^template_(failed|refused)$/))
  }
  expect(meter.spent).toBeLessThan(2 * limits.work)
  return Math.max(longest, Math.min(meter.spent, limits.work) - before)
}

describe("templates that block the process", () => {
  test.each(hostileTemplates)(
    "the evaluation of a template pauses often enough: %s",
    async (_, expression) => {
      expect(await stretchOf(expression)).toBeLessThan(longestStretch)
    },
  )

  test.each(hostileParses)("the parser rejects a template: %s", (_, expression) => {
    expect(() => parseTemplate(`{{ ${expression} }}`)).toThrow(
      expect.objectContaining({ code: "template_refused" }),
    )
  })

  test("the templates of one call share one budget", async () => {
    const field = "{{ $count([1..150].[1..150]) }}"
    const body = parseJsonTemplate(Array.from({ length: 40 }, () => field))
    const meter = new TemplateMeter()
    expect(await fillTemplate(parseTemplate(field), scope)).toBe(150)
    await expect(fillJson(body, scope, { meter })).rejects.toMatchObject({
      code: "template_failed",
      message: expect.stringContaining("units of work"),
    })
  })

  test("the templates of one config share one parsing budget", () => {
    const body = Object.fromEntries(
      Array.from({ length: 500 }, (_, index) => [
        `f${index}`,
        `{{ a${".b".repeat(249)} & '${index}' }}`,
      ]),
    )
    const { chart, diagnostics } = compile({
      rootAgentId: "a",
      agents: [
        { id: "a", type: "LlmAgent", httpConfig: { url: "http://h/", method: "POST", body } },
      ],
    })
    expect(chart).toBeNull()
    expect(diagnostics.map(({ message }) => message).join()).toContain("exceed the parsing limit")
  })

  test("filling the same template twice takes the same number of units of work", async () => {
    const spent = async (): Promise<number> => {
      const meter = new TemplateMeter()
      await fillTemplate(parseTemplate("{{ $sum(state.numbers[$ > 5000]) }}"), scope, { meter })
      return meter.spent
    }
    expect(await spent()).toBe(await spent())
  })
})
