/** Of these it is certain that what was asked for was not done. */
const CLEAR: readonly number[] = [400, 401, 403, 404, 405, 411, 413, 414, 415, 422, 425, 429, 431, 451]

/**
 * Whether a status says so. Another one may come after the venue has done it: 408 and 499 from something in front of
 * the venue, 409 from an earlier try.
 */
export const isClearRefusal = (status: number): boolean => CLEAR.includes(status)
