import { notInstalled } from "../../../not-installed.js"

const sdk = await import("@modelcontextprotocol/client").catch(
  notInstalled("@modelcontextprotocol/client", "2", "adapters/tool/mcp"),
)

export const {
  CLIENT_CAPABILITIES_META_KEY,
  Client,
  ProtocolError,
  ProtocolErrorCode,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  StreamableHTTPClientTransport,
  discoverOAuthProtectedResourceMetadata,
  extractWWWAuthenticateParams,
  specTypeSchemas,
} = sdk
