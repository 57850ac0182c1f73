import type { ModelServices } from "agent-statecharts/adk"

export function scriptedModels(llm: object): { readonly models: ModelServices }
