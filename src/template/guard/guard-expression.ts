import type jsonata from "jsonata"
import { chargedFunctions, meterName } from "../functions/charged-functions.js"
import { nodeCosts } from "./node-costs.js"
import { regexEngine } from "./regex-guard.js"
import { TemplateFailed } from "../limits/template-errors.js"
import type { TemplateMeter } from "../limits/template-meter.js"

/**
 * Symbol of a hook of JSONata. JSONata calls the function that is stored under this symbol before
 * each evaluation step.
 */
const beforeEachStep = Symbol.for("jsonata.__evaluate_entry")
/** Symbol of the hook that JSONata calls after each evaluation step. */
const afterEachStep = Symbol.for("jsonata.__evaluate_exit")
/** Symbol of the hook that JSONata calls for each new variable scope. */
const forEachScope = Symbol.for("jsonata.__createFrame_push")

/**
 * The replacements for JSONata's built-in functions, or null before the first expression. All
 * expressions share them, because each call finds its own meter in its variable scope.
 */
let builtIns: ReturnType<typeof chargedFunctions> | null = null

/**
 * Maximum nesting depth of JSONata's variable scopes. The depth is limited because every variable
 * lookup visits all enclosing scopes.
 */
const deepest = 300

interface Environment {
  readonly base: Environment & { RegexEngine: RegExpConstructor }
  lookup(name: string): unknown
}

interface Step {
  readonly type: string
}

/**
 * Adds hooks and replacement functions to a JSONata expression, so that it charges its work to the
 * meter of the current call. The work includes evaluation steps, created values, built-in functions
 * and operators. Resolves when the expression can be evaluated.
 */
export async function guardExpression(program: jsonata.Expression): Promise<void> {
  const { walks, extra, changes } = nodeCosts(program.ast())
  const depths = new WeakMap<Environment, number>()
  const engines = new WeakMap<TemplateMeter, RegExpConstructor>()
  const meterOf = (environment: Environment): TemplateMeter =>
    environment.base.lookup(meterName) as TemplateMeter

  const enter = (
    step: Step,
    input: unknown,
    environment: Environment,
  ): Promise<void> | undefined => {
    const meter = meterOf(environment)
    meter.spend(1 + (depths.get(environment) ?? 0) / 16 + (extra.get(step) ?? 0))
    if (step.type === "regex") {
      const engine = engines.get(meter) ?? regexEngine(meter)
      engines.set(meter, engine)
      environment.base.RegexEngine = engine
    } else if (step.type === "name" || step.type === "wildcard") {
      spendLists(input, meter)
      if (step.type === "wildcard") spendWildcard(input, meter)
    } else if (step.type === "descendant") {
      meter.walk(input, 2)
    }
    return meter.pauseIfDue()
  }
  const leave = (step: Step, _: unknown, environment: Environment, result: unknown): void => {
    const meter = meterOf(environment)
    if (Array.isArray(result)) meter.spend(result.length / 8)
    meter.checkSize(result)
    const times = walks.get(step)
    if (times !== undefined) meter.walk(result, times)
    // Only a changed value that contains objects can grow without limit, so discard the sizes only
    // then.
    if (changes.has(step) && holdsObjects(result)) meter.discardSizes()
  }
  const nest = (outer: Environment, inner: Environment): void => {
    const depth = (depths.get(outer) ?? 0) + 1
    if (depth > deepest)
      throw new TemplateFailed(`scopes are nested more than ${deepest} levels deep`)
    depths.set(inner, depth)
  }
  const hooks: readonly (readonly [symbol, unknown])[] = [
    [beforeEachStep, enter],
    [afterEachStep, leave],
    [forEachScope, nest],
  ]
  // `assign` is typed for strings only, but it passes its argument to `bind`, which accepts
  // symbols.
  for (const [name, hook] of hooks) program.assign(name as unknown as string, hook)
  builtIns ??= chargedFunctions()
  for (const [name, definition] of await builtIns) program.assign(name, definition)
}

/**
 * Charges the meter for the lookup of a name in `input`. If `input` is a list, JSONata looks up the
 * name in each entry, including the entries of nested lists.
 */
function spendLists(input: unknown, meter: TemplateMeter): void {
  if (!Array.isArray(input)) return
  meter.spend(input.length / 8)
  for (const entry of input) spendLists(entry, meter)
}

/**
 * Charges the meter for a wildcard step (`*`). JSONata visits all values of an object. If a value
 * is a list, JSONata also visits the entries of the list and of its nested lists.
 */
function spendWildcard(input: unknown, meter: TemplateMeter): void {
  if (typeof input !== "object" || input === null) return
  const values = Object.values(input)
  meter.spend(values.length / 4)
  for (const value of values) {
    if (!Array.isArray(value)) continue
    meter.spend(5)
    spendLists(value, meter)
  }
}

const holdsObjects = (value: unknown): boolean =>
  typeof value === "object" &&
  value !== null &&
  Object.values(value).some((entry) => typeof entry === "object" && entry !== null)
