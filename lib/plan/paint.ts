import { oneLine } from "../plain-text.ts";

/** How a text is coloured; words carry the meaning, colours only help the eye. */
export interface Paint {
  readonly bold: (text: string) => string;
  readonly dim: (text: string) => string;
  readonly warn: (text: string) => string;
  readonly good: (text: string) => string;
  readonly bad: (text: string) => string;
}

const same = (text: string): string => text;

/** No colour at all. */
export const plain: Paint = { bold: same, dim: same, warn: same, good: same, bad: same };

// Private-use characters stand for colours while a text is put together, so that everything else can be made safe at
// once: names, values and messages come from outside.
const END = "\ue000";
const STYLES: readonly (keyof Paint)[] = ["bold", "dim", "warn", "good", "bad"];
const mark = (style: keyof Paint): string => String.fromCharCode(0xe001 + STYLES.indexOf(style));

/** Colours that are still marks; `paintedLines` turns them into those of a terminal. */
export const marks: Paint = {
  bold: (text) => mark("bold") + text + END,
  dim: (text) => mark("dim") + text + END,
  warn: (text) => mark("warn") + text + END,
  good: (text) => mark("good") + text + END,
  bad: (text) => mark("bad") + text + END,
};

/** Joins lines that were put together with `marks`: each stays one line, and nothing in it can steer a terminal. */
export function paintedLines(lines: readonly string[], paint: Paint): string {
  return lines.map((line) => paintedLine(oneLine(line), paint)).join("\n");
}

function paintedLine(line: string, paint: Paint): string {
  const painted = line.replace(
    /([\ue001-\ue005])([^\ue000-\ue005]*)\ue000/g,
    (_, opener: string, text: string) => {
      const style = STYLES[opener.charCodeAt(0) - 0xe001] ?? "bold";
      return paint[style](text);
    },
  );
  return painted.replace(/[\ue000-\ue005]/g, "");
}
