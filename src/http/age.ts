/** Value of the `Age` header: whole seconds since the data's own time. */
export function ageOf(asOfMs: number, nowMs: number): string {
  return String(Math.max(0, Math.floor((nowMs - asOfMs) / 1000)))
}
