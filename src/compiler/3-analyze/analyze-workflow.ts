import type { ConditionUse } from "../1-parse/context/parser-context.js"
import type { ResolvedWorkflow } from "../2-resolve/resolve-workflow.js"
import { warnOfBranchWrites } from "./branch-writes.js"
import { warnOfConditions } from "./condition-warnings.js"
import { warnOfForEach } from "./for-each-writes.js"
import { warnOfGlobalInstructions } from "./global-instructions.js"
import { warnOfInstructions } from "./instruction-keys.js"
import { keyWriters } from "./key-writers.js"
import { hintAtEndlessLoops } from "./loop-exits.js"
import { checkModelSettings } from "./check-model-settings.js"
import { warnOfMissingModels } from "./missing-models.js"
import { runsHostCode } from "./node-facts.js"
import { warnOfUnreachable } from "./unreachable.js"
import { warnOfUnfilledPlaceholders } from "./unfilled-placeholders.js"
import { warnOfUnreadTexts } from "./unread-texts.js"
import { warnOfWaitingJoins } from "./waiting-joins.js"
import { warnOfVagueKeys } from "./vague-keys.js"

/**
 * Reports warnings and hints for a workflow that can run, but probably does not run as intended. If
 * the workflow has host functions, which may write any state key, reads of keys that no agent or
 * tool writes are not reported.
 */
export function analyzeWorkflow(
  resolved: ResolvedWorkflow,
  conditions: readonly ConditionUse[],
): void {
  warnOfUnreachable(resolved)
  warnOfBranchWrites(resolved)
  warnOfForEach(resolved)
  const { agents, tools } = resolved.workflow
  const written = [...agents.values()].some((agent) => runsHostCode(agent, tools))
    ? null
    : keyWriters(resolved.workflow)
  warnOfConditions(conditions, written, resolved.workflow)
  if (written !== null) warnOfInstructions(resolved, written)
  warnOfGlobalInstructions(resolved)
  warnOfMissingModels(resolved)
  checkModelSettings(resolved)
  warnOfVagueKeys(resolved)
  warnOfUnreadTexts(resolved)
  if (written !== null) warnOfUnfilledPlaceholders(resolved, written)
  hintAtEndlessLoops(resolved)
  warnOfWaitingJoins(resolved)
}
