export interface Comparison {
  readonly subset?: boolean
  readonly binds?: Map<string, string>
}
export function differences(
  expected: unknown,
  came: unknown,
  at: string,
  comparison?: Comparison,
): string[]
export function isPaired(
  wanted: readonly unknown[],
  came: readonly unknown[],
  comparison?: Comparison,
): boolean
export function isInOrder(
  wanted: readonly (string | { readonly unordered: readonly string[] })[],
  came: readonly string[],
): boolean
export function disguises(text: string): string[]
