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
