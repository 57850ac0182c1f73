import { expect, test } from "vitest"
import { compatible } from "../../../src/runtime/index.js"
import { chartOf, human, llm, loop, sequence } from "../../support/workflow.js"

type Fields = Readonly<Record<string, Readonly<Record<string, unknown>>>>

const line = (agents: readonly string[], fields: Fields = {}, more = {}) =>
  chartOf(
    [
      sequence("line", agents),
      ...agents.map((id) => (id === "boss" ? human : llm)(id, fields[id])),
    ],
    more,
  )

const before = line(["writer", "boss"], {
  writer: { instructions: "Write about {{state.topic}}." },
})

const edited = (agents: readonly string[], fields: Fields = {}, more = {}) =>
  compatible(
    before,
    line(agents, { writer: { instructions: "Write about {{state.topic}}." }, ...fields }, more),
  )

test("equal charts are identical", () => {
  expect(edited(["writer", "boss"])).toEqual({
    verdict: "identical",
    differences: [],
    relevant: [],
  })
})

test("changed texts and appended agents are adoptable", () => {
  const { verdict, differences, relevant } = edited(["writer", "boss", "editor", "printer"], {
    writer: { instructions: "Write shortly about {{state.topic}}.", description: "Writes." },
    boss: { prompt: "Is it good?" },
  })
  expect({ verdict, relevant }).toEqual({ verdict: "adoptable", relevant: [] })
  expect(differences).toContain('agent "boss": prompt was "boss?" and is now "Is it good?"')
  expect(differences).toContain('agent "editor" was added')
})

test("changes of the order, the state or the limits depend on the run and are listed", () => {
  expect(edited(["boss", "writer"]).verdict).toBe("depends")
  expect(edited(["first", "writer", "boss"]).relevant).toContain('agent "first" was added')
  expect(edited(["writer"]).relevant).toContain('agent "boss" was removed')
  expect(
    edited(["writer", "boss"], { boss: { outputKey: "other", prompt: "Really?" } }),
  ).toMatchObject({
    verdict: "depends",
    relevant: [
      'agent "boss": outputKey was "boss_answer" and is now "other"',
      "the transitions or actions of state line.line.boss have changed",
    ],
  })
  expect(edited(["writer", "boss"], {}, { maxModelCalls: 3 }).verdict).toBe("depends")
  expect(
    edited(["writer", "boss"], { writer: { instructions: "Write {{state.other}}." } }),
  ).toMatchObject({
    verdict: "depends",
    relevant: [expect.stringMatching(/^agent "writer": instructions was /)],
  })
})

test("a changed text depends on the run if the length of a conversation determines the calls", () => {
  const long = (instructions: string) =>
    line(["writer", "boss"], { writer: { instructions, compaction: { maxTokens: 1_000 } } })
  const { verdict, relevant } = compatible(long("Write."), long("Write a long text."))
  expect(verdict).toBe("depends")
  expect(relevant).toContainEqual(expect.stringMatching(/^agent "writer": instructions was /))
})

test("an agent that is appended inside a loop depends on the run", () => {
  const rounds = (agents: readonly string[]) =>
    chartOf([loop("rounds", agents, 3), ...agents.map((id) => (id === "boss" ? human : llm)(id))])
  expect(compatible(rounds(["boss"]), rounds(["boss", "writer"])).verdict).toBe("depends")
})

test("an agent that is appended in the adk dialect depends on the run, because the root can run again", () => {
  const adk = (agents: readonly string[]) => line(agents, {}, { dialect: "adk" })
  expect(compatible(adk(["boss"]), adk(["boss", "writer"])).verdict).toBe("depends")
})
