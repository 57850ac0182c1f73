import type { ValueReaders } from "./described-table.js"
import { answerChoices, stateKeys } from "./answer-choices.js"
import { activityConfig, modelActivityConfig } from "./activity-config.js"
import { budget } from "./budget.js"
import { compaction } from "./compaction.js"
import { condition } from "./condition.js"
import { anything, data } from "./data.js"
import { duration } from "./duration.js"
import { calledWorkflow, workflowFile } from "./called-workflow.js"
import { completion, forEach } from "./for-each.js"
import { guardrails } from "./guardrails.js"
import { headers, httpConfig, url } from "./http-config.js"
import { identifier, reference } from "./identifier.js"
import { noOutputKey, outputKey, stateData } from "./output-key.js"
import { count, filledText, flag, list, text } from "./plain-values.js"
import { stateKeyMap } from "./state-key-map.js"
import { stateMerge } from "./state-merge.js"
import { toolNames } from "./tool-names.js"

/** Functions that parse the values of config fields, by value type. They apply to both dialects. */
export const sharedReaders = {
  unchecked: anything,
  text,
  filledText,
  flag,
  count,
  duration,
  agentClass: anything,
  toolId: identifier,
  reference,
  outputKey,
  noOutputKey,
  condition,
  data,
  state: stateData,
  stateMerge,
  url,
  headers,
  httpConfig,
  activityConfig,
  modelActivityConfig,
  budget,
  compaction,
  guardrails,
  answerChoices,
  stateKeys,
  machineInput: stateKeyMap,
  calledWorkflow,
  workflowFile,
  forEach,
  completion,
  agentList: list,
  toolList: list,
  plugins: anything,
  toolNames,
} as const satisfies ValueReaders
