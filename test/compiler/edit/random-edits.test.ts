import { readFileSync, readdirSync } from "node:fs"
import { join } from "node:path"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { openFolder } from "../../../src/adapters/files/open-folder.js"
import type {
  EditCommand,
  Placement,
  WrapperType,
} from "../../../src/compiler/edit/contract/edit-command.js"
import type { EditedWorkflow } from "../../../src/compiler/edit/edit-workflow.js"
import { editWorkflow } from "../../../src/compiler/edit/edit-workflow.js"
import { randomCases, sampleOf, seed } from "../../support/random-cases.js"
import type { AgentFacts } from "./edited.js"
import { edited, factsOf, parsedText } from "./edited.js"

const examples = join(import.meta.dirname, "../../../examples")

/** Adds comments, so that every edit can be checked for lost comments. */
const commented = (text: string): string => {
  let number = 0
  return text
    .split("\n")
    .flatMap((line) => {
      const field = /^( *)(?:- )?[a-z_]+:(?: [^|>"'#&[{]*)?$/.exec(line)
      if (field === null || number > 40) return [line]
      number++
      return number % 3 === 0
        ? [`${field[1]}# above ${number}`, line]
        : [`${line} # after ${number}`]
    })
    .join("\n")
}

const nested = `# yaml-language-server: $schema=adk.schema.json
name: team
agent_class: SequentialAgent
initial_user_input: Go

# The agents of the team.
sub_agents:
# first
- name: writer
  model: large
  instruction: |
    Write about {topic}.

    # Not a comment
  tools: [exit_loop] # one tool

# rounds
- agent_class: LoopAgent
  name: rounds
  max_iterations: 3
  sub_agents:
    - name: critic
      model: large
      # how to answer
      instruction: >-
        Answer with
        one word.
    - {name: fixer, model: large, output_key: text}
- name: router
  model: large
  sub_agents:
    - name: helper
      model: small
      description: "Helps: a lot"
# the end
`

const flow = `name: team
agent_class: ParallelAgent
sub_agents: [{name: one, model: m}, {name: two, model: m, sub_agents: [ {name: three, model: m} ]}]
`

const minified = JSON.stringify({
  rootAgentId: "flow",
  agents: [
    { type: "SequentialAgent", id: "flow", subAgents: [{ agentId: "a" }, { agentId: "b" }] },
    {
      type: "LlmAgent",
      id: "a",
      model: "m",
      subAgents: [{ type: "LlmAgent", id: "c", model: "m" }],
    },
    { type: "LlmAgent", id: "b", model: "m" },
  ],
})

const unusual = `%YAML 1.2
---
# head
"name": team
'agent_class' : SequentialAgent
"sub_agents":
    # over-indented
    -   name: one
        model: large
        instruction: A plain text
          over two lines
          # and a comment of nobody
        before_agent_callback:
        - name: log # first
        - name: trace

    # a comment of nobody

    -
      # above the name
      name: two
      model: "quoted: \\"text\\""
      instruction: |+
        Keeps empty lines.


      sub_agents:
      - {
          name: three, # three
          model: large,
        }
      # after three
    - &team
      name: four
      agent_class: ParallelAgent
      sub_agents: # a comment of the list
      - name: five
        model: &model small
      - name: six
        model: *model
...
`

interface Case extends EditedWorkflow {
  readonly name: string
}

const files = readdirSync(examples, { recursive: true, encoding: "utf8" }).filter((file) =>
  /(?:^|\/)(?:workflow\.json|root_agent\.yaml|team\/drafting\.yaml)$/.test(file),
)

const ofFile = (file: string, change: (text: string) => string = (text) => text): Case => {
  const path = join(examples, file)
  const isYaml = file.endsWith(".yaml")
  return {
    name: file,
    text: change(readFileSync(path, "utf8")),
    folder: isYaml ? openFolder(path) : null,
  }
}

const cases: readonly Case[] = [
  ...sampleOf(files, 4).map((file) => ofFile(file)),
  { name: "nested", text: nested },
  { name: "comments everywhere", text: commented(nested) },
  { name: "CR LF", text: nested.replaceAll("\n", "\r\n") },
  { name: "no line end", text: nested.trimEnd() },
  { name: "byte order mark", text: `\uFEFF${nested}` },
  { name: "unusual YAML", text: unusual },
  { name: "brackets", text: flow },
  { name: "brackets without line end", text: flow.trimEnd() },
  { name: "minified", text: minified },
  { name: "tabs", text: JSON.stringify(JSON.parse(minified), null, "\t") },
  {
    name: "four spaces, CR LF",
    text: JSON.stringify(JSON.parse(minified), null, 4).replaceAll("\n", "\r\n"),
  },
]

const fieldValues = fc.constantFrom<unknown>(
  undefined,
  "short",
  "two\nlines",
  "# no comment: 'quoted' \"text\"",
  "  spaces and an end\n\n",
  "yes",
  "1",
  "",
  7,
  true,
  ["a", "b: c"],
  { "a key": [1, { deep: null }] },
)

const fields = fc.constantFrom(
  ["description"],
  ["outputKey"],
  ["model"],
  ["instruction"],
  ["instructions"],
  ["activityConfig", "retryPolicy", "maximumAttempts"],
  ["generateContentConfig", "temperature"],
  ["tools"],
  ["choices", 0],
)

/** Creates commands for a config with these agents. */
function commandsFor(names: readonly string[]): fc.Arbitrary<EditCommand> {
  const name = fc.constantFrom(...names)
  const placement: fc.Arbitrary<Placement> = fc.oneof(
    name.map((into) => ({ into })),
    name.map((before) => ({ before })),
    name.map((after) => ({ after })),
  )
  const wrapper = fc.constantFrom<WrapperType>("SequentialAgent", "ParallelAgent", "LoopAgent")
  return fc.oneof(
    fc.record({
      kind: fc.constant("addAgent" as const),
      type: fc.constantFrom("LlmAgent", "HumanAgent", "LoopAgent", "ParallelAgent"),
      placement,
    }),
    fc.record({ kind: fc.constant("removeAgent" as const), name }),
    fc.record({ kind: fc.constant("moveAgent" as const), name, placement }),
    fc.record({
      kind: fc.constant("wrapAgents" as const),
      names: fc.array(name, { minLength: 1, maxLength: 2 }),
      type: wrapper,
    }),
    fc.record({ kind: fc.constant("unwrapAgent" as const), name }),
    fc.record({
      kind: fc.constant("setField" as const),
      agent: name,
      field: fields,
      value: fieldValues,
    }),
    fc.record({
      kind: fc.constant("renameAgent" as const),
      from: name,
      to: fc.constant("renamed"),
    }),
  )
}

/** Returns all comments of a YAML text, sorted. Strings with `#` are included. */
const commentsOf = (text: string): readonly string[] =>
  text
    .split(/\r?\n/)
    .flatMap((line) => /(?:^|\s)(#.*)$/.exec(line)?.[1] ?? [])
    .toSorted()

type Agents = Readonly<Record<string, AgentFacts>>

/** Returns the agents that must exist after a command, with their sub-agents. null: not checked. */
function expectedChildren(
  command: EditCommand,
  before: Agents,
  added: string | null,
): ReadonlyMap<string, readonly string[]> | null {
  const children = new Map(Object.entries(before).map(([name, agent]) => [name, agent.children]))
  const edit = (name: string, change: (names: string[]) => readonly string[]): void => {
    children.set(name, change([...(children.get(name) ?? [])]))
  }
  const parentOf = (name: string): string =>
    [...children].find(([, own]) => own.includes(name))?.[0] ?? ""
  const place = (placement: Placement, name: string): void => {
    if ("into" in placement) edit(placement.into, (names) => [...names, name])
    else {
      const [other, shift] = "before" in placement ? [placement.before, 0] : [placement.after, 1]
      edit(parentOf(other), (names) => names.toSpliced(names.indexOf(other) + shift, 0, name))
    }
  }
  switch (command.kind) {
    case "addAgent":
      place(command.placement, added ?? "")
      return children
    case "moveAgent": {
      const other = Object.values(command.placement)[0]
      if (other === command.name && !("into" in command.placement)) return children
      const from = parentOf(command.name)
      const moved = "\0moved"
      edit(from, (names) => names.with(names.indexOf(command.name), moved))
      place(command.placement, command.name)
      edit(from, (names) => names.filter((name) => name !== moved))
      return children
    }
    case "wrapAgents": {
      const from = parentOf(command.names[0] ?? "")
      if (from === "") return null
      const names = (children.get(from) ?? []).filter((name) => command.names.includes(name))
      edit(from, (all) => all.toSpliced(all.indexOf(names[0] ?? ""), names.length, added ?? ""))
      children.set(added ?? "", names)
      return children
    }
    case "unwrapAgent": {
      const inner = children.get(command.name) ?? []
      edit(parentOf(command.name), (names) =>
        names.toSpliced(names.indexOf(command.name), 1, ...inner),
      )
      children.delete(command.name)
      return children
    }
    case "setField":
      return children
    default:
      return null
  }
}

/** Whether the fields of an agent contain other agents, as nodes of a graph or targets of tools. */
const hasInnerAgents = (own: unknown, agents: Agents): boolean =>
  [...JSON.stringify(own).matchAll(/"name":"([^"]+)"/g)].some(
    ([, name = ""]) => agents[name] !== undefined && agents[name].fields !== own,
  )

/** Returns a copy of the data in which every string `from` is replaced with `to`. */
function renamed(data: unknown, from: string, to: string): unknown {
  if (data === from) return to
  if (Array.isArray(data)) return data.map((item) => renamed(item, from, to))
  if (typeof data !== "object" || data === null) return data
  return Object.fromEntries(
    Object.entries(data).map(([key, value]) => [key, renamed(value, from, to)]),
  )
}

function check(workflow: Case, command: EditCommand): void {
  const before = factsOf(workflow)
  if (editWorkflow(workflow, command).refused !== null) return
  const result = edited(workflow, command)
  const after = factsOf({ ...workflow, text: result.text })
  const old = before.agents
  const touched = command.kind === "setField" ? command.agent : null
  for (const [name, { fields: own }] of Object.entries(after.agents))
    if (
      Object.hasOwn(old, name) &&
      command.kind !== "renameAgent" &&
      name !== touched &&
      !hasInnerAgents(old[name]?.fields, old)
    )
      expect(own).toEqual(old[name]?.fields)
  // The tools of an agent can define agents.
  const removesTools =
    command.kind === "setField" &&
    command.field[0] === "tools" &&
    hasInnerAgents(old[command.agent]?.fields, old)
  if (removesTools) return
  const expected = expectedChildren(command, old, result.agent)
  for (const [name, names] of expected ?? [])
    expect(after.agents[name]?.children, `sub-agents of ${name}`).toEqual(names)
  if (command.kind === "removeAgent") expect(after.agents).not.toHaveProperty([command.name])
  if (command.kind === "renameAgent") {
    const { from, to } = command
    const names = Object.keys(old).map((name) => (name === from ? to : name))
    expect(Object.keys(after.agents)).toEqual(names)
    expect(Object.values(after.agents)).toEqual(renamed(Object.values(old), from, to))
  }
  if (
    !["removeAgent", "unwrapAgent", "setField"].includes(command.kind) &&
    !workflow.text.trim().startsWith("{")
  )
    expect(commentsOf(result.text)).toEqual(commentsOf(workflow.text))
  if (workflow.text.includes("\r\n")) expect(result.text).not.toMatch(/[^\r]\n/)
  expect(result.text.endsWith("\n")).toBe(workflow.text.endsWith("\n"))
}

describe("random edits", () => {
  test.each(cases)("a random edit of $name changes nothing else", (workflow) => {
    const names = Object.keys(factsOf(workflow).agents)
    fc.assert(
      fc.property(commandsFor(names), (command) => {
        check(workflow, command)
      }),
      { seed, numRuns: randomCases(60) },
    )
  })

  test.each(cases)("several random edits of $name in a row change nothing else", (workflow) => {
    fc.assert(
      fc.property(fc.array(fc.nat(), { minLength: 3, maxLength: 6 }), (seeds) => {
        let current = workflow
        for (const each of seeds) {
          const names = Object.keys(factsOf(current).agents)
          const [command] = fc.sample(commandsFor(names), { seed: each, numRuns: 1 })
          if (
            command === undefined ||
            (command.kind === "renameAgent" && names.includes("renamed"))
          )
            continue
          check(current, command)
          const result = editWorkflow(current, command)
          if (result.refused === null) current = { ...current, text: result.text }
        }
      }),
      { seed, numRuns: randomCases(10) },
    )
  })

  test.each(cases)(
    "a random edit of $name with inserted characters is refused or results in a text that parses",
    (workflow) => {
      const names = Object.keys(factsOf(workflow).agents)
      const intruder = fc.constantFrom(
        "",
        "-",
        ":",
        "  ",
        "\n",
        "#",
        "*a",
        "&a ",
        "[",
        "{",
        "}",
        ",",
        '"',
        "|",
        "- - ",
        "? ",
        "null",
        "\t",
      )
      const place = fc.nat({ max: workflow.text.length })
      fc.assert(
        fc.property(
          intruder,
          place,
          fc.nat({ max: 3 }),
          commandsFor(names),
          (added, at, cut, command) => {
            const text = workflow.text.slice(0, at) + added + workflow.text.slice(at + cut)
            const result = editWorkflow({ ...workflow, text }, command)
            if (result.refused !== null) return
            edited({ ...workflow, text }, command)
            const { workflows } = parsedText({ ...workflow, text: result.text })
            expect(workflows.length, result.text).toBeGreaterThan(0)
          },
        ),
        { seed, numRuns: randomCases(100) },
      )
    },
  )
})
