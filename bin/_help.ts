import type { ArgsDef } from "citty";
import { shownArg } from "./_args.ts";
import { type AnyCommand, resolved } from "./_command.ts";
import { tableText } from "./_output.ts";

/** The help of a command: what it does, how it is called, its commands, arguments and flags. Plain text, 100 columns. */
export async function helpText(command: AnyCommand, name: string): Promise<string> {
  const meta = await resolved(command.meta ?? {});
  const args = await resolved(command.args ?? {});
  const children = await childrenOf(command);
  const parts = [
    [meta.description ?? ""],
    [`Usage: ${usageLine(name, args, children.length > 0)}`],
    section("Commands", children),
    section("Arguments", linesOf(args, true)),
    section("Flags", [...linesOf(args, false), ["--help", "show this text"]]),
    children.length > 0 ? [`${name} <command> --help says more about a command.`] : [],
  ];
  return parts.flatMap((lines) => (lines.length > 0 ? [lines.join("\n")] : [])).join("\n\n");
}

function usageLine(name: string, args: ArgsDef, isGroup: boolean): string {
  if (isGroup) return `${name} <command> [arguments]`;
  const required = Object.entries(args).filter(
    ([, arg]) => arg.type === "positional" || arg.required === true,
  );
  const optional = Object.values(args).some((arg) => arg.type !== "positional" && arg.required !== true);
  const words = required.map(([key, arg]) => shownArg(key, arg));
  return [name, ...words, ...(optional ? ["[flags]"] : [])].join(" ");
}

/** One line per command; two names of one command share theirs. */
async function childrenOf(command: AnyCommand): Promise<[string, string][]> {
  const lines = new Map<AnyCommand, [string, string]>();
  for (const [name, child] of Object.entries(await resolved(command.subCommands ?? {}))) {
    const loaded = await resolved<AnyCommand>(child);
    const known = lines.get(loaded);
    const [description = ""] = ((await resolved(loaded.meta ?? {})).description ?? "").split("\n");
    lines.set(loaded, known === undefined ? [name, description] : [`${known[0]}, ${name}`, known[1]]);
  }
  return [...lines.values()];
}

function linesOf(args: ArgsDef, positional: boolean): [string, string][] {
  return Object.entries(args)
    .filter(([, arg]) => (arg.type === "positional") === positional)
    .map(([name, arg]) => [shownArg(name, arg), arg.description ?? ""]);
}

function section(title: string, rows: readonly (readonly [string, string])[]): string[] {
  if (rows.length === 0) return [];
  return [`${title}:`, tableText(rows.map(([left, right]) => [`  ${left}`, right]))];
}
