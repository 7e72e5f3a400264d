export { shellLine } from "../lib/shell-line.ts";
