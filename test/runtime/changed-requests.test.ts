import { expect, test } from "vitest"
import { compileOrThrow } from "../../src/compiler/index.js"
import type { ModelRequest, ModelService } from "../../src/machines/contract/services.js"
import { CallFailedError } from "../../src/machines/contract/services.js"
import { playBoth, resumeEverywhere } from "../support/play-both.js"

const chart = compileOrThrow(
  {
    name: "writer",
    agentClass: "LlmAgent",
    model: "any",
    before_model_callback: "hideNames",
    activityConfig: { retryPolicy: { maximumAttempts: 3, initialInterval: "1ms" } },
  },
  { dialect: "adk" },
)

const text = ({ messages }: ModelRequest): unknown => messages.at(-1)?.content

test("every attempt of a model call sends the request that beforeModel has changed", async () => {
  const asked: unknown[] = []
  const services = () => {
    const any: ModelService = {
      call(request) {
        asked.push(text(request))
        return request.attempt < 3
          ? Promise.reject(
              new CallFailedError({
                code: "model_call_failed",
                message: "the server answered 503",
                retryable: true,
              }),
            )
          : Promise.resolve({ content: "Dear N." })
      },
    }
    return {
      models: { any },
      services: {
        hideNames: () => ({ request: { messages: [{ role: "user", content: "Write to N." }] } }),
      },
    }
  }
  const played = await playBoth(chart, services, { prompt: "Write to Ada." })
  expect(played.result).toMatchObject({ status: "completed", text: "Dear N." })
  expect(asked).toEqual(Array.from({ length: 6 }, () => "Write to N."))

  asked.length = 0
  await resumeEverywhere(played, services)
  expect(new Set(asked)).toEqual(new Set(["Write to N."]))
})
