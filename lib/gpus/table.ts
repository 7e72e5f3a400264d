import { dollars } from "../plan/money.ts";
import type { StockRow } from "./stock-list.ts";

/** The types that serverless endpoints can select, as rows of a table with its heading. */
export function gpuTable(rows: readonly StockRow[]): readonly (readonly string[])[] {
  const head = ["POOL", "GPU TYPE", "GB", "$/H PER GPU", "STOCK", "CUDA WITH CAPACITY", "DATA CENTERS"];
  return [head, ...rows.filter(({ pool }) => pool !== null).map(cells)];
}

/** What the table leaves out, in words; nothing where it is whole. */
export function leftOutText(rows: readonly StockRow[]): string {
  const count = rows.filter(({ pool }) => pool === null).length;
  if (count === 0) return "";
  return `${count === 1 ? "1 more type is" : `${count} more types are`} in no serverless pool; --json lists them too`;
}

function cells({
  pool,
  id,
  memoryGb,
  gpuHourUsd,
  stock,
  cudaVersions,
  dataCenters,
}: StockRow): readonly string[] {
  const versions = cudaVersions.filter(({ available }) => available).map(({ version }) => version);
  return [
    pool ?? "",
    id,
    String(memoryGb),
    dollars(gpuHourUsd),
    stock ?? "not stated",
    versions.length === 0 ? "none" : versions.join(" "),
    dataCenters.length === 0 ? "none" : centersText(dataCenters),
  ];
}

/** `HIGH US-KS-2 EU-RO-1, LOW US-TX-3`: the level once, then the data centers that have it. */
function centersText(dataCenters: StockRow["dataCenters"]): string {
  const levels = [...new Set(dataCenters.map(({ stock }) => stock))];
  return levels
    .map((level) =>
      [level, ...dataCenters.filter(({ stock }) => stock === level).map(({ id }) => id)].join(" "),
    )
    .join(", ");
}
