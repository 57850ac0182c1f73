import type { Plugin } from "rolldown"

export function plainObjects(modules: readonly string[]): Plugin
export function withPlainObjects(code: string, file?: string): string
