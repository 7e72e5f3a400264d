/** One data center: id, name, ISO country, region. */
export type DataCenterRow = readonly [id: string, name: string, country: string, region: string];

/** Data centers known by id (runpod-api.md 2.13); names and countries are read off the ids. */
export const DATA_CENTER_ROWS: readonly DataCenterRow[] = [
  ["EU-RO-1", "EU Romania 1", "RO", "EUROPE"],
  ["EU-SE-1", "EU Sweden 1", "SE", "EUROPE"],
  ["EU-CZ-1", "EU Czechia 1", "CZ", "EUROPE"],
  ["EU-NL-1", "EU Netherlands 1", "NL", "EUROPE"],
  ["EU-FR-1", "EU France 1", "FR", "EUROPE"],
  ["EUR-IS-1", "EU Iceland 1", "IS", "EUROPE"],
  ["EUR-IS-2", "EU Iceland 2", "IS", "EUROPE"],
  ["EUR-IS-3", "EU Iceland 3", "IS", "EUROPE"],
  ["EUR-NO-1", "EU Norway 1", "NO", "EUROPE"],
  ["CA-MTL-1", "CA Montreal 1", "CA", "NORTH_AMERICA"],
  ["CA-MTL-2", "CA Montreal 2", "CA", "NORTH_AMERICA"],
  ["CA-MTL-3", "CA Montreal 3", "CA", "NORTH_AMERICA"],
  ["US-IL-1", "US Illinois 1", "US", "NORTH_AMERICA"],
  ["US-TX-1", "US Texas 1", "US", "NORTH_AMERICA"],
  ["US-TX-3", "US Texas 3", "US", "NORTH_AMERICA"],
  ["US-TX-4", "US Texas 4", "US", "NORTH_AMERICA"],
  ["US-KS-2", "US Kansas 2", "US", "NORTH_AMERICA"],
  ["US-KS-3", "US Kansas 3", "US", "NORTH_AMERICA"],
  ["US-GA-1", "US Georgia 1", "US", "NORTH_AMERICA"],
  ["US-GA-2", "US Georgia 2", "US", "NORTH_AMERICA"],
  ["US-WA-1", "US Washington 1", "US", "NORTH_AMERICA"],
  ["US-CA-2", "US California 2", "US", "NORTH_AMERICA"],
  ["US-NC-1", "US North Carolina 1", "US", "NORTH_AMERICA"],
  ["US-DE-1", "US Delaware 1", "US", "NORTH_AMERICA"],
  ["OC-AU-1", "OC Australia 1", "AU", "OCEANIA"],
  ["AP-JP-1", "AP Japan 1", "JP", "ASIA"],
];
