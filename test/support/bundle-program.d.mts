export function bundleProgram(
  program: string,
  options?: { readonly warmUp?: readonly string[]; readonly external?: readonly string[] },
): Promise<{ readonly start: string; remove(): void }>
