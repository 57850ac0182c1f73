import { describe, expect, test } from "vitest"
import type { PendingRequest } from "../../src/machines/contract/pending-request.js"
import { begin, interpreters } from "../support/in-both-interpreters.js"
import { scriptedServices } from "../support/scripted-services.js"
import { chartOf, human, llm, sequence } from "../support/workflow.js"

/** Runs a writer and then a HumanAgent, until the HumanAgent waits for an answer. */
async function asked(
  interpreter: (typeof interpreters)[number],
  fields: object,
  { text = "tea", state = {} }: { readonly text?: string; readonly state?: object } = {},
) {
  const chart = chartOf(
    [
      sequence("all", ["writer", "boss"]),
      llm("writer", { outputKey: "draft" }),
      human("boss", { outputKey: "decision", ...fields }),
    ],
    { state },
  )
  const begun = begin(interpreter, chart, scriptedServices({ writer: [{ content: text }] }))
  await begun.controls.whenSettled()
  const [request] = begun.controls.pending()
  if (request === undefined) throw new Error("nothing is asked")
  const warnings = begun.events.flatMap((event) =>
    event.type === "warning" ? [event.message] : [],
  )
  return { ...begun, request, warnings }
}

const promptOf = async (prompt: string, state: object = {}): Promise<PendingRequest["prompt"]> =>
  (await asked("run", { prompt }, { state })).request.prompt

describe.each(interpreters)("a HumanAgent (%s)", (interpreter) => {
  test("accepts a choice with other case or extra spaces and saves it as it is declared", async () => {
    const { controls, request } = await asked(interpreter, { choices: ["Publish", "Do not"] })
    expect(request).toMatchObject({
      choices: ["Publish", "Do not"],
      answerSchema: { enum: ["Publish", "Do not"] },
    })
    controls.answer(request.id, " do NOT\n")
    const { status, state, text } = await controls.whenSettled()
    expect({ status, decision: state["decision"], text }).toEqual({
      status: "completed",
      decision: "Do not",
      text: "Do not",
    })
  })

  test("rejects every other answer with an error that lists the choices, and keeps waiting", async () => {
    const { controls, request } = await asked(interpreter, { choices: ["yes", "no", 3, true] })
    for (const answer of ["maybe", "", null, { answer: "yes" }, ["yes"], 4, false])
      expect(() => controls.answer(request.id, answer)).toThrow(
        expect.objectContaining({
          code: "input_refused",
          message: expect.stringContaining('"yes", "no", 3, true') as string,
        }),
      )
    expect(controls.pending()).toEqual([request])
    controls.answer(request.id, "3")
    expect((await controls.whenSettled()).state["decision"]).toBe(3)
  })

  test("shows copies of state values, and leaves out keys that do not exist", async () => {
    const { request, controls } = await asked(
      interpreter,
      { show: ["draft", "numbers", "ghost", "__proto__"] },
      { state: JSON.parse('{"numbers":[1],"__proto__":{"a":1},"hidden":2}') as object },
    )
    expect(JSON.stringify(request.shown)).toBe('{"draft":"tea","numbers":[1],"__proto__":{"a":1}}')
    const numbers = request.shown?.["numbers"]
    if (Array.isArray(numbers)) numbers.push(2)
    controls.answer(request.id, "ok")
    expect((await controls.whenSettled()).state["numbers"]).toEqual([1])
  })

  test("leaves out the largest values of a state that is too large, and names them", async () => {
    const { request, warnings } = await asked(
      interpreter,
      { show: ["draft", "long"] },
      { state: { long: "x".repeat(100_001) } },
    )
    expect(request).toMatchObject({ shown: { draft: "tea" }, omittedKeys: ["long"] })
    expect(warnings).toEqual([expect.stringContaining('does not show "long"')])
  })

  test("warns of a placeholder without a value and shows it unchanged", async () => {
    const { request, warnings } = await asked(interpreter, { prompt: "{draft} for {whom}{x?}?" })
    expect(request.prompt).toBe("tea for {whom}?")
    expect(warnings).toEqual([expect.stringContaining("{whom}")])
  })
})

describe("the prompt of a HumanAgent", () => {
  test.each([
    ["Publish {draft}?", "Publish tea?"],
    ["Publish { draft }?", "Publish tea?"],
    ["{{draft}} is {draft}", "{draft} is tea"],
    ["{{draft} is {draft}", "{draft} is tea"],
    ["{{{draft}}}", "{tea}"],
    ["a {{ b", "a { b"],
    ["a }} b }", "a }} b }"],
    ['{"a": {"b": 1}}', '{"a": {"b": 1}}'],
    ['{{"a": {{"b": "{draft}"}}}}', '{"a": {"b": "tea"}}'],
    ["{}{1}{a b}", "{}{1}{a b}"],
    ["{list} {nothing}", '[1,"{draft}"] '],
    ["line one\nline two: {draft}", "line one\nline two: tea"],
  ])("the placeholders of the prompt %j are replaced", async (prompt, filled) => {
    expect(await promptOf(prompt, { list: [1, "{draft}"], nothing: null })).toBe(filled)
  })
})
