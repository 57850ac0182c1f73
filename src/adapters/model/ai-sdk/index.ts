/** Models of any provider of the Vercel AI SDK, version 6. */
export { aiSdkModel, type AiSdkModelOptions } from "./ai-sdk-model.js"
