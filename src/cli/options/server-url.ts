import { InvalidArgumentError } from "commander"

/** Parses and validates the URL of a server. */
export function serverUrl(text: string): string {
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return text
  throw new InvalidArgumentError(
    !text.includes("://") && URL.canParse(`http://${text}`)
      ? `The URL has no scheme. Write http://${text} or https://${text}.`
      : "The value must be a URL such as http://127.0.0.1:11434/v1.",
  )
}
