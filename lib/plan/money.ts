/** An amount as a person reads it: `$1.116`, `$5.58`, `$0`, or `unknown`. */
export function dollars(amount: number | null): string {
  return amount === null ? "unknown" : `${amount < 0 ? "-" : ""}$${digits(Math.abs(amount))}`;
}

/** `+71 %`, or nothing where it cannot be told. */
export function percentChange(before: number | null, after: number | null): string {
  if (before === null || after === null || before === 0 || before === after) return "";
  const percent = Math.round(((after - before) / before) * 100);
  return `${percent > 0 ? "+" : ""}${percent} %`;
}

/** Rounded to a millionth of a dollar, so that products of list prices are the same everywhere. */
export function roundUsd(amount: number): number {
  return Math.round(amount * 1e6) / 1e6;
}

/** Hours of an average month, for standing costs. */
export const HOURS_PER_MONTH = 730;

function digits(amount: number): string {
  const text = amount.toFixed(3).replace(/0$/, "");
  return amount === 0 ? "0" : text;
}
