import { vi } from "vitest"

// The tests of AI SDK 6 also run with AI SDK 7. This file has a process of its own, because modules
// of other test files have already imported AI SDK 6.
vi.mock("ai", () => import("ai-7"))
vi.mock("@ai-sdk/openai-compatible", () => import("@ai-sdk/openai-compatible-3"))

await import("./model/ai-sdk-model.test.js")
await import("./model/spoken-messages.test.js")
await import("./protocol/ai-sdk-ui.test.js")
