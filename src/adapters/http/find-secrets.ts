import { isSecretName } from "../is-secret-name.js"
import type { Sensitive } from "./mask-secrets.js"

/** A value of a header as `Bearer` and what comes after it: a service may repeat only the one or the other. */
export function credentialIn(value: string): {
  readonly scheme: string
  readonly credential: string
} {
  const [, scheme = "", credential = value] = /^([A-Za-z]+ +)(\S.*)$/s.exec(value) ?? []
  return { scheme, credential }
}

/** The secrets among headers, environment variables or parameters that code was given as they are, by their names. */
export function findSecrets(
  given: Readonly<Record<string, string>>,
  isSecret: (name: string) => boolean = mayNameSecret,
): readonly Sensitive[] {
  return Object.entries(given)
    .filter(([name, value]) => value !== "" && isSecret(name))
    .flatMap(([name, value]) => {
      const { credential } = credentialIn(value)
      return [value, credential].map((text) => ({ value: text, label: `[secret ${name}]` }))
    })
}

export const mayNameSecret = (name: string): boolean =>
  isSecretName(name) || /(^|[-_])(key|auth|pat)$/i.test(name)
