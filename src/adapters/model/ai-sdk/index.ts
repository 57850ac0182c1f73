/** Creates model services for any provider that the Vercel AI SDK, version 6, supports. */
export { aiSdkModel, type AiSdkModelOptions } from "./ai-sdk-model.js"
