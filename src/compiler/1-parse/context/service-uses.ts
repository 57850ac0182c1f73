import type { ParserLocation } from "./parser-context.js"
import { report } from "../../diagnostics/config-location.js"
import type { NamedService, ParserContext } from "./parser-context.js"
import { oneOfThese, describeValue } from "../../diagnostics/show.js"
import { didYouMean } from "../../../machines/data/suggest.js"
import { exitLoop } from "../../../machines/model-call/built-in-tools.js"
import type { ServiceKind } from "./service-declaration.js"

/**
 * Records that the config uses a service and returns the name of the service. Later,
 * {@link warnOfMissingServices} reports names that the runner does not have.
 */
export function useService(name: string, kind: ServiceKind, location: ParserLocation): string {
  location.parser.serviceUses.push({ name, kind, location })
  return name
}

/**
 * Reports one warning for each service that the runner does not have. The compiler still creates
 * the chart, but the runner refuses to run the chart without the service.
 */
export function warnOfMissingServices({ services, serviceUses, suggest }: ParserContext): void {
  // If the services of the runner are unknown, only tool names that are similar to a built-in tool
  // are reported. A dotted name always refers to a function of the user.
  const isReported = ({ name, kind }: NamedService): boolean =>
    services.areKnown ||
    (kind === "tool" && !name.includes(".") && suggest(name, [exitLoop]) !== null)
  const uses = new Map<string, NamedService[]>()
  for (const use of serviceUses) {
    if (services.find(use.name, use.kind) !== null || !isReported(use)) continue
    const key = `${use.kind} ${use.name}`
    const others = uses.get(key)
    if (others === undefined) uses.set(key, [use])
    else others.push(use)
  }
  for (const [first, ...others] of uses.values()) {
    if (first === undefined) continue
    const { name, kind, location } = first
    const registered = services.kindsOf(name)
    const instead =
      registered.length > 0
        ? `as ${oneOfThese(registered.map(article))}, not as ${article(kind)}`
        : `as ${article(kind)}`
    const problem =
      registered.length > 0
        ? `uses ${describeValue(name)}, which is registered ${instead}`
        : `uses ${describeValue(name)}, which is not registered ${instead}`
    report(location, {
      code: "missing_service",
      severity: "warning",
      problem:
        others.length === 0
          ? problem
          : `${problem}; ${others.length} more ${others.length === 1 ? "location uses" : "locations use"} it`,
      fix: `${didYouMean(suggest(name, kind === "tool" && !name.includes(".") ? [...services.names(), exitLoop] : services.names()))}Register the service with the runner before you start a run, or correct the name.`,
    })
  }
}

const article = (kind: ServiceKind): string => (/^[aeiou]/.test(kind) ? `an ${kind}` : `a ${kind}`)
