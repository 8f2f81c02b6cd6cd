/** Fewer are within reach of somebody who guesses for years from many addresses. */
const MIN_CHARS = 24
/** A random key of 24 characters has about 19 different ones. */
const MIN_DIFFERENT = 12

/** The operator's key where a person seems to have thought it up; the start goes on and says so. */
export function findWeakKey(key: string | undefined): string[] {
  if (key === undefined || (key.length >= MIN_CHARS && new Set(key).size >= MIN_DIFFERENT)) return []
  return [
    `TOLLBOOK_OPERATOR_KEY: may be guessed: use at least ${MIN_CHARS} random characters, such as a key that ./tollbook keys make prints or openssl rand -base64 32`,
  ]
}
