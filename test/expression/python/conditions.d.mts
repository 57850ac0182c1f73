/** Makes `count` random conditions, each with a state; the same ones from the same seed. */
export function conditions(
  seed: number,
  count: number,
): readonly { readonly expression: string; readonly state: Readonly<Record<string, unknown>> }[]
