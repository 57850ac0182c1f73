import { isCancel, select, text } from "@clack/prompts"
import type { ProjectChoices } from "./project-choices.js"
import { choiceTexts, defaultChoices } from "./project-choices.js"

/** Prompts the user for the folder of the new project. Returns null if the user cancels. */
export async function askFolder(): Promise<string | null> {
  const answer = await text({
    message: "Folder of the project",
    placeholder: "my-agents",
    defaultValue: "my-agents",
  })
  return isCancel(answer) ? null : answer
}

/**
 * Prompts the user for each choice that is missing in `given`, for example the model provider.
 * Returns null if the user cancels.
 */
export async function askChoices(given: Partial<ProjectChoices>): Promise<ProjectChoices | null> {
  const dialect = given.dialect ?? (await askChoice("dialect", "How do you describe the agents?"))
  if (dialect === null) return null
  const template = given.template ?? (await askChoice("template", "Which workflow?"))
  if (template === null) return null
  const provider = given.provider ?? (await askChoice("provider", "Which models?"))
  return provider === null ? null : { dialect, template, provider }
}

async function askChoice<Field extends keyof ProjectChoices>(
  field: Field,
  message: string,
): Promise<ProjectChoices[Field] | null> {
  const texts: Readonly<Record<string, { readonly label: string; readonly hint: string }>> =
    choiceTexts[field]
  const answer = await select<string>({
    message,
    options: Object.entries(texts).map(([value, { label, hint }]) => ({ value, label, hint })),
    initialValue: defaultChoices[field],
  })
  // The options are the keys of the texts, which are the values of this choice.
  return isCancel(answer) ? null : (answer as ProjectChoices[Field])
}
