/** What a machine may lack. The run ends with a list of what was skipped for it (`skipped-tests.ts`). */
export const SKIPPED = 'skipped: '

/** Whether it is there; where not, the run says what is missing and how to get it. For `test.skipIf`. */
export function isMissing(isThere: boolean, what: string, howToGetIt: string): boolean {
  if (!isThere) console.log(`${SKIPPED}${what}; ${howToGetIt}`)
  return !isThere
}
