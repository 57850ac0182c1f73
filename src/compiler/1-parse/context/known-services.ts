import type { ServiceDeclaration, ServiceKind } from "./service-declaration.js"

/** The services of the runner, as declared in the compile option `services`. */
export interface KnownServices {
  /** Whether the option was passed. If it is false, unknown names are not reported. */
  readonly areTold: boolean
  readonly find: (name: string, kind: ServiceKind) => ServiceDeclaration | null
  /** Returns all kinds of services that are declared under a name. */
  readonly kindsOf: (name: string) => readonly ServiceKind[]
  readonly names: () => Iterable<string>
}

export const nothingKnown: KnownServices = {
  areTold: false,
  find: () => null,
  kindsOf: () => [],
  names: () => [],
}
