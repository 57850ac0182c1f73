import { isSecretName } from "../../is-secret-name.js"
import type { Sensitive } from "./mask-secrets.js"

/**
 * Splits a header value such as `Bearer abc` into scheme and credential. The credential is also
 * masked alone, because a response may contain it without the scheme.
 */
export function credentialIn(value: string): {
  readonly scheme: string
  readonly credential: string
} {
  const [, scheme = "", credential = value] = /^([A-Za-z]+ +)(\S.*)$/s.exec(value) ?? []
  return { scheme, credential }
}

/**
 * Returns the values that are probably secrets because of their names, for example the value of
 * `api-key`. The names may be those of headers, environment variables or parameters. For a value
 * such as `Bearer abc`, the credential `abc` is also returned.
 */
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
