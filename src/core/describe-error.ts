const MAX_DEPTH = 4
const SHOWN_PARTS = 3

/** What Node says where the reason is in the cause. */
const EMPTY_WORDS: readonly string[] = ['', 'fetch failed', 'terminated']

/** What went wrong in one line, with the reason. */
export function describeError(error: unknown): string {
  const saysIt = error instanceof Error && !EMPTY_WORDS.includes(error.message)
  const texts = (saysIt ? [error] : rootsOf(error)).map((each) =>
    each instanceof Error ? textOf(each) : String(each),
  )
  return [...new Set(texts)].slice(0, SHOWN_PARTS).join(', ')
}

/** The system's own word for it, such as ENOSPC or ECONNREFUSED: short, and without names of files or hosts. */
export function errorCode(error: unknown): string | undefined {
  return rootsOf(error)
    .map((each) => (each instanceof Error && 'code' in each ? each.code : undefined))
    .find((code) => typeof code === 'string')
}

/** Trying the several addresses of a host fails with one error for each. */
function rootsOf(error: unknown, depth = 0): unknown[] {
  if (!(error instanceof Error) || depth > MAX_DEPTH) return [error]
  if (error instanceof AggregateError && error.errors.length > 0)
    return error.errors.flatMap((part) => rootsOf(part, depth + 1))
  return error.cause === undefined ? [error] : rootsOf(error.cause, depth + 1)
}

const textOf = (error: Error): string =>
  error.name === 'TimeoutError' ? 'no answer in time' : error.message || (errorCode(error) ?? error.name)
