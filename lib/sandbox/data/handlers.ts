/** What the workers of the sandbox's endpoints run, where it is not an image generator. */
export const SANDBOX_HANDLERS: Readonly<Record<string, string>> = {
  "7c3v1n8p": "echo",
  "3p8n6v2d": "stream",
};
