export const dialects = ["graph-compose", "adk", "typescript"] as const
export const templates = ["agent", "pipeline", "review", "research"] as const
export const providers = ["scripted", "openai", "ollama", "ai-sdk"] as const

/** The user's choices for the content of a new project. */
export interface ProjectChoices {
  readonly dialect: (typeof dialects)[number]
  readonly template: (typeof templates)[number]
  readonly provider: (typeof providers)[number]
}

/** Defaults for the choices of a new project. `init` uses them if it cannot prompt the user. */
export const defaultChoices: ProjectChoices = {
  dialect: "graph-compose",
  template: "agent",
  provider: "scripted",
}

interface ChoiceText {
  readonly label: string
  readonly hint: string
}

/** Labels and hints for the choices that `init` shows to the user. */
export const choiceTexts: {
  readonly [Field in keyof ProjectChoices]: Readonly<Record<ProjectChoices[Field], ChoiceText>>
} = {
  dialect: {
    "graph-compose": { label: "Graph Compose JSON", hint: "a list of agents in workflow.json" },
    adk: { label: "Google ADK YAML", hint: "nested agents in root_agent.yaml" },
    typescript: { label: "TypeScript", hint: "a builder that checks ids at compile time" },
  },
  template: {
    agent: { label: "Agent", hint: "one agent with a tool" },
    pipeline: { label: "Pipeline", hint: "three agents in sequence" },
    review: { label: "Review", hint: "a writer and a critic in a loop, then a person's approval" },
    research: { label: "Research", hint: "three researchers in parallel, then a writer" },
  },
  provider: {
    scripted: { label: "Scripted", hint: "no model; responses from scenario.json" },
    openai: { label: "OpenAI", hint: "or any server with OpenAI's chat completions API" },
    ollama: { label: "Ollama", hint: "models on your machine" },
    "ai-sdk": { label: "AI SDK", hint: "providers of the Vercel AI SDK" },
  },
}
