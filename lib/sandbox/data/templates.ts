/** A template: container settings under an id (runpod-api.md 2.5, rule 11). */
export interface WorldTemplate {
  readonly id: string;
  name: string;
  /** The catalog slice it is in; "own" is in none, "foreign" belongs to someone else and is private. */
  source: "official" | "verified" | "community" | "own" | "foreign";
  serverless: boolean;
  category: "CPU" | "NVIDIA" | "AMD";
  image: string;
  args: string;
  disk: number;
  ports: string[];
  env: Record<string, string>;
  registry: string | null;
}

/** The templates of every sandbox. */
export const SANDBOX_TEMPLATES: readonly WorldTemplate[] = [
  template("5t8w2n6k", "vLLM worker", {
    env: { MODEL_NAME: "acme/llm-8b", MAX_MODEL_LEN: "8192" },
    disk: 50,
  }),
  template("30zmvf89kd", "PyTorch 2.8", { serverless: false, ports: ["8888/http", "22/tcp"], disk: 50 }),
  template("8d1q4v7x", "Whisper worker", { source: "verified", image: "acme/whisper-worker:0.9.0" }),
  template("2c6m9z3h", "Text cleaner", { source: "community", category: "CPU", image: "acme/cleaner:1.0.0" }),
  template("6r4s1y8b", "house worker", {
    source: "own",
    image: "acme/house-worker:3.1.0",
    args: "python handler.py",
    ports: ["8000/http"],
    env: { LOG_LEVEL: "info", MODEL_NAME: "house" },
    registry: "reg_acme01",
  }),
  template("9f3j7u5p", "someone else's worker", { source: "foreign" }),
];

function template(id: string, name: string, rest: Partial<WorldTemplate>): WorldTemplate {
  const defaults = {
    source: "official",
    serverless: true,
    category: "NVIDIA",
    image: "runpod/worker-vllm:2.9.0",
    args: "",
    disk: 20,
    ports: [],
    env: {},
    registry: null,
  } as const;
  return { id, name, ...defaults, ports: [], ...rest };
}
