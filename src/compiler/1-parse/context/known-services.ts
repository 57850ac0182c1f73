import type { ServiceDeclaration, ServiceKind } from "./service-declaration.js"

/** The services that the compile option `services` declares. */
export interface KnownServices {
  /**
   * Whether the compile option `services` was passed. If not, service names in the config are not
   * checked.
   */
  readonly areKnown: boolean
  readonly find: (name: string, kind: ServiceKind) => ServiceDeclaration | null
  /** Returns the kinds of all services that are declared under a name. */
  readonly kindsOf: (name: string) => readonly ServiceKind[]
  readonly names: () => Iterable<string>
}

export const nothingKnown: KnownServices = {
  areKnown: false,
  find: () => null,
  kindsOf: () => [],
  names: () => [],
}
