import type { ServiceDeclaration, ServiceKind } from "./service-declaration.js"

/** The services that are declared in the compile option `services`. */
export interface KnownServices {
  /**
   * Whether the compile option `services` was passed. If false, service names in the config are not
   * checked.
   */
  readonly areKnown: boolean
  readonly find: (name: string, kind: ServiceKind) => ServiceDeclaration | null
  /**
   * Returns the kinds of all services that are declared under a name, such as `["tool"]`. Returns
   * an empty list for an unknown name.
   */
  readonly kindsOf: (name: string) => readonly ServiceKind[]
  readonly names: () => Iterable<string>
}

export const nothingKnown: KnownServices = {
  areKnown: false,
  find: () => null,
  kindsOf: () => [],
  names: () => [],
}
