import type { ServiceDeclaration, ServiceKind } from "./service-declaration.js"

/** What the runner has by name, if the compiler was told. */
export interface KnownServices {
  /** Whether it was told: otherwise nothing can be said about names that are not known. */
  readonly areTold: boolean
  readonly find: (name: string, kind: ServiceKind) => ServiceDeclaration | null
  /** Every kind that a name stands for. */
  readonly kindsOf: (name: string) => readonly ServiceKind[]
  readonly names: () => Iterable<string>
}

export const nothingKnown: KnownServices = {
  areTold: false,
  find: () => null,
  kindsOf: () => [],
  names: () => [],
}
