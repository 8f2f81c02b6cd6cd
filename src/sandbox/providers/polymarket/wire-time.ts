/** `2026-09-28T17:50:54Z` */
export const secondText = (ms: number): string => new Date(ms).toISOString().replace(/\.\d{3}Z$/, 'Z')
/** `2026-09-27T17:54:27.337000Z`, as rows are stamped. */
export const microText = (ms: number): string => new Date(ms).toISOString().replace('Z', '000Z')
/** `2026-09-28 17:50:54+00`, as `closedTime` of a market is written. */
export const databaseText = (ms: number): string => `${secondText(ms).replace('T', ' ').slice(0, -1)}+00`
/** `2026-09-28` */
export const dayText = (ms: number): string => new Date(ms).toISOString().slice(0, 10)

/** An ISO time, or undefined. */
export function findTime(text: string | null): number | undefined {
  if (text === null || !/^\d{4}-\d{2}-\d{2}([T ][\d:.]+(Z|[+-]\d{2}:?\d{2})?)?$/.test(text)) return undefined
  const ms = Date.parse(text)
  return Number.isFinite(ms) ? ms : undefined
}
