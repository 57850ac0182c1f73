import { notInstalled } from "../../not-installed.js"

const sdk = await import("ai").catch(notInstalled("ai", "6", "adapters/protocol/ai-sdk-ui"))

export const { createUIMessageStreamResponse } = sdk
