import type { AgentConfig } from "../../../src/compiler/1-parse/config/agent-config.js"
import { NamedAgents } from "../../../src/compiler/edit/agents/named-agents.js"
import type { EditCommand, TextEdit } from "../../../src/compiler/edit/contract/edit-command.js"
import { applyEdits, invertEdits } from "../../../src/compiler/edit/contract/text-edits.js"
import type { EditedWorkflow } from "../../../src/compiler/edit/edit-workflow.js"
import { editWorkflow } from "../../../src/compiler/edit/edit-workflow.js"
import { pointerKeys } from "../../../src/compiler/document/json-pointer.js"
import { parseWorkflows } from "../../../src/compiler/parse-workflow.js"
import { rootAgentSettings } from "../../../src/compiler/agent-types/workflow.js"
import { fieldsIn, namesOf } from "../../../src/compiler/edit/agents/agent-fields.js"
import { expect } from "vitest"

/** Applies a command and checks its edits: they result in the new text, and their inverse restores the old text. */
export function edited(
  workflow: EditedWorkflow | string,
  command: EditCommand,
): { readonly text: string; readonly edits: readonly TextEdit[]; readonly agent: string | null } {
  const given = typeof workflow === "string" ? { text: workflow } : workflow
  const result = editWorkflow(given, command)
  if (result.refused !== null)
    throw new Error(`${result.refused.code}: ${result.refused.message} ${result.refused.fix}`)
  expect(applyEdits(given.text, result.edits)).toBe(result.text)
  expect(applyEdits(result.text, invertEdits(given.text, result.edits))).toBe(given.text)
  return result
}

/** Returns the code with which a command is refused. */
export function refusal(workflow: EditedWorkflow | string, command: EditCommand): string | null {
  const given = typeof workflow === "string" ? { text: workflow } : workflow
  return editWorkflow(given, command).refused?.code ?? null
}

/** An agent of a config: its own fields without sub-agents, and the names of its sub-agents. */
export interface AgentFacts {
  readonly fields: unknown
  readonly children: readonly string[]
}

/** Parses a text as a file of its folder. */
export function parsedText({ text, options, folder }: EditedWorkflow) {
  const source =
    folder == null
      ? text
      : { ...folder, open: (path: string) => (path === folder.root ? { text } : folder.open(path)) }
  return parseWorkflows(source, options)
}

/** Returns all agents of a config by name, and the root. */
export function factsOf({ text, options, folder }: EditedWorkflow): {
  readonly root: string | null
  readonly agents: Readonly<Record<string, AgentFacts>>
} {
  const { workflows, diagnostics } = parsedText({ text, options, folder })
  const [parsed] = workflows
  if (parsed === undefined || parsed.workflow.agents === null)
    throw new Error(`the text does not parse: ${diagnostics[0]?.message}\n${text}`)
  const index = new NamedAgents(parsed)
  return {
    root: index.rootName,
    agents: Object.fromEntries(
      index
        .agents()
        .map(({ name, config, children }) => [name, { fields: ownFields(config), children }]),
    ),
  }
}

const settings = fieldsIn(rootAgentSettings, "adk").flatMap(([key, field]) =>
  namesOf(key, field, "adk"),
)

function ownFields({ location, fieldAt, type }: AgentConfig): unknown {
  const value = pointerKeys(location.pointer).reduce<unknown>(
    (inner, key) => (inner as Record<string, unknown>)[key],
    location.document.value,
  )
  if (typeof value !== "object" || value === null) return [type, value]
  const subAgents = pointerKeys(fieldAt("subAgents").pointer).at(-1) ?? ""
  // In a config without a list of agents, the root agent also has the settings of the workflow.
  const others = new Set([subAgents, ...(location.pointer === "" ? settings : [])])
  return Object.fromEntries(Object.entries(value).filter(([key]) => !others.has(key)))
}
