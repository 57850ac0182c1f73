import type { ParserLocation } from "./parser-context.js"
import { report } from "../../diagnostics/config-location.js"
import type { ParserContext } from "./parser-context.js"

/** Remembers the use; {@link reportUnsupported} tells of all of them at once. Null: there is no value to go on with. */
export function noteUnsupported(at: ParserLocation, feature: string): null {
  at.parser.unsupported.push({ at, feature })
  return null
}

const listed = 10

/** One diagnostic for the whole config, so that nothing that it asks for is silently left out. */
export function reportUnsupported({ unsupported }: ParserContext): void {
  const [first, ...others] = unsupported
  if (first === undefined) return
  const names = others
    .slice(0, listed)
    .map(
      ({ at, feature }) =>
        `${at.field === "" ? "" : `"${at.field}" of `}${at.owner.label} (${feature})`,
    )
  const more = others.length - names.length
  const rest =
    names.length === 0
      ? ""
      : ` The same applies to ${names.join(", ")}${more > 0 ? ` and ${more} more` : ""}.`
  report(first.at, {
    code: "dialect_unsupported",
    says: `uses ${first.feature}, which are not supported yet`,
    fix: `Remove it. docs/config.md lists what the adk dialect supports.${rest}`,
  })
}
