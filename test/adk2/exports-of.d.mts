export function exportsOf(file: string): ReadonlyMap<string, "value" | "type">
